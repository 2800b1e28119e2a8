"""Broken on purpose, the rules fail their tests: each mutant is played against the clause tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import lastspike

from .inner import run_tests
from .mutants import MUTANTS, Mutant

PACKAGE = Path(lastspike.__file__).parent
TESTS_FAILED = 1


def test_there_are_enough_mutants_and_each_has_its_name() -> None:
    assert len(MUTANTS) >= 24
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_every_part_of_the_rules_has_mutants() -> None:
    assert {mutant.name[0] for mutant in MUTANTS if mutant.name[0].isupper()} == set("STLFPBKE")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_not_stale(mutant: Mutant) -> None:
    source = (PACKAGE / "rules" / mutant.file).read_text("utf-8")
    assert source.count(mutant.old) == 1


def test_unbroken_rules_pass(tmp_path: Path) -> None:
    # Not the properties, which take their time and are run on the unbroken rules anyway.
    files = sorted({mutant.tests for mutant in MUTANTS} - {"properties"})
    run = run_tests(_copy_of_the_rules(tmp_path), *files)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_noticed(mutant: Mutant, tmp_path: Path) -> None:
    copy = _copy_of_the_rules(tmp_path)
    file = copy / "lastspike" / "rules" / mutant.file
    file.write_text(file.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
    run = run_tests(copy, mutant.tests)
    # A mutant that can't even be imported has shown nothing: the tests must run, and fail.
    assert run.returncode == TESTS_FAILED, run.stdout


def _copy_of_the_rules(where: Path) -> Path:
    for part in ("rules", "editions"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE / part, where / "lastspike" / part, ignore=ignored)
    for file in ("__init__.py", "_moved.py"):
        shutil.copy(PACKAGE / file, where / "lastspike")
    return where
