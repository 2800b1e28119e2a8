"""What a name and a line of chat may hold: any letters and signs that show, and nothing that acts.

Text is never shown as HTML. Still, what could be taken for markup, what controls, what turns the
direction of writing and what can't be seen is taken out, so that no text spoils a log, a terminal
or the line that it is shown in.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Literal
from unicodedata import category, normalize

from lastspike.rules.errors import LastSpikeError

MOST_IN_NAME = 24
MOST_IN_CHAT = 300
MOST_MARKS = 4
"""So many marks may stand on one letter: what people write needs fewer, and more cover lines."""

_GONE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Control, format (with all that turns the direction), surrogates, private, unassigned."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and a symbol by their category, and yet nothing shows."""
_JOINERS = "\u200c\u200d"
_LOOSE_JOINER = re.compile(f"(?<![^\\s{_JOINERS}])[{_JOINERS}]|[{_JOINERS}](?![^\\s{_JOINERS}])")
_LIKENESS = str.maketrans({"<": "\u2039", ">": "\u203a", "\u00b4": "’"})
"""Angle quotation marks instead of markup. The acute by itself, which some type for an apostrophe,
would become a space and a mark."""


def clean_name(text: str) -> str:
    """The name as it is shown; characters that look the same but are not become the same (NFKC).

    `LastSpikeError` if no letter, digit or symbol is left, or too much.
    """
    name = _settled(text, "NFKC", joiners="")
    if not any(category(c)[0] in "LNS" for c in name):
        raise LastSpikeError("a name needs a letter that can be shown")
    if len(name) > MOST_IN_NAME:
        raise LastSpikeError("a name has at most {most} characters", most=MOST_IN_NAME)
    return name


def clean_chat(text: str) -> str:
    """The line as it is shown. `LastSpikeError` if nothing is left, or too much.

    Joiners stay between characters that show: some languages and many emoji are written with them.
    """
    line = _settled(text, "NFC", joiners=_JOINERS)
    if not line:
        raise LastSpikeError("there is nothing in this message that can be shown")
    if len(line) > MOST_IN_CHAT:
        raise LastSpikeError("a message has at most {most} characters", most=MOST_IN_CHAT)
    return line


def unique_name(name: str, taken: Container[str | None]) -> str:
    """The name, with a number behind it if somebody has it already."""
    unique, number = name, 2
    while unique in taken:
        unique, number = f"{name} {number}", number + 1
    return unique


def _settled(text: str, form: Literal["NFC", "NFKC"], joiners: str) -> str:
    """Taking one thing out may bring the next together: so until nothing changes."""
    while (cleaned := _cleaned(text, form, joiners)) != text:
        text = cleaned
    return text


def _cleaned(text: str, form: Literal["NFC", "NFKC"], joiners: str) -> str:
    text = normalize(form, text.translate(_LIKENESS)).translate(_LIKENESS)
    kept = (c for c in text if c.isspace() or c in joiners or not _unseen(c))
    text = _LOOSE_JOINER.sub("", "".join(kept))
    return " ".join(_without_heaps(text).split())


def _unseen(c: str) -> bool:
    return c in _BLANK or category(c) in _GONE


def _without_heaps(text: str) -> str:
    """At most `MOST_MARKS` marks in a row, joiners or not, and none that stands on nothing."""
    kept: list[str] = []
    marks = 0
    for c in text:
        if category(c)[0] == "M":
            marks += 1
            if marks > MOST_MARKS or not kept or kept[-1].isspace():
                continue
        elif c not in _JOINERS:
            marks = 0
        kept.append(c)
    return "".join(kept)
