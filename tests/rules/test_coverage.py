"""The small tests reach at least 98 % of the branches of the rules, and none is left out."""

from __future__ import annotations

from pathlib import Path

import lastspike

from .inner import run_tests

PACKAGE = Path(lastspike.__file__).parent
LARGE = {"properties", "fuzz", "mutants", "coverage"}
"""Tests that would reach most branches by luck, or would start this one again."""


def test_small_tests_reach_98_percent_of_the_branches(tmp_path: Path) -> None:
    here = Path(__file__).parent.glob("test_*.py")
    names = sorted({file.stem.removeprefix("test_") for file in here} - LARGE)
    measured = ("--cov=lastspike.rules", "--cov-branch", "--cov-fail-under=98")
    where = str(tmp_path / ".coverage")
    run = run_tests(PACKAGE.parent, *names, options=measured, COVERAGE_FILE=where)
    assert run.returncode == 0, run.stdout


def test_no_line_is_left_out_of_the_count() -> None:
    for file in (PACKAGE / "rules").glob("**/*.py"):
        assert "pragma: no" not in file.read_text("utf-8"), file.name
