"""A server for every test of the client that needs no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.running import RunningServer, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One for all tests, which make tables of their own and never stop it."""
    file = tmp_path_factory.mktemp("client") / "lastspike.sqlite"
    with running_server(f"sqlite+aiosqlite:///{file}") as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RunningServer]:
    """One that a test may kill."""
    with running_server(f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}") as running:
        yield running
