"""The sentences that Python and the page share: `sentences.json`.

`events` holds groups of alternatives for each kind of event. Each group yields the sentence of its
first alternative whose `when` matches the event, or none if that alternative has no `say`. In
`when`, a list matches its length; `own` is true if the event is the reader's own, who is "you" then
and has no name. `count` names the field that selects singular or plural. `board`
holds answers to questions about the board. `Teller._places` fills the placeholders by name.
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
    """The alternatives to use for this event, one for each group that has a sentence."""
    for group in sentences()["events"][kind]:
        match = next(each for each in group if _matches(each.get("when", {}), event))
        if "say" in match:
            yield match


def _matches(wanted: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    return all(
        (len(event[field]) if isinstance(event[field], tuple | list) else event[field]) == value
        for field, value in wanted.items()
    )


def messages() -> Iterator[tuple[str, ...]]:
    """Every message to translate: a text, or its singular and plural."""
    kinds = sentences()["events"].values()
    texts = [each["say"] for kind in kinds for group in kind for each in group if "say" in each]
    for text in [*texts, *sentences()["board"].values()]:
        yield (text,) if isinstance(text, str) else tuple(text)
