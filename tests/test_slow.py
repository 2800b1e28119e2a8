"""The list of slow tests names tests that are there, and CI runs them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .slow import SLOW, is_slow

HERE = Path(__file__).parent


@pytest.mark.parametrize("file", SLOW)
def test_the_slow_tests_of_a_file_are_there(file: str) -> None:
    tree = ast.parse((HERE / file).read_text("utf-8"))
    there = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name.partition("[")[0] for name in SLOW[file]} <= there


def test_a_name_stands_for_all_cases_and_a_case_for_itself() -> None:
    assert is_slow("tests/browser/test_every_screen.py::test_at_a_desk[fr]")
    assert is_slow("tests/docs/test_documentation.py::test_the_commands_of_a_page_run[arena.md]")
    assert not is_slow(
        "tests/docs/test_documentation.py::test_the_commands_of_a_page_run[batch.md]"
    )
    assert not is_slow("tests/browser/test_every_screen.py::test_at_a_desk_too")


def test_ci_runs_them() -> None:
    assert "\nmake slow\n" in (HERE.parent / ".ci" / "run").read_text("utf-8")
