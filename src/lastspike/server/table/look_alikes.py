"""Names that look alike: "Ilya" and "lIya", "Bob" and "B0b", or one with a Cyrillic letter.

Unicode's list of confusable characters (UTS #39) maps each character to a simpler one that looks
the same. Two names look alike if they are the same after that, or if they differ only in case.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from unicodedata import normalize

_LEFT_TO_RIGHT = "\u200e"
"""Encloses right-to-left characters in the list."""
_INVISIBLE = frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Variation selectors; `text.py` has removed all other invisible characters."""


def unique_name(name: str, taken: Iterable[str | None]) -> str:
    """The name, with a number appended if a taken name looks like it."""
    others = {look for other in taken if other for look in _looks(other)}
    unique, number = name, 2
    while not others.isdisjoint(_looks(unique)):
        unique, number = f"{name} {number}", number + 1
    return unique


@lru_cache(4096)
def _looks(name: str) -> frozenset[str]:
    alike = _skeleton(name)
    return frozenset({alike, _skeleton(alike.casefold()), _skeleton(name.casefold())})


def _skeleton(name: str) -> str:
    simpler = _simpler()
    shown = "".join(c for c in normalize("NFD", name) if c not in _INVISIBLE)
    return normalize("NFD", "".join(simpler.get(c, c) for c in shown))


@cache
def _simpler() -> dict[str, str]:
    """By character, what it looks like. The package lists each pair in both directions: a simple
    character with everything that looks like it, and each of these with the simple one alone."""
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    listed = {
        found.strip(_LEFT_TO_RIGHT): [other["c"].strip(_LEFT_TO_RIGHT) for other in others]
        for found, others in json.loads(text).items()
    }
    simpler = {}
    for found, others in listed.items():
        if len(found) == len(others) == 1 and (
            len(listed.get(others[0], ())) > 1 or others[0] < found
        ):
            simpler[found] = others[0]
    return simpler
