"""A table in memory: how many may watch, and what those are told who come while others play."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lastspike.server.live.connection import Connection
from lastspike.server.live.registry import TableRegistry
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_append
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from tests.server.paper import HOST, Paper

pytestmark = pytest.mark.anyio


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    storage = Storage(f"sqlite:///{tmp_path / 'spike.db'}")
    await storage.open()
    yield storage
    await storage.close()


@pytest.fixture
async def table(storage: Storage) -> LiveTable:
    """With a free seat."""
    paper = Paper()
    [first] = [to_append(paper.state.id, step) for step in paper.log]
    await storage.logs.create_table(first, listed=False)
    return await TableRegistry(storage).table(paper.state.id)


class Viewer:
    """Somebody who comes, and all that they are told."""

    def __init__(self, name: str, person: str | None = None) -> None:
        self.told: list[dict[str, Any]] = []
        self.connection = Connection(name, person, "", "en", self._hear)

    async def _hear(self, text: str) -> None:
        self.told.append(json.loads(text))

    @property
    def numbers(self) -> list[int]:
        return [step["number"] for message in self.told for step in message["steps"]]


class Paused:
    """Reading logs waits until `go` is set."""

    def __init__(self, storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go = asyncio.Event()
        self.asked = asyncio.Event()
        self._read = storage.logs.read
        monkeypatch.setattr(storage.logs, "read", self._slowly)

    async def _slowly(self, table_id: str, after: int = 0) -> AsyncIterator[list[e.Step]]:
        self.asked.set()
        await self.go.wait()
        async for steps in self._read(table_id, after):
            yield steps


def said(person: str, text: str) -> Any:
    return partial(commands.say, person=person, name=person, text=text)


async def test_nobody_races_past_the_limit_of_spectators(table: LiveTable) -> None:
    def come(number: int, person: str | None = None) -> Connection:
        return Viewer(f"{number}", person).connection

    coming = [come(number) for number in range(20)]
    let_in = await asyncio.gather(*(table.connect(each, None, "", 3) for each in coming))
    assert sum(let_in) == len(table.connections) == 3
    assert await table.connect(come(20, HOST), None, "", 3)  # who has a seat always comes in
    table.disconnect(coming[let_in.index(True)])
    assert await table.connect(come(21), None, "", 3)


async def test_a_step_of_another_worker_is_told_once(storage: Storage, table: LiveTable) -> None:
    """It is stored already when somebody comes, and its news are not here yet."""
    await table.act(said(HOST, "hello"))
    other = e.Step(table.state.number + 1, 1, (e.Said("players", HOST, "Host", "again", 0),))
    assert await storage.logs.append(to_append(table.state.id, other, None))
    viewer = Viewer("late")
    assert await table.connect(viewer.connection, None, "")
    await table.catch_up(other.number)
    await viewer.connection.drained()
    assert viewer.numbers == [1, 2, 3]


async def test_nobody_waits_for_a_long_log_that_somebody_is_told(
    storage: Storage, table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused = Paused(storage, monkeypatch)
    viewer = Viewer("late")
    coming = asyncio.create_task(table.connect(viewer.connection, None, ""))
    await paused.asked.wait()
    async with asyncio.timeout(10):
        assert await table.act(said(HOST, "hello"))
    assert table.busy
    paused.go.set()
    assert await coming
    await table.act(said(HOST, "again"))
    await viewer.connection.drained()
    assert viewer.numbers == [1, 2, 3]


async def test_who_takes_a_seat_meanwhile_is_told_what_players_are(
    storage: Storage, table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.act(said("a", "among spectators"))
    paused = Paused(storage, monkeypatch)
    viewer = Viewer("late", "a")
    coming = asyncio.create_task(table.connect(viewer.connection, None, ""))
    await paused.asked.wait()
    await table.act(partial(commands.take_seat, person="a", name="A", seat=None))
    paused.go.set()
    assert await coming
    await viewer.connection.drained()
    assert viewer.told[0]["you"]["seats"] == [1]
    assert viewer.numbers == [1, 3]
