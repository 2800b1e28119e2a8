"""The sentences that Python and the page share, each once: `sentences.json`.

`events` holds, for each kind of event, groups of alternatives. Each group gives one sentence: that
of the first alternative whose `when` fits the event. A number there is compared with the length of
a list. An alternative without `say` gives none. `count` names the field to count, for a sentence
with a singular and a plural. `board` holds answers to questions about the board.

What fills a place in a sentence follows from the place's name: see `Teller._places` here and in the
page's teller.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def sentences() -> dict[str, Any]:
    file = resources.files("lastspike.words").joinpath("sentences.json")
    loaded: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return loaded


def alternatives_for(kind: str, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The alternatives that tell this event, in order."""
    for group in sentences()["events"][kind]:
        fitting = next(each for each in group if _fits(each.get("when", {}), event))
        if "say" in fitting:
            yield fitting


def _fits(wanted: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    return all(
        (len(event[field]) if isinstance(event[field], tuple | list) else event[field]) == value
        for field, value in wanted.items()
    )


def messages() -> Iterator[tuple[str, ...]]:
    """Every message for translators: a text, or its singular and plural."""
    groups = sentences()["events"].values()
    told = [each["say"] for event in groups for group in event for each in group if "say" in each]
    for text in [*told, *sentences()["board"].values()]:
        yield (text,) if isinstance(text, str) else tuple(text)
