"""Every clause of the rules has a test that is named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CLAUSES = {"S": 3, "T": 6, "L": 7, "F": 5, "P": 2, "B": 3, "K": 2, "E": 3}
"""How many clauses each part of the rules has."""

NAMES = re.compile(r"^def test_([A-Z]\d)_", re.MULTILINE)


@pytest.mark.parametrize(
    "clause", [f"{part}{n}" for part, count in CLAUSES.items() for n in range(1, count + 1)]
)
def test_clause_has_a_test_of_its_own(clause: str) -> None:
    assert clause in _tested()


def test_no_test_names_a_clause_that_is_none() -> None:
    assert all(1 <= int(clause[1]) <= CLAUSES.get(clause[0], 0) for clause in _tested())


def _tested() -> set[str]:
    files = Path(__file__).parent.glob("test_*.py")
    return {clause for file in files for clause in NAMES.findall(file.read_text("utf-8"))}
