"""Clocks and a server that was down: no time runs out meanwhile, and it does so when it is back."""

from __future__ import annotations

import asyncio
import os
import signal
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from lastspike import protocol as p
from lastspike.client import Person, Table
from lastspike.client.playing import play_turn
from lastspike.server.people.sessions import hashed
from lastspike.server.storage.rows import ALIVE_MS, Append, SessionRow
from lastspike.server.table import log_events as e
from lastspike.server.table.log_events import Index
from lastspike.server.table.now import now_ms
from tests.server.paper import HOST, Paper
from tests.server.players import PATIENCE_S, Log, Memory, Player, compose, kill, opened
from tests.server.running import RunningServer, running_server

pytestmark = pytest.mark.anyio

SECOND = 1000
HOUR = 3600 * SECOND
GUEST = "p1"
SECRETS = {HOST: "h" * 43, GUEST: "g" * 43}
TEN_SECONDS = p.LiveClock(bank=10, increment=0)


@pytest.fixture(autouse=True)
def metrics_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several workers count into a folder, which a server that is killed can't remove."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(folder))


async def left_behind(database_url: str, clock: p.Clock, began: int, last_beat: int) -> str:
    """What a server leaves that died at `last_beat`: a game of two people in which the turn that
    has to be made is the host's, since `began`. Returns the table's id."""
    paper = Paper(("me", None), p.Settings(clock=clock, pace=0, stand_in="greenhorn"))
    paper.sit(GUEST)
    paper.now = began
    paper.start()
    while paper.state.to_move() != 0:
        paper.play(1)
    async with opened(database_url) as storage:
        for person, secret in SECRETS.items():
            session = SessionRow(hashed(secret), began, now_ms() + HOUR)
            await storage.persons.add(person, person, session)
        first, *steps = (
            Append(paper.state.id, step.number, step.at, *e.to_stored(step), step.turn)
            for step in paper.log
        )
        await storage.logs.create_table(first._replace(index=Index(joined=tuple(SECRETS))), False)
        for step in steps:
            assert await storage.logs.append(step._replace(index=Index(status="playing")))
        await storage.presence.beat(last_beat)
    return paper.state.id


def person_at(server: RunningServer, who: str) -> Person:
    return Person.with_secret(server.url, SECRETS[who], who)


def stand_in(table: Table) -> str | None:
    """Who plays for the host."""
    return table.info.seats[0].level


def given_back(log: Log) -> list[e.ClockGivenBack]:
    return [
        each for step in log.steps for each in step.events if isinstance(each, e.ClockGivenBack)
    ]


def assert_apart(given: list[e.ClockGivenBack]) -> None:
    """No time was given back twice."""
    for one, next_one in pairwise(given):
        assert one.since + one.ms <= next_one.since


async def test_time_runs_out_only_while_the_server_is_there(database_url: str) -> None:
    """Five of ten seconds were used up an hour ago; the other five begin with the server."""
    began = now_ms() - HOUR
    table_id = await left_behind(database_url, TEN_SECONDS, began, began + 5 * SECOND)
    before = now_ms()
    with running_server(database_url) as server:
        after = now_ms()
        host, guest = person_at(server, HOST), person_at(server, GUEST)
        async with host, guest, host.watch(table_id) as table:
            assert table.my_turn
            assert table.clock is not None
            deadline = table.clock.deadline
            assert deadline is not None
            assert before + 5 * SECOND <= deadline <= after + 5 * SECOND
            number = table.turn_number

            await table.until(lambda table: table.turn_number > number)
            over, made = table.steps[-2:]
            assert over.at >= deadline
            assert over.happenings == [
                {"kind": "seat_handed_over", "seat": 0, "level": "greenhorn", "why": "clock"}
            ]
            assert made.happenings[0]["level"] == "greenhorn"
            assert stand_in(table) == "greenhorn"

            await table.come_back()
            assert stand_in(table) is None
            async with guest.watch(table_id) as theirs:
                await play_turn(theirs)
            await table.until(lambda table: table.my_turn)
            await play_turn(table)
            assert table.steps[-1].happenings[0]["kind"] == "turn_made"
            assert "level" not in table.steps[-1].happenings[0]


