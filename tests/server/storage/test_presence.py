"""Which workers live, and who is there."""

from __future__ import annotations

import asyncio

import pytest

from lastspike.server.storage import Index, Storage

from .examples import TABLE, new_table

pytestmark = pytest.mark.anyio


async def test_workers_live_as_long_as_they_beat(storage: Storage, other: Storage) -> None:
    assert await storage.last_beat() is None
    await storage.beat(100)
    await other.beat(150)
    await storage.beat(120)
    assert await storage.workers(120) == ["worker-1", "worker-2"]
    assert await storage.workers(121) == ["worker-2"]
    assert await storage.last_beat() == 150
    await other.forget_workers(121)
    assert await storage.workers(0) == ["worker-2"]


async def test_a_member_is_away_after_their_last_connection(
    storage: Storage, other: Storage
) -> None:
    await _table_with(storage, "ann", "bob")
    assert await storage.presence(TABLE, 0) == ({"ann": 1001, "bob": 1001}, 0)
    await storage.connected("c1", TABLE, "ann")
    await other.connected("c2", TABLE, "ann")
    await other.connected("c3", TABLE, "dan")
    await other.connected("c4", TABLE, None)
    assert await storage.presence(TABLE, 0) == ({"ann": None, "bob": 1001}, 2)
    await storage.disconnected("c1", 2000)
    assert await storage.presence(TABLE, 0) == ({"ann": None, "bob": 1001}, 2)
    await other.disconnected("c2", 3000)
    await other.disconnected("c3", 3000)
    await other.disconnected("c4", 3000)
    await other.disconnected("c4", 3000)
    assert await storage.presence(TABLE, 0) == ({"ann": 3000, "bob": 1001}, 0)
    await storage.connected("c5", TABLE, "ann")
    assert await storage.presence(TABLE, 0) == ({"ann": None, "bob": 1001}, 0)


async def test_a_connection_elsewhere_does_not_count(storage: Storage, other: Storage) -> None:
    await _table_with(storage, "ann")
    await new_table(storage, "another", index=Index(joined=("ann",)))
    await storage.connected("c1", "another", "ann")
    assert await storage.presence(TABLE, 0) == ({"ann": 1001}, 0)


async def test_who_was_connected_through_a_dead_worker_is_away_since_it_died(
    storage: Storage, other: Storage
) -> None:
    await _table_with(storage, "ann", "bob")
    await other.connected("c1", TABLE, "ann")
    await other.connected("c2", TABLE, "bob")
    await other.connected("c3", TABLE, None)
    await storage.connected("c4", TABLE, "bob")
    await other.beat(500)
    await storage.beat(900)
    assert await storage.presence(TABLE, 600) == ({"ann": 500, "bob": None}, 0)
    await storage.forget_workers(600)
    assert await storage.presence(TABLE, 0) == ({"ann": 500, "bob": None}, 0)
    await other.beat(950)
    assert await storage.presence(TABLE, 0) == ({"ann": 500, "bob": None}, 0)


async def test_the_last_of_connections_that_end_at_the_same_moment_is_noticed(
    storage: Storage, other: Storage
) -> None:
    await _table_with(storage, "ann")
    for number in range(10):
        await asyncio.gather(
            storage.connected(f"a{number}", TABLE, "ann"),
            other.connected(f"b{number}", TABLE, "ann"),
        )
        assert (await storage.presence(TABLE, 0))[0] == {"ann": None}
        await asyncio.gather(
            storage.disconnected(f"a{number}", 2000 + number),
            other.disconnected(f"b{number}", 2000 + number),
        )
        assert (await storage.presence(TABLE, 0))[0] == {"ann": 2000 + number}


async def _table_with(storage: Storage, *members: str) -> None:
    await new_table(storage, index=Index(joined=members))
    for worker in ("worker-1", "worker-2"):
        storage.worker_id = worker
        await storage.beat(1)
    storage.worker_id = "worker-1"
