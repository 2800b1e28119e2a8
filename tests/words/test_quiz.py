"""A quiz on the rules: in every language, the clause named has what each answer needs.

`tests/browser/test_rules.py` asks the same of the page, with the figures filled in.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastspike.languages import LANGUAGES

from .test_rulebook import PLACE, rules

QUIZ: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("quiz.json").read_text(encoding="utf-8")
)


def test_there_are_twenty_questions() -> None:
    assert len(QUIZ) == 20
    assert len({each["question"] for each in QUIZ}) == 20
    assert all(each["answer"] for each in QUIZ)


@pytest.mark.parametrize("asked", QUIZ, ids=[each["question"] for each in QUIZ])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_have_the_answer(language: str, asked: dict[str, Any]) -> None:
    (rule,) = [rule for rule in rules(language) if rule["id"] == asked["clause"]]
    told = "\n".join([*rule["text"], rule.get("example", "")])
    assert set(asked.get("facts", ())) <= set(PLACE.findall(told))
    assert [words for words in asked["words"][language] if words not in told] == []
