"""Broken on purpose, the server, the page, the bots and the commands fail their tests.

Trying all breaks takes many minutes, so `make soak` does it. Every run tries two of them, so that
the way of trying is itself tested, and checks that no break is stale.
"""

from __future__ import annotations

import ast
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from .break_type import Area, Break
from .breaks import BREAKS
from .running import PACKAGE, PROJECT, copy_of_the_program, run_tests

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"
LEAST: dict[Area, int] = {"server": 14, "page": 6, "bots": 6, "cli": 4, "lab": 3}
SAMPLE = [
    each
    for each in BREAKS
    if each.name in ("players-are-told-what-others-draw", "half-a-turn-passes-for-a-whole-one")
]
"""Two that are noticed at once."""
LIST = PROJECT / "docs" / "tests-breaks.md"

slow = pytest.mark.skipif(not SOAK, reason="all breaks take many minutes: make soak")


def name_of(each: Break) -> str:
    return each.name


def test_there_are_enough_breaks_and_each_has_its_name() -> None:
    assert len(BREAKS) >= 30
    assert len({each.name for each in BREAKS}) == len(BREAKS)
    assert len(SAMPLE) == 2


def test_every_area_has_its_share() -> None:
    found = Counter(each.area for each in BREAKS)
    assert {area: found[area] >= least for area, least in LEAST.items()} == dict.fromkeys(
        LEAST, True
    )


@pytest.mark.parametrize("broken", BREAKS, ids=name_of)
def test_break_is_not_stale(broken: Break) -> None:
    assert (PACKAGE / broken.file).read_text("utf-8").count(broken.old) == 1
    assert broken.old != broken.new
    assert broken.tests
    for test in broken.tests:
        file, _, name = test.partition("[")[0].partition("::")
        assert name in names_in(PROJECT / file), test


def test_the_list_names_every_break() -> None:
    rows = [line.split(" | ") for line in LIST.read_text("utf-8").splitlines() if " | " in line]
    listed = {row[0].removeprefix("| "): row[1:3] for row in rows[2:]}
    assert listed == {each.name: [each.area, f"`{each.file}`"] for each in BREAKS}


def test_a_sample_passes_unbroken(tmp_path: Path) -> None:
    passes_unbroken(SAMPLE, tmp_path)


@pytest.mark.parametrize("broken", SAMPLE, ids=name_of)
def test_a_sample_is_noticed(broken: Break, tmp_path: Path) -> None:
    is_noticed(broken, tmp_path)


@pytest.mark.soak
@slow
def test_all_pass_unbroken(tmp_path: Path) -> None:
    passes_unbroken(BREAKS, tmp_path)


@pytest.mark.soak
@slow
@pytest.mark.parametrize("broken", BREAKS, ids=name_of)
def test_break_is_noticed(broken: Break, tmp_path: Path) -> None:
    is_noticed(broken, tmp_path)


def passes_unbroken(breaks: list[Break], folder: Path) -> None:
    tests = sorted({test for each in breaks for test in each.tests})
    run = run_tests(copy_of_the_program(folder), tests)
    assert run.all_passed, run.output


def is_noticed(broken: Break, folder: Path) -> None:
    run = run_tests(copy_of_the_program(folder, broken), broken.tests)
    assert run.noticed, run.output


@cache
def names_in(file: Path) -> frozenset[str]:
    """The tests of a file as pytest names them, those in classes with the class."""
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        found |= {
            before + each.name
            for each in inside
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        }
    return frozenset(found)
