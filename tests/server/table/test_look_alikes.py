"""Two names at a table never look the same."""

# ruff: noqa: RUF001, RUF003 - letters that look like others are what this is about

from __future__ import annotations

import pytest

from lastspike.server.table.look_alikes import unique_name
from lastspike.server.table.text import clean_name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ada"),
        ("Ada", "ADA"),
        ("Ada", "Аda"),  # Cyrillic А
        ("Ada", "Αda"),  # Greek Alpha
        ("АДА", "ада"),
        ("Ilya", "lIya"),
        ("Bob", "B0b"),
        ("B0B", "bob"),
        ("modern", "rnodem"),
        ("José", "Jose\u0301"),
        ("Ada", "Ada\ufe0f"),  # a variation selector
        ("Ada", "A\U000e0100da"),
        ("Ada", "A\u200dda"),
        ("Ada", "Ada\u3164"),
        ("Straße", "STRASSE"),
        ("ノ", "丿"),
        ("שלוס", "שלו\u05e1"),
    ],
)
def test_a_name_that_looks_like_another_gets_a_number(name: str, other: str) -> None:
    first, second = clean_name(name), clean_name(other)
    assert unique_name(second, {None, first}) == f"{second} 2"
    assert unique_name(first, {second}) == f"{first} 2"
    assert unique_name(second, [first, f"{first} 2"]) == f"{second} 3"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ida"),
        ("Ada", "Áda"),
        ("Otto", "Ott"),
        ("Ilya", "Lya"),
        ("さくら", "さくろ"),
        ("Ada 2", "Ada"),
        ("❤", "★"),
        ("Ромашка", "Ромашки"),
        ("m", "n"),
    ],
)
def test_names_that_differ_are_left_alone(name: str, other: str) -> None:
    assert unique_name(clean_name(other), {clean_name(name)}) == other
