"""The rules in words: every language tells the same rules, all of them, and no figure itself."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from lastspike.languages import LANGUAGES

from .update import SOURCE

WEB = SOURCE / "lastspike" / "web"
CLAUSES = (SOURCE.parent / "docs" / "rules.md").read_text("utf-8")

REFERENCE = re.compile(r"\[(?:[^\]|]+\|)?(\w+)\]")
PLACE = re.compile(r"\{(\w+)\}")


@cache
def book(language: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((WEB / "rules" / f"{language}.json").read_text("utf-8"))
    return content


def rules(language: str) -> list[dict[str, Any]]:
    return [rule for section in book(language)["sections"] for rule in section["rules"]]


def texts(value: Any) -> list[str]:
    """Every text of a rulebook, in order, but for ids and names of figures."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [
            text
            for key, part in value.items()
            if key not in ("id", "figure")
            for text in texts(part)
        ]
    return [text for part in value for text in texts(part)] if isinstance(value, list) else []


def shape(value: Any, key: str = "") -> Any:
    """What must be the same in all languages: keys, ids, figures, places, references, bold."""
    if isinstance(value, dict):
        return {name: shape(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value]
    if key in ("id", "figure") or not isinstance(value, str):
        return value
    return (Counter(PLACE.findall(value)), Counter(REFERENCE.findall(value)), value.count("**"))


def test_every_language_has_a_rulebook_and_there_is_no_other() -> None:
    assert {path.stem for path in (WEB / "rules").iterdir()} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
class TestRulebook:
    def test_it_is_built_like_the_english_one(self, language: str) -> None:
        assert shape(book(language)) == shape(book("en"))

    def test_it_has_every_clause_in_order(self, language: str) -> None:
        clauses = re.findall(r"^- \*\*([A-Z]\d)\*\*", CLAUSES, re.MULTILINE)
        told = [rule["id"] for rule in rules(language) if re.fullmatch(r"[A-Z]\d", rule["id"])]
        assert told == clauses

    def test_its_references_lead_somewhere(self, language: str) -> None:
        known = {rule["id"] for rule in rules(language)}
        named = {name for text in texts(book(language)) for name in REFERENCE.findall(text)}
        assert named <= known

    def test_no_figure_of_an_edition_is_written_out(self, language: str) -> None:
        for text in texts(book(language)):
            bare = PLACE.sub("", text)
            assert not re.search(r"[$€]|\d[\d.,\s]*\s*(k|千|万)?(ドル|dollar|dólar)", bare), text
            bare = re.sub(r"\b[A-Z]\d\b", "", REFERENCE.sub("", bare), flags=re.ASCII)
            # Japanese counts with figures where the others have words; none is longer than one.
            most = 1 if language == "ja" else 0
            assert all(len(digits) <= most for digits in re.findall(r"\d+", bare)), text

    def test_nothing_is_said_twice_or_left_empty(self, language: str) -> None:
        told = [text for rule in rules(language) for text in (*rule["text"], rule["title"])]
        assert all(text == text.strip() and text for text in told)
        assert len(told) == len(set(told))


def test_refused_moves_name_rules_that_are_told() -> None:
    known = {rule["id"] for rule in rules("en")}
    named = {
        rule
        for path in SOURCE.rglob("*.py")
        for rule in re.findall(r'(?:Illegal|Unknown)Move\(\s*"(\w+)"', path.read_text("utf-8"))
    }
    assert len(named) > 8
    assert named <= known


def test_the_page_fills_every_place_and_draws_every_figure() -> None:
    module = (WEB / "js" / "rules" / "rulebook.js").read_text("utf-8")
    facts = set(
        re.findall(r"^    (\w+): ", module[module.index("function factsOf") :], re.MULTILINE)
    )
    used = {name for text in texts(book("en")) for name in PLACE.findall(text)}
    assert used == facts | {"number"}  # of a space, which its table fills in
    drawing = (WEB / "js" / "rules" / "illustrations.js").read_text("utf-8")
    (drawn,) = re.findall(r"const FIGURES = \{ (.+) \}", drawing)
    assert {rule["figure"] for rule in rules("en") if "figure" in rule} == set(drawn.split(", "))
    said = set(re.findall(r"labels\.(\w+)", drawing)) | {"laid", "plain", "double", "example"}
    endings = {"worked", "instead", "open_worked", "open_instead"}
    assert set(book("en")["labels"]) == said | endings | {"taken", "next", "later"}


def test_french_spaces_before_its_signs_do_not_break() -> None:
    for text in texts(book("fr")):
        for place, sign in enumerate(text):
            if sign in ";!?":
                assert text[place - 1] == "\u202f", text
            if sign == ":":
                assert text[place - 1] == "\u00a0", text


def test_japanese_uses_its_own_signs() -> None:
    for text in texts(book("ja")):
        assert not set(PLACE.sub("", text)) & set(",;:!()?"), text
        # Inside a paragraph, a full-width space follows.
        assert not re.search(r"[\uff1f\uff01](?![\u3000\u300d\uff09]|$)", text), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_curly(language: str) -> None:
    assert not [text for text in texts(book(language)) if "'" in text or '"' in text]
