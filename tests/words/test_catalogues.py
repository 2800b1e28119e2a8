"""The catalogues: every message of the code, nothing else, and every place filled alike."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from string import Formatter

import pytest
from babel.messages.catalog import Message as Entry

from lastspike.cli.app import built
from lastspike.cli.translation import help_messages

from .update import (
    CATALOGUES,
    PLACES,
    PLURALS,
    SOURCE,
    Message,
    messages,
    read,
    translated,
    updated,
)

LANGUAGES = sorted(PLURALS)
PASSED_ON = {"error.template"}
"""Expressions that hand on a message which is written out somewhere else."""

TYPED = {
    "Buy land in which city": ("?",),
    "Lay which tile": ("?",),
    "Sell which card": ("?",),
    "The game is saved after": ("?",),
    "you’ve already laid your tile": ("pass",),
    "{path}: this game is over": ("lastspike replay",),
}
"""How messages begin that name something to type as it is, and what. Words that each language has
its own for are in `words/typed.py`."""


def _all(language: str) -> list[Entry]:
    return [message for message in read(language) if message.id]


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def _places(text: str) -> Counter[str]:
    parsed = list(Formatter().parse(text))
    assert not any(spec or conversion for _, _, spec, conversion in parsed), text
    return Counter(name for _, name, _, _ in parsed if name is not None)


def test_every_language_but_english_has_a_catalogue() -> None:
    assert sorted(path.stem for path in CATALOGUES.glob("*.po")) == LANGUAGES


def test_extraction_misses_no_call() -> None:
    """Babel reads tokens; the syntax tree is asked whether it has found every message."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", None))
            places = PLACES.get(name or "", ())
            if not places or len(call.args) <= places[-1]:
                continue
            given = [call.args[place] for place in places]
            texts = [
                part.value
                for part in given
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
            if len(texts) == len(places):
                found.add(
                    Message((texts[1],), texts[0]) if name == "say_as" else Message(tuple(texts))
                )
            elif "Error" in str(name) or "Move" in str(name):
                assert all(ast.unparse(part) in PASSED_ON for part in given), ast.unparse(call)
    of_python = {
        message
        for message, files in messages().items()
        if any(name.endswith(".py") for name in files)
    }
    in_help = {Message((text,)) for text, _ in help_messages(built())}
    assert (found | in_help) - {Message(("",))} == of_python


def test_the_page_says_nothing_but_literals() -> None:
    """What is put together can't be translated; only `say` itself hands a message on."""
    for path in SOURCE.rglob("*.js"):
        text = path.read_text("utf-8")
        calls = re.findall(r"(?<![\w.])(?:say|sayAs|count)\((?!\s*\")[^)]*", text)
        own = [call for call in calls if path.name != "words.js"]
        assert not own, path.name


@pytest.mark.parametrize("language", LANGUAGES)
class TestCatalogue:
    def test_it_has_every_message_and_no_other(self, language: str) -> None:
        found = {Message(_forms(message.id), message.context) for message in _all(language)}
        assert found == set(messages())

    def test_it_is_as_the_update_writes_it(self, language: str) -> None:
        text = (CATALOGUES / f"{language}.po").read_text("utf-8")
        assert updated(language, read(language)) == text, "run python -m tests.words.update"

    def test_every_message_is_translated_and_none_fuzzy(self, language: str) -> None:
        for message in _all(language):
            assert translated(message.string), message.id
            assert not message.fuzzy, message.id
        assert not read(language).obsolete

    def test_plural_forms_are_all_there(self, language: str) -> None:
        forms = {"fr": 2, "pt": 2, "pt-BR": 2, "ja": 1}[language]
        for message in _all(language):
            if message.pluralizable:
                assert len(_forms(message.string)) == forms, message.id

    def test_places_to_fill_are_the_same(self, language: str) -> None:
        for message in _all(language):
            wanted = _places(_forms(message.id)[-1])
            for form in (*_forms(message.id), *_forms(message.string)):
                assert _places(form) == wanted, form

    def test_spaces_at_the_ends_are_the_same(self, language: str) -> None:
        for message in _all(language):
            english = _forms(message.id)[0]
            before = len(english) - len(english.lstrip())
            after = len(english) - len(english.rstrip())
            for form in _forms(message.string):
                assert form == " " * before + form.strip() + " " * after, form

    def test_what_is_typed_stays_as_it_is(self, language: str) -> None:
        for message in _all(language):
            english, *_ = _forms(message.id)
            for begin, typed in TYPED.items():
                if english.startswith(begin):
                    (form,) = _forms(message.string)
                    assert all(command in form for command in typed), form

    def test_what_is_said_to_be_typed_still_is(self, language: str) -> None:
        known = [_forms(message.id)[0] for message in _all(language)]
        assert all(any(english.startswith(begin) for english in known) for begin in TYPED)


def test_french_spaces_before_its_signs_do_not_break() -> None:
    for message in _all("fr"):
        for form in map(_without_addresses, _forms(message.string)):
            for place, sign in enumerate(form):
                typed = sign == "?" and form[place - 1] in " ("
                if sign in ";!?" and not typed:
                    assert form[place - 1] == "\u202f", form
                if sign == ":":
                    assert form[place - 1] == "\u00a0", form


def test_japanese_uses_its_own_signs_and_no_spaces() -> None:
    for message in _all("ja"):
        for form in map(_without_addresses, _forms(message.string)):
            for place, sign in enumerate(form[:-1]):
                if sign == " ":
                    around = form[place - 1] + form[place + 1]
                    assert around.isascii(), form
            assert not set(form) & set(",;:!()"), form


def _without_addresses(form: str) -> str:
    """What is typed is written the same in every language: addresses, clerk,surveyor, HOST:PORT."""
    return re.sub(r"\S*://\S*|(?<=\w)[,:](?=\w)", "", form, flags=re.ASCII)
