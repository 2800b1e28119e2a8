"""Broken on purpose, the rules fail their tests: each mutant runs against the clause tests."""

from __future__ import annotations

import pytest

from .inner import PACKAGE, InnerTests
from .mutants import MUTANTS, Mutant

TESTS_FAILED = 1

# One worker runs all of them, so that one warm process serves all of them.


def test_there_are_enough_mutants_and_each_has_its_name() -> None:
    assert len(MUTANTS) >= 24
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_every_part_of_the_rules_has_mutants() -> None:
    assert {mutant.name[0] for mutant in MUTANTS if mutant.name[0].isupper()} == set("STLFPBKE")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_not_stale(mutant: Mutant) -> None:
    source = (PACKAGE / "rules" / mutant.file).read_text("utf-8")
    assert source.count(mutant.old) == 1


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_noticed(mutant: Mutant, inner: InnerTests) -> None:
    source = (PACKAGE / "rules" / mutant.file).read_text("utf-8")
    broken = f"rules/{mutant.file}", source.replace(mutant.old, mutant.new)
    run = inner.run(mutant.tests, broken=broken)
    # A mutant that cannot even be imported has shown nothing: the tests must run, and fail.
    assert run.code == TESTS_FAILED, run.output
