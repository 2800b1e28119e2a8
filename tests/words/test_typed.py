"""The words that players type: understood in every language, and each with one meaning."""

from __future__ import annotations

from itertools import chain

import pytest

from lastspike.languages import LANGUAGES
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.words.language import words_for
from lastspike.words.names import level_names
from lastspike.words.typed import folded, in_english, shown_word, typed_words


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
