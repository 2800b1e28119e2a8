"""The languages of the game: the one list that every other place takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

Language = Literal["en", "fr", "pt", "pt-BR", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_TAGS: dict[Language, str] = {"pt": "pt-PT"}
"""Languages whose code says less than their tag: `pt` is Portuguese as Europe writes it."""
_BY_TAG: dict[str, Language] = {language.lower(): language for language in LANGUAGES}


def tag_of(language: str) -> str:
    """The BCP 47 tag of a language, for browsers, screen readers and Babel."""
    return next((tag for code, tag in _TAGS.items() if code == language), language)


def best_language(wanted: Iterable[str]) -> Language | None:
    """The first of the wanted tags that we have: itself, or the language without its region.

    `pt-BR` gets Brazilian Portuguese, `pt`, `pt-PT` and `pt-AO` European Portuguese.
    """
    for tag in wanted:
        parts = tag.lower().split("-")
        while parts:
            if known := _BY_TAG.get("-".join(parts)):
                return known
            parts.pop()
    return None
