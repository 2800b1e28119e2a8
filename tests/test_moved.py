"""Modules that moved can still be imported by their old names, and say where they are now."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from lastspike._moved import MOVED, new_name, renamed

OPTIONAL = ("lastspike.train.", "lastspike.research.")
"""These need libraries that come with an extra; their packages are enough."""


@pytest.mark.parametrize("old", [old for old in MOVED if not old.startswith(OPTIONAL)])
def test_an_old_name_leads_to_the_same_module(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {MOVED[old]}"):
        module = import_module(old)
    assert module is import_module(MOVED[old])
    assert module.__spec__ is not None
    assert module.__spec__.name == MOVED[old]


def test_a_module_of_a_moved_package_is_not_loaded_twice() -> None:
    code = (
        "import warnings; warnings.simplefilter('ignore');"
        "from lastspike.arena.workers import in_order as old;"
        "from lastspike.lab.arena.workers import in_order as new;"
        "assert old is new"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_present_names_are_left_alone() -> None:
    assert new_name("lastspike.rules.records.record") is None
    assert new_name("lastspike.arena.match") == "lastspike.lab.arena.match"


def test_an_old_name_in_a_module_warns_and_leads_to_the_new_one() -> None:
    find = renamed("lastspike._moved", old="new_name")
    with pytest.warns(DeprecationWarning, match="lastspike._moved.old is now new_name"):
        assert find("old") is new_name
    with pytest.raises(AttributeError, match="no attribute 'older'"):
        find("older")
