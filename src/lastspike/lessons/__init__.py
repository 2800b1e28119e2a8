"""Lessons: prepared games that teach by playing, stored as records."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from lastspike.rules.records.record import Record, read_record


@cache
def lesson_ids() -> tuple[str, ...]:
    """The ids of the shipped lessons."""
    names = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def lesson_record(lesson_id: str) -> Record:
    """The lesson's record, replayed and checked."""
    file = resources.files(__name__).joinpath(f"{lesson_id}.json")
    return read_record(json.loads(file.read_text("utf-8")))
