"""Which computer players' turns are computed how: for whom, before whom, and at what cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lastspike.bots.turn_check import fallback_player
from lastspike.protocol import Settings
from lastspike.rules.view import View
from lastspike.server.jobs.players.questions import IDLE, TURN
from lastspike.server.live.connection import Connection
from lastspike.server.live.registry import TableRegistry
from lastspike.server.live.scheduler import Scheduler
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_append, to_step
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.now import now_ms
from tests.server.paper import HOST, Paper, secret_of

pytestmark = pytest.mark.anyio


class Asked(NamedTuple):
    level: str
    who: str
    rank: int


class Pool:
    """Remembers what it was asked, and moves by chance."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    async def turn(self, level: str, view: View, *, who: str, rank: int, **_: Any) -> list[str]:
        self.asked.append(Asked(level, who, rank))
        return [move.text for move in fallback_player("seed").turn(view)]


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    storage = Storage(f"sqlite:///{tmp_path / 'spike.db'}")
    await storage.open()
    yield storage
    await storage.close()


async def played_on(
    storage: Storage, *, left: bool, watched: bool, ahead: int = 0
) -> tuple[Pool, list[e.Step]]:
    """What was asked at a table with Tycoons, until a person's turn or the end of the game. Its
    last step was made so many milliseconds ahead."""
    paper = Paper(("me", "tycoon", "tycoon"), Settings(pace=0))
    paper.now = now_ms() + ahead
    paper.start()
    while paper.state.to_move() == 0:
        paper.play(1)
    if left:
        paper.do(commands.leave, HOST, False, secret_of("new"))
    table_id = paper.state.id
    first, *others = [to_append(table_id, step) for step in paper.log]
    await storage.logs.create_table(first, listed=False)
    await asyncio.gather(*map(storage.logs.append, others))
    pool: Any = Pool()
    registry = TableRegistry(storage)
    scheduler = Scheduler(registry, storage, pool, "worker")
    table = await registry.table(table_id)
    if watched:
        table.connections["c"] = Connection("c", None, "", "en", lambda _: asyncio.sleep(0))
    registry.watch(scheduler)
    scheduler.consider(table)
    while scheduler._computing:
        await asyncio.wait([task for _, task in scheduler._computing.values()])
    await scheduler.close()
    rows = await storage.logs.steps(table_id, after=len(paper.log))
    return pool, [to_step(row) for row in rows]


async def test_where_a_person_plays_the_seats_level_plays(storage: Storage) -> None:
    pool, _ = await played_on(storage, left=False, watched=False)
    assert pool.asked
    assert set(pool.asked) == {Asked("tycoon", HOST, TURN)}


async def test_where_only_computers_play_others_come_first(storage: Storage) -> None:
    pool, _ = await played_on(storage, left=True, watched=True)
    assert set(pool.asked) == {Asked("tycoon", HOST, IDLE), Asked("surveyor", HOST, IDLE)}


async def test_where_nobody_watches_either_a_cheap_level_plays(storage: Storage) -> None:
    pool, steps = await played_on(storage, left=True, watched=False)
    assert set(pool.asked) == {Asked("surveyor", HOST, IDLE)}
    made = [event for step in steps for event in step.events if isinstance(event, e.TurnMade)]
    assert {event.level for event in made} == {"surveyor"}  # the log says who it was


async def test_computers_play_on_when_the_clock_is_set_back(storage: Storage) -> None:
    async with asyncio.timeout(30):
        pool, steps = await played_on(storage, left=False, watched=False, ahead=3_600_000)
    assert pool.asked
    assert steps
