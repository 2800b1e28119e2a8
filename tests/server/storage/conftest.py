"""An open storage on each kind of database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from lastspike.server.storage import Storage


@pytest.fixture
async def storage(database_url: str) -> AsyncIterator[Storage]:
    storage = Storage(database_url, "worker-1")
    await storage.open()
    yield storage
    await storage.close()


@pytest.fixture
async def other(database_url: str, storage: Storage) -> AsyncIterator[Storage]:
    """Another worker's storage on the same database."""
    other = Storage(database_url, "worker-2")
    await other.open()
    yield other
    await other.close()