async def test_time_runs_out_though_nobody_watches(sqlite_url: str) -> None:
    """A computer takes over, and whoever returns has the seat at once."""
    began = now_ms() - HOUR
    table_id = await left_behind(sqlite_url, TEN_SECONDS, began, began + 9 * SECOND)
    async with opened(sqlite_url) as storage:
        before = await Log.of(storage, table_id)
        with running_server(sqlite_url) as server:
            async with asyncio.timeout(PATIENCE_S):
                while (log := await Log.of(storage, table_id)).state.turn == before.state.turn:
                    await asyncio.sleep(0.05)
            assert log.state.seats[0].stand_in == "greenhorn"
            async with person_at(server, HOST) as host, host.watch(table_id) as table:
                await table.until(lambda table: stand_in(table) is None)


async def test_down_for_longer_than_the_bank(sqlite_url: str) -> None:
    with running_server(sqlite_url) as server:
        async with Player(server.url, "Ada") as ada:
            await ada.arrive()
            memory = Memory(await ada.create(["me", "me"], p.Settings(clock=TEN_SECONDS)))
            async with ada.sits_at(memory) as table:
                await table.ready()
                await table.until(lambda table: table.my_turn)
                turn = await compose(table, Random(1))
                assert table.clock is not None
                deadline = table.clock.deadline
                assert deadline is not None
                kill(server)
                killed = now_ms()
                await asyncio.sleep((deadline - killed) / SECOND + 0.5)
                restarted = now_ms()
                await asyncio.to_thread(server.restart)
                await table.ask(turn)
    async with opened(sqlite_url) as storage:
        log = await Log.of(storage, memory.table_id)
    log.check(memory)
    (given,) = given_back(log)
    assert given.ms >= restarted - killed
    (made,) = (step for step in log.steps if step.turn == turn.turn)
    before = log.state_before(made)
    seat = before.to_move()
    assert seat is not None
    assert log.state.banks[seat] == 10 * SECOND - (made.at - before.turn_began) > 0


async def test_each_time_down_is_given_back_once(sqlite_url: str) -> None:
    """A day for each move, of which 23 hours were used up; then the server dies again and again."""
    began = now_ms() - 30 * HOUR
    table_id = await left_behind(sqlite_url, p.DaysClock(1), began, began + 23 * HOUR)
    before = now_ms()
    down: list[tuple[int, int]] = []
    with running_server(sqlite_url) as server:
        after = now_ms()
        async with person_at(server, HOST) as host, host.watch(table_id) as table:
            assert before + HOUR <= deadline_of(table) <= after + HOUR
        for _ in range(3):
            kill(server)
            killed = now_ms()
            await asyncio.sleep(0.5)
            down.append((killed, now_ms()))
            await asyncio.to_thread(server.restart)
        async with person_at(server, HOST) as host, host.watch(table_id) as table:
            deadline = deadline_of(table)
    async with opened(sqlite_url) as storage:
        given = given_back(await Log.of(storage, table_id))
    assert_apart(given)
    for since, until in down:
        assert any(one.since <= since and until <= one.since + one.ms for one in given)
    assert deadline == began + 24 * HOUR + sum(one.ms for one in given)


def deadline_of(table: Table) -> int:
    assert table.clock is not None
    assert table.clock.deadline is not None
    return table.clock.deadline


async def test_of_several_workers_all_must_have_been_down(postgres_url: str) -> None:
    """While one lives there is no time to give back; nor do those who start together take each
    other for one that lived."""
    began = now_ms() - HOUR
    table_id = await left_behind(postgres_url, p.DaysClock(1), began, began + 60 * SECOND)
    async with opened(postgres_url) as storage:
        with running_server(postgres_url, workers=2) as server:
            await started(server, 2)
            one_killed = now_ms()
            os.kill(server.workers[0], signal.SIGKILL)
            await started(server, 3)
            await asyncio.sleep(ALIVE_MS / SECOND + 1.5)
            given = given_back(await Log.of(storage, table_id))
            assert given
            assert all(one.since + one.ms < one_killed for one in given)
            kill(server)
            all_killed = now_ms()
            await asyncio.sleep(0.5)
            down = now_ms() - all_killed
            await asyncio.to_thread(server.restart)
            async with asyncio.timeout(PATIENCE_S):
                while not (later := given_back(await Log.of(storage, table_id))[len(given) :]):
                    await asyncio.sleep(0.1)
    assert later[0].ms >= down
    assert_apart([*given, *later])


async def started(server: RunningServer, workers: int) -> None:
    """Returns when so many workers have started, those that were killed included."""
    async with asyncio.timeout(PATIENCE_S):
        while server.log.count("Application startup complete") < workers:
            await asyncio.sleep(0.05)
