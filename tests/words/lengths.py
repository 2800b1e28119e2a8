"""Which translations are too long for their place: on a button, in a table's head, in a list.

A sentence may be as long as it needs; a button's text must not grow much beyond the English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import east_asian_width

from babel.messages.catalog import Catalog

from .update import SAID, SOURCE

_OPENING, _CLOSING = "([{", ")]}"


class Room(NamedTuple):
    """How much longer than the English a text may be: so many times, and so many letters more."""

    times: float
    more: int


BUTTON, HEAD, CHOICE, BADGE = Room(1.7, 8), Room(1.5, 8), Room(1.8, 10), Room(1.7, 8)
PLACES = {
    **dict.fromkeys(("button", "el button", "el a", "pageLink", "way", "Tabs"), BUTTON),
    **dict.fromkeys(("tableHead", "table", "figure"), HEAD),
    **dict.fromkeys(("setting", "option", "el option", "el label"), CHOICE),
    **dict.fromkeys(("el span", "el td", "el strong", "push"), BADGE),
}
"""What of the page has little room, by the function that the message is given to."""


class TooLong(NamedTuple):
    message: str
    text: str
    most: int


def too_long(catalogue: Catalog) -> list[TooLong]:
    """The translations that are wider than their place allows."""
    rooms = dict(_rooms())
    found = []
    for message in catalogue:
        english = message.id if isinstance(message.id, str) else message.id[-1]
        room = rooms.get(message.id if isinstance(message.id, str) else message.id[0])
        if not english or room is None:
            continue
        most = int(width(english) * room.times) + room.more
        forms = [message.string] if isinstance(message.string, str) else message.string or ()
        found += [TooLong(english, form, most) for form in forms if width(form or "") > most]
    return found


def width(text: str) -> int:
    """How wide a text is, in letters; a Japanese sign is as wide as two."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _rooms() -> Iterator[tuple[str, Room]]:
    """Each message of the page that has little room."""
    for path in sorted(SOURCE.rglob("*.js")):
        text = path.read_text("utf-8")
        for said in SAID.finditer(text):
            called, first, second = said.groups()
            room = PLACES.get(called_with(text, said.start()))
            if room:
                yield json.loads(second if called == "sayAs" else first), room


def called_with(text: str, place: int) -> str:
    """The function that what stands here is an argument of; `el button` for an element."""
    depth = 0
    for at in range(place - 1, -1, -1):
        if text[at] in _CLOSING:
            depth += 1
        elif text[at] in _OPENING and depth:
            depth -= 1
        elif text[at] == "(":
            name = re.search(r"\w*$", text[:at])
            tag = re.match(r'\s*"(\w+)"', text[at + 1 :])
            called = name[0] if name else ""
            return f"el {tag[1]}" if called == "el" and tag else called
        elif text[at] == "{":
            return ""  # an attribute, or a function's body
    return ""
