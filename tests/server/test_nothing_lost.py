"""Nothing that was acknowledged or told is ever lost: servers and databases are killed under play.

SIGKILL shows what a process had not yet handed over. It does not show what the system had not yet
written to the disk, since the system lives on: that SQLite waits for the disk is a setting, which
the storage's own tests look at. PostgreSQL keeps what it need not wait for in its own memory, so
that its crash shows a commit that did not wait.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, Table
from lastspike.rules.records.record import read_record
from lastspike.server.table.views import encode

from .databases import OwnPostgresServer
from .players import (
    FAST,
    PATIENCE_S,
    Crowd,
    Log,
    Memory,
    Player,
    RememberingTable,
    commit,
    compose,
    kill,
    opened,
    persistently,
    play,
)
from .running import RunningServer, running_server

pytestmark = pytest.mark.anyio

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"
TIMES = 100 if SOAK else 2
CONTESTS = 1000 if SOAK else 25
SEED = time.time_ns() if SOAK else 1885

TABLES = [
    ["Ada", "Bob", "clerk"],
    ["Cem", "greenhorn", "Dee", "clerk", "greenhorn"],
    ["Eva", "Fay", "Eva"],
    ["Gus", "surveyor"],
]
"""Who sits where: people, somebody with two seats, and computer players."""


@pytest.fixture(autouse=True)
def metrics_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several workers count into a folder, which a server that is killed can't remove."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(folder))


def two_workers(server: RunningServer, *, serving: bool = True) -> list[int]:
    """Their processes, as soon as there are two, and as soon as both serve."""

    def serves(worker: int) -> bool:
        return f"worker [{worker}] is ready" in server.log

    until = time.monotonic() + PATIENCE_S
    while len(workers := sorted(server.workers)) < 2 or (serving and not all(map(serves, workers))):
        assert time.monotonic() < until, "the server started no other worker"
        time.sleep(0.05)
    return workers


async def some_turns_later(crowd: Crowd, rng: Random, strike: Callable[[], None]) -> None:
    """Strike when some turns more are acknowledged: at once, or a few milliseconds later."""
    turns = rng.randint(1, 40)
    if rng.random() < 0.5:
        await crowd.after(turns, strike)
    else:
        await crowd.after(turns, lambda: None)
        await asyncio.sleep(rng.uniform(0, 0.03))
        strike()


def verify(crowd: Crowd, file: Path) -> None:
    """The command that people check their games with finds every game right."""
    file.write_text("\n".join(json.dumps(party.record) for party in crowd.parties))
    command = [sys.executable, "-m", "lastspike", "verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


async def check_log(database_url: str, memory: Memory) -> None:
    async with opened(database_url) as storage:
        (await Log.of(storage, memory.table_id)).check(memory)


# ---- under play -----------------------------------------------------------------------------


@pytest.mark.soak
async def test_the_server_is_killed(sqlite_url: str, tmp_path: Path) -> None:
    rng = Random(SEED)
    with running_server(sqlite_url) as server:
        crowd = Crowd(server.url, rng)
        async with crowd.playing(TABLES):
            for _ in range(TIMES):
                await some_turns_later(crowd, rng, lambda: kill(server))
                await asyncio.to_thread(server.restart)
                await crowd.check_with_fresh_eyes()
    await crowd.check_logs(sqlite_url)
    verify(crowd, tmp_path / "games.json")


@pytest.mark.soak
async def test_either_of_two_workers_is_killed(postgres_url: str, tmp_path: Path) -> None:
    """Or, now and then, both, with the process that starts them."""
    rng = Random(SEED)
    with running_server(postgres_url, workers=2) as server:
        crowd = Crowd(server.url, rng)
        async with crowd.playing(TABLES):
            for number in range(TIMES):
                if number % 3 == 2:
                    await some_turns_later(crowd, rng, lambda: kill(server))
                    await asyncio.to_thread(server.restart)
                else:
                    # Now and then the other is killed before the first is back.
                    both = partial(two_workers, server, serving=number % 3 != 1)
                    victim = rng.choice(await asyncio.to_thread(both))
                    await some_turns_later(crowd, rng, partial(os.kill, victim, signal.SIGKILL))
                await crowd.check_with_fresh_eyes()
    await crowd.check_logs(postgres_url)
    verify(crowd, tmp_path / "games.json")


@pytest.mark.soak
async def test_the_database_is_restarted_underneath(
    own_postgres_url: str, own_postgres_server: OwnPostgresServer, tmp_path: Path
) -> None:
    """It ends at once, as in a crash, and starts again; both workers live through it."""
    rng = Random(SEED)
    with running_server(own_postgres_url, workers=2) as server:
        workers = two_workers(server)
        crowd = Crowd(server.url, rng)
        async with crowd.playing(TABLES):
            for _ in range(TIMES):
                await some_turns_later(crowd, rng, lambda: None)
                await asyncio.to_thread(own_postgres_server.crash)
                await crowd.check_with_fresh_eyes()
        assert sorted(server.workers) == workers
    await crowd.check_logs(own_postgres_url)
    verify(crowd, tmp_path / "games.json")


async def test_who_leaves_while_the_database_is_away_is_away(
    own_postgres_url: str, own_postgres_server: OwnPostgresServer
) -> None:
    """Nobody could write it down when they left, and the host waits for the seat."""
    with running_server(own_postgres_url) as server:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table_id = await ada.create(["me", None])
            await bob.take_seat(table_id)
            async with ada.watch(table_id) as table:
                async with bob.watch(table_id):
                    await table.until(lambda table: here(table) == [True, True])
                    await asyncio.to_thread(own_postgres_server.stop, "immediate")
                await asyncio.sleep(0.2)
                await asyncio.to_thread(own_postgres_server.start)
                await table.until(lambda table: here(table) == [True, False], PATIENCE_S)


def here(table: Table) -> list[bool]:
    return [] if table.presence is None else table.presence.here


# ---- before a game, and while computers think -----------------------------------------------


async def test_killed_between_ready_and_the_deal(sqlite_url: str) -> None:
    """After each message of the shuffle: nobody has to say anything again, and everybody's part
    is in the game."""
    secrets = {name: Random(name).randbytes(32) for name in ("Ada", "Bob")}
    with running_server(sqlite_url) as server:
        async with Player(server.url, "Ada") as ada, Player(server.url, "Bob") as bob:
            await ada.arrive()
            await bob.arrive()
            memory = Memory(await ada.create(["me", None, "clerk"], FAST))
            await bob.take_seat(memory.table_id, 1)

            async def killed_after(table: Table, request: p.Ready | p.Reveal) -> None:
                number = await table.ask(request)
                kill(server)
                before = table.info
                await asyncio.to_thread(server.restart)
                assert await persistently(lambda: ada.info(memory.table_id)) == before
                assert await table.ask(request) == number
                assert table.info == before

            async with ada.sits_at(memory) as a, bob.sits_at(memory) as b:
                for name, table in (("Ada", a), ("Bob", b)):
                    committed = hashlib.sha256(secrets[name]).hexdigest()
                    await killed_after(table, p.Ready(f"ready-{name}", 1, committed))
                assert b.info.shuffle.reveal_by is not None
                await killed_after(a, p.Reveal("reveal-Ada", 1, secrets["Ada"].hex()))
                assert a.view is None
                await killed_after(b, p.Reveal("reveal-Bob", 1, secrets["Bob"].hex()))
                rng = Random(SEED)
                await asyncio.gather(play(a, ada.id, rng), play(b, bob.id, rng))
            record = await ada.record(memory.table_id)
    assert record["shuffle"]["contributions"] == [
        [0, secrets["Ada"].hex()],
        [1, secrets["Bob"].hex()],
    ]
    read_record(record)
    await check_log(sqlite_url, memory)


async def test_killed_while_a_computer_thinks(database_url: str) -> None:
    """It thinks again when the server is back, though nobody asks for it or even watches."""
    async with opened(database_url) as storage:
        with running_server(database_url) as server:
            async with Player(server.url, "Ada") as ada:
                await ada.arrive()
                # It moves a second after the person, so that it is at it when the server dies.
                slowly = p.Settings(pace=1000)
                table_id = await ada.create(["me", "clerk", "greenhorn"], slowly)
                memory = Memory(table_id, lambda: kill(server))
                async with ada.sits_at(memory) as table:
                    await table.ready()
                    await table.until(lambda table: table.my_turn)
                    request = await compose(table, Random(SEED))
                    number = await commit(table, ada.id, request)
                assert await storage.logs.numbers([table_id]) == {table_id: number}
                await asyncio.to_thread(server.restart)
                async with asyncio.timeout(PATIENCE_S):
                    while (await storage.logs.numbers([table_id]))[table_id] < number + 2:
                        await asyncio.sleep(0.05)
                async with ada.sits_at(memory) as table:
                    assert table.turn_number == request.turn + 3
                    assert table.my_turn
        (await Log.of(storage, table_id)).check(memory)


# ---- two at once ----------------------------------------------------------------------------


@pytest.mark.soak
async def test_two_clients_make_the_same_turn_at_once(postgres_url: str) -> None:
    """One person, two browsers, each at a server of its own: one of them makes the turn, and both
    see the same game."""
    rng = Random(SEED)
    winners: list[int] = []
    with running_server(postgres_url) as here, running_server(postgres_url) as there:
        while len(winners) < CONTESTS:
            async with Player(here.url, "Ada") as ada, Player(there.url, "Ada") as again:
                await ada.arrive()
                again.id, again.secret = ada.id, ada.secret
                memory = Memory(await ada.create(["me", "me"], FAST))
                async with ada.sits_at(memory) as a, again.sits_at(memory) as b:
                    await a.ready()
                    while not await both_at(a, b, a.turn_number):
                        winners += await contest((a, b), ada.id, rng)
                    assert list(map(encode, a.steps)) == list(map(encode, b.steps))
                record = await ada.record(memory.table_id)
                assert await again.record(memory.table_id) == record
                read_record(record)
            await check_log(postgres_url, memory)
    assert set(winners) == {0, 1}, "neither server was always quicker"


async def both_at(a: Table, b: Table, turn: int) -> bool:
    """News have reached both: whether the game is over."""
    for table in (a, b):
        await table.until(lambda table: table.view is not None and table.turn_number >= turn)
    assert a.turn_number == b.turn_number
    return a.over


async def contest(
    tables: tuple[RememberingTable, RememberingTable], person: str, rng: Random
) -> list[int]:
    """Both make the turn, but differently: who did. Nobody where there is but one way to."""
    turns = await asyncio.gather(
        compose(tables[0], rng, last=False), compose(tables[1], rng, last=True)
    )
    turn = turns[0].turn
    assert turns[1].turn == turn
    late = rng.choice([0.0, 0.0, rng.uniform(-0.004, 0.004)])
    if turns[0].moves == turns[1].moves:
        await commit(tables[0], person, turns[0])
        await both_at(*tables, turn + 1)
        return []

    async def ask(number: int, wait: float) -> int | RefusedError:
        await asyncio.sleep(wait)
        try:
            return await commit(tables[number], person, turns[number])
        except RefusedError as refused:
            return refused

    answers = await asyncio.gather(ask(0, late), ask(1, -late))
    (winner,) = (number for number in (0, 1) if isinstance(answers[number], int))
    refused = answers[1 - winner]
    assert isinstance(refused, RefusedError)
    await both_at(*tables, turn + 1)
    assert refused.stale
    assert refused.turn == turn + 1
    assert refused.view == tables[0].view == tables[1].view
    (made,) = tables[1 - winner].steps[-1].happenings
    assert made["moves"] == turns[winner].moves
    return [winner]
