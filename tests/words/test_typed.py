"""The words that players type: understood in every language, and each with one meaning."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from lastspike.languages import LANGUAGES
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.words.language import words_for
from lastspike.words.names import level_names
from lastspike.words.typed import folded, in_english, shown_word, typed_words

from .update import PLURALS, SOURCE, messages


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_has_two_meanings(language: str) -> None:
    """English words may be typed in every language, so they count too."""
    meanings: dict[str, set[str]] = {}
    for known in {"en", language}:
        for english, words in typed_words(known).items():
            for word in words:
                meanings.setdefault(folded(word), set()).add(english)
    assert {word: found for word, found in meanings.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_a_city_a_route_or_a_move(language: str) -> None:
    """A city's name alone is a question about it, and a letter with a digit is a tile."""
    words = {folded(word) for word in chain(*typed_words(language).values())}
    for edition in map(shipped, shipped_ids()):
        for city in edition.cities:
            names = {folded(name) for name in (city.code, city.name, *city.names.values())}
            assert not words & names
        assert not words & {folded(tile) for tile in edition.tiles}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_one_that_can_be_typed(language: str) -> None:
    for word in chain(*typed_words(language).values()):
        assert word.strip() == word
        assert word.isalpha()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_understood_in_its_language_and_in_english(language: str) -> None:
    words = words_for(language)
    for english, own in typed_words(language).items():
        for word in (english, *own, *(each.upper() for each in own)):
            assert in_english(word, words) == english
            assert in_english(f"{word} V", words) == f"{english} V"


def test_accents_do_not_matter_and_other_texts_stay() -> None:
    words = words_for("pt")
    assert in_english("MAO", words) == "hand"
    assert in_english("A1 +DEN", words) == "A1 +DEN"
    assert in_english("", words) == ""
    assert shown_word("hand", words) == "mão"


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_are_told_apart_by_their_names(language: str) -> None:
    names = [folded(level.name) for level in level_names(words_for(language)).values()]
    assert len(set(names)) == len(names)


def test_the_page_knows_the_same_words() -> None:
    """But those that only the terminal asks for."""
    text = (SOURCE / "lastspike/web/js/game/questions.js").read_text("utf-8")
    found = re.findall(r'\["(\w+)", sayAs\("typed", "(.*?)"\)\]', text)
    known = {english: ", ".join(words) for english, words in typed_words("en").items()}
    only_here = {"spike", "quit", "yes", "no", "new"}
    assert dict(found) == {word: said for word, said in known.items() if word not in only_here}


@pytest.mark.parametrize("language", sorted(PLURALS))
@pytest.mark.parametrize(
    "begin", ["Moves: V3", "Type “end”", "That’s neither a move", "You can buy"]
)
def test_what_the_page_says_to_type_is_understood(language: str, begin: str) -> None:
    words = words_for(language)
    (message,) = (each for (each, *_), _ in messages() if each.startswith(begin))
    said = words.template(message)
    quoted = re.findall("[“「«]\\s*(\\w+)\\s*[”」»]", said)
    wanted = re.findall("“(\\w+)”", message)
    assert sorted(in_english(word, words) for word in quoted) == sorted(wanted), said
