"""The languages of the game: the one list that every other place takes."""

from __future__ import annotations

from typing import Literal, get_args

Language = Literal["en", "fr", "pt", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
