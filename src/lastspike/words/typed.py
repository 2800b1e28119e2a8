"""The words that a player can type, in the player's language beside the English ones."""

from __future__ import annotations

import re
from functools import cache
from unicodedata import combining, normalize

from .language import Words, words_for


@cache
def typed_words(language: str) -> dict[str, tuple[str, ...]]:
    """By the English word for it: what can be typed in this language. The first is the one that
    messages show."""
    say_as = words_for(language).say_as
    words = {
        "hand": say_as("typed", "hand"),
        "route": say_as("typed", "route"),
        "routes": say_as("typed", "routes"),
        "city": say_as("typed", "city"),
        "cities": say_as("typed", "cities"),
        "player": say_as("typed", "player"),
        "players": say_as("typed", "players"),
        "since": say_as("typed", "since"),
        "spike": say_as("typed", "spike"),
        "board": say_as("typed", "board"),
        "hint": say_as("typed", "hint"),
        "back": say_as("typed", "back, b"),
        "help": say_as("typed", "help, h"),
        "quit": say_as("typed", "quit, exit, q"),
        "yes": say_as("typed", "yes, y"),
        "no": say_as("typed", "no, n"),
        "new": say_as("typed", "new"),
        "pass": say_as("typed", "pass, none"),
        "end": say_as("typed", "end"),
        "turn": say_as("typed", "turn"),
    }
    return {english: tuple(re.split("[,、] ?", text)) for english, text in words.items()}


def shown_word(english: str, words: Words) -> str:
    """The word to type, as messages show it."""
    return typed_words(words.language)[english][0]


def in_english(text: str, words: Words) -> str:
    """The text with its first word in English, if it is one of these words. Case and accents do
    not matter."""
    first, space, rest = text.partition(" ")
    english = _meanings(words.language).get(folded(first))
    return text if english is None else f"{english}{space}{rest}"


def folded(word: str) -> str:
    """The word without case and accents."""
    letters = normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not combining(letter))


@cache
def _meanings(language: str) -> dict[str, str]:
    return {
        folded(word): english
        for known in ("en", language)
        for english, words in typed_words(known).items()
        for word in words
    }
