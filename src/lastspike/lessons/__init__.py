"""Lessons: prepared games to learn by playing, as records."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from lastspike.rules.records.record import Record, read_record


@cache
def lesson_ids() -> tuple[str, ...]:
    """The lessons that come with the package."""
    names = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def lesson_record(lesson_id: str) -> Record:
    """The lesson as a game, replayed by the rules."""
    file = resources.files(__name__).joinpath(f"{lesson_id}.json")
    return read_record(json.loads(file.read_text("utf-8")))
