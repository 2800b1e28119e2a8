"""Which workers live, and who is there."""

from __future__ import annotations

import asyncio

import pytest

from lastspike.server.storage import Storage
from lastspike.server.storage.rows import ALIVE_MS
from lastspike.server.table.log_events import Index

from .examples import TABLE, new_table

pytestmark = pytest.mark.anyio


async def test_workers_live_as_long_as_they_beat(storage: Storage, other: Storage) -> None:
    assert await storage.presence.last_beat() is None
    await storage.presence.beat(100)
    await other.presence.beat(150)
    await storage.presence.beat(120)
    assert await storage.presence.workers(120) == ["worker-1", "worker-2"]
    assert await storage.presence.workers(121) == ["worker-2"]
    assert await storage.presence.last_beat() == 150
    await other.presence.forget_workers(121)
    assert await storage.presence.workers(0) == ["worker-2"]


async def test_a_dead_worker_does_not_live_on_when_the_clock_is_set_back(
    storage: Storage, other: Storage
) -> None:
    hour = 3_600_000
    await storage.presence.beat(2 * hour)
    await other.presence.beat(hour)
    assert await other.presence.workers(hour - ALIVE_MS) == ["worker-1", "worker-2"]
    await other.presence.beat(hour + ALIVE_MS + 1)
    assert await other.presence.workers(hour + 1) == ["worker-2"]
    await storage.presence.set_right(0)
    assert await storage.presence.last_beat() == 0


async def test_a_member_is_away_after_their_last_connection(
    storage: Storage, other: Storage
) -> None:
    await _table_with(storage, "ann", "bob")
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": 1001, "bob": 1001}, 0)
    await storage.presence.connected("c1", TABLE, "ann")
    await other.presence.connected("c2", TABLE, "ann")
    await other.presence.connected("c3", TABLE, "dan")
    await other.presence.connected("c4", TABLE, None)
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": None, "bob": 1001}, 2)
    await storage.presence.disconnected("c1", 2000)
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": None, "bob": 1001}, 2)
    await other.presence.disconnected("c2", 3000)
    await other.presence.disconnected("c3", 3000)
    await other.presence.disconnected("c4", 3000)
    await other.presence.disconnected("c4", 3000)
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": 3000, "bob": 1001}, 0)
    await storage.presence.connected("c5", TABLE, "ann")
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": None, "bob": 1001}, 0)


async def test_a_connection_elsewhere_does_not_count(storage: Storage, other: Storage) -> None:
    await _table_with(storage, "ann")
    await new_table(storage, "another", index=Index(joined=("ann",)))
    await storage.presence.connected("c1", "another", "ann")
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": 1001}, 0)


async def test_who_was_connected_through_a_dead_worker_is_away_since_it_died(
    storage: Storage, other: Storage
) -> None:
    await _table_with(storage, "ann", "bob")
    await other.presence.connected("c1", TABLE, "ann")
    await other.presence.connected("c2", TABLE, "bob")
    await other.presence.connected("c3", TABLE, None)
    await storage.presence.connected("c4", TABLE, "bob")
    await other.presence.beat(500)
    await storage.presence.beat(900)
    assert await storage.presence.at_table(TABLE, 600) == ({"ann": 500, "bob": None}, 0)
    await storage.presence.forget_workers(600)
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": 500, "bob": None}, 0)
    await other.presence.beat(950)
    assert await storage.presence.at_table(TABLE, 0) == ({"ann": 500, "bob": None}, 0)


async def test_the_last_of_connections_that_end_at_the_same_moment_is_noticed(
    storage: Storage, other: Storage
) -> None:
    await _table_with(storage, "ann")
    for number in range(10):
        await asyncio.gather(
            storage.presence.connected(f"a{number}", TABLE, "ann"),
            other.presence.connected(f"b{number}", TABLE, "ann"),
        )
        assert (await storage.presence.at_table(TABLE, 0))[0] == {"ann": None}
        await asyncio.gather(
            storage.presence.disconnected(f"a{number}", 2000 + number),
            other.presence.disconnected(f"b{number}", 2000 + number),
        )
        assert (await storage.presence.at_table(TABLE, 0))[0] == {"ann": 2000 + number}


async def _table_with(storage: Storage, *members: str) -> None:
    await new_table(storage, index=Index(joined=members))
    for worker in ("worker-1", "worker-2"):
        storage.presence._worker_id = worker
        await storage.presence.beat(1)
    storage.presence._worker_id = "worker-1"
