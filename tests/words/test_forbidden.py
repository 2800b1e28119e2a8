"""One word for each thing, in everything the game says: no message has another one."""

from __future__ import annotations

import pytest

from lastspike.languages import LANGUAGES, Language

from .forbidden import FORBIDDEN, faults
from .test_rulebook import book, texts
from .update import PLURALS, messages, read


def said(language: Language) -> list[tuple[str, str]]:
    """Everything the game says in a language, lessons included, and the file it is in."""
    found = [(f"web/rules/{language}.json", text) for text in texts(book(language))]
    if language not in PLURALS:
        return found + [
            (files[0], text) for message, files in messages().items() for text in message.texts
        ]
    for message in read(language):
        if message.id and message.string:
            forms = [message.string] if isinstance(message.string, str) else message.string
            found += [(f"catalogues/{language}.po", form) for form in forms]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_uses_another_word_for_a_thing(language: Language) -> None:
    found = [
        f"{file}: {text!r} has {fault}"
        for file, text in said(language)
        for fault in faults(language, text)
    ]
    assert not found, "\n" + "\n".join(found)


def test_every_language_has_its_list() -> None:
    assert set(FORBIDDEN) == set(LANGUAGES)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Lay the tile anew"),
        ("en", "It wins 19 % of the time"),
        ("en", "it's over"),
        ("fr", "Le siège 2"),
        ("fr", "95 % des parties"),
        ("fr", "La route {route} est terminée."),
        ("pt", "Passe o aparelho"),
        ("pt-BR", "O último troço"),
        ("pt-BR", "Ada está a pensar"),
        ("ja", "手札を見る"),
    ],
)
def test_a_forbidden_word_is_found(language: Language, text: str) -> None:
    assert faults(language, text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A dearth of tiles"),
        ("en", "Wins, in %"),
        ("fr", "Victoires, en\u00a0%"),
        ("pt-BR", "Embaralhar as peças"),
        ("ja", "勝率は95%です。"),
        ("ja", "ラスト・スパイクを打ち込む"),
    ],
)
def test_a_word_that_only_looks_alike_is_left_alone(language: Language, text: str) -> None:
    assert not faults(language, text)
