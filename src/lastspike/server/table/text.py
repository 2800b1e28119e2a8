"""Cleaning of names and chat messages: any visible characters are allowed.

Text is never shown as HTML. Even so, markup, control characters, changes of text direction and
invisible characters are removed, so that no text can garble a log, a terminal or a page.
"""

from __future__ import annotations

import re
from typing import Literal
from unicodedata import category, normalize

from lastspike.rules.errors import LastSpikeError

MOST_IN_NAME = 24
MOST_IN_CHAT = 300
MOST_MARKS = 4
"""Combining marks allowed on one letter. No language needs more; more would cover other lines."""

_GONE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Control, format (text direction included), surrogate, private use, unassigned."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters whose category is letter, mark or symbol."""
_JOINERS = "\u200c\u200d"
_LOOSE_JOINER = re.compile(f"(?<![^\\s{_JOINERS}])[{_JOINERS}]|[{_JOINERS}](?![^\\s{_JOINERS}])")
_LIKENESS = str.maketrans({"<": "\u2039", ">": "\u203a", "\u00b4": "’"})
"""Angle quotation marks replace markup. NFKC would turn an acute accent typed as an apostrophe into
a space and a combining mark."""


def clean_name(text: str) -> str:
    """The name as shown, with lookalike characters unified (NFKC).

    Raises `LastSpikeError` if no letter, digit or symbol is left, or the name is too long.
    """
    name = _settled(text, "NFKC", joiners="")
    if not any(category(c)[0] in "LNS" for c in name):
        raise LastSpikeError("a name needs at least one letter, digit or symbol")
    if len(name) > MOST_IN_NAME:
        raise LastSpikeError("a name can have at most {most} characters", most=MOST_IN_NAME)
    return name


def clean_chat(text: str) -> str:
    """The message as shown. Raises `LastSpikeError` if it is empty or too long.

    Joiners between visible characters stay: some languages and many emoji need them.
    """
    line = _settled(text, "NFC", joiners=_JOINERS)
    if not line:
        raise LastSpikeError("this message has no visible text")
    if len(line) > MOST_IN_CHAT:
        raise LastSpikeError("a message can have at most {most} characters", most=MOST_IN_CHAT)
    return line


def _settled(text: str, form: Literal["NFC", "NFKC"], joiners: str) -> str:
    """Clean until nothing changes: a removal can bring two characters together."""
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
    """Drop marks beyond `MOST_MARKS` in a row, joiners ignored, and marks without a base letter."""
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
