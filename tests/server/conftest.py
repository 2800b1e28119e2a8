"""The databases and servers that every test of the server may ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
