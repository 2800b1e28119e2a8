"""A leash for programs that may not want to end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from .helpers import SOON, Leash


@pytest.fixture
def leash(tmp_path: Path) -> Iterator[Leash]:
    """Also sees to it that no thread is left; one may still be about to end."""
    before = set(threading.enumerate())
    made = Leash(tmp_path)
    yield made
    made.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(SOON)
        assert not thread.is_alive()
