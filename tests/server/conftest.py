"""The databases and servers that every test of the server may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sizes import FULL_SIZE

from .company import SharedServers
from .databases import (
    PostgresServer,
    bare_database_url,
    bare_postgres_url,
    database_url,
    own_postgres_server,
    own_postgres_url,
    postgres_server,
    postgres_url,
    sqlite_url,
)

# Its assertions say what they found, as those of tests do.
pytest.register_assert_rewrite("tests.server.players")

HERE = Path(__file__).parent

__all__ = [
    "bare_database_url",
    "bare_postgres_url",
    "database_url",
    "own_postgres_server",
    "own_postgres_url",
    "postgres_server",
    "postgres_url",
    "sqlite_url",
]


@pytest.fixture(scope="session")
def shared_servers(
    request: pytest.FixtureRequest, postgres_server: PostgresServer
) -> Iterator[SharedServers]:
    """PostgreSQL is asked for first, so that it outlives the servers that use it."""
    del postgres_server
    servers = SharedServers(request)
    yield servers
    servers.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


ABOVE_STORAGE = ("alerts", "http", "live", "people", "records")
"""Rooms that know only `Storage`, whatever the database. In `make test` their tests use SQLite, and
in the soak PostgreSQL as well."""
ON_POSTGRES_TOO = ("test_games.py", "test_two_workers.py")
"""Files there that always use PostgreSQL: whole games, and several workers."""


@pytest.hookimpl(tryfirst=True)  # before `-m soak` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        call = getattr(item, "callspec", None)
        if (
            call is not None
            and "postgres" in call.params.values()
            and item.path.parent.name in ABOVE_STORAGE
            and item.path.parent.parent == HERE
            and item.path.name not in ON_POSTGRES_TOO
        ):
            for mark in FULL_SIZE:
                item.add_marker(mark)
