"""The small tests reach at least 98 % of the branches of the rules, and none is left out."""

from __future__ import annotations

from pathlib import Path

from .inner import PACKAGE, InnerTests
from .mutants import MUTANTS

LARGE = {"properties", "fuzz", "mutants", "coverage"}
"""Tests that would reach most branches by luck, or would start this one again."""
NAMES = {file.stem.removeprefix("test_") for file in Path(__file__).parent.glob("test_*.py")}


def test_small_tests_pass_and_reach_98_percent_of_the_branches(
    inner: InnerTests, tmp_path: Path
) -> None:
    """The same tests that notice the mutants pass here, run in the same way: with a module of the
    rules from a source of ours, which is not broken."""
    small = NAMES - LARGE
    # The properties take long, and run on the unbroken rules anyway.
    assert {mutant.tests for mutant in MUTANTS} <= small | {"properties"}
    measured = ("--cov=lastspike.rules", "--cov-branch", "--cov-fail-under=98")
    file = f"rules/{MUTANTS[0].file}"
    run = inner.run(
        *sorted(small),
        options=measured,
        broken=(file, (PACKAGE / file).read_text("utf-8")),
        env={"COVERAGE_FILE": str(tmp_path / ".coverage")},
    )
    assert run.code == 0, run.output


def test_no_line_is_left_out_of_the_count() -> None:
    for file in (PACKAGE / "rules").glob("**/*.py"):
        assert "pragma: no" not in file.read_text("utf-8"), file.name
