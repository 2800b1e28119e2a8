"""The warm process that runs the rules' tests inside a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .inner import InnerTests


@pytest.fixture(scope="session")
def inner() -> Iterator[InnerTests]:
    tests = InnerTests()
    yield tests
    tests.close()
