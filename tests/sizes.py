"""The two sizes of the tests: `make test` has the small one, `make soak` the full one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

Test = TypeVar("Test", bound=Callable[..., Any])

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"

FULL_SIZE = (
    pytest.mark.soak,
    pytest.mark.skipif(not SOAK, reason="at full size only: make soak"),
)
"""The marks of a test that only the soak runs."""


def in_soak(*values: object) -> ParameterSet:
    """These values of a parametrized test, tried at full size only."""
    return pytest.param(*values, marks=FULL_SIZE)


def full_size(test: Test) -> Test:
    """A test that only the soak runs."""
    for mark in FULL_SIZE:
        test = mark(test)
    return test
