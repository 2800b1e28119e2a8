"""People round a table at a real server, for tests of play together: who comes, what they play, and
whether afterwards everybody was told the same, and the truth."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
)
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx
import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from lastspike import protocol as p
from lastspike.client import Choose, Person, Table, play_to_end
from lastspike.rules.records.record import Record, read_record
from lastspike.rules.view import view_of, view_to_json
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_step
from lastspike.server.table import log_events as e

from .databases import PostgresServer
from .running import RunningServer, running_server

FAST = p.Settings(pace=0, stand_in="greenhorn")
"""Nothing is waited for that need not be."""
PATIENCE = 60.0
"""How long the slowest of machines may take for anything that is waited for."""

KINDS = ("sqlite", "postgres")


class SharedServers:
    """Servers that several files of tests use, one for each configuration. They run until the
    session ends; a test that stops one or counts everything in it needs `server_on` instead."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self._stack = ExitStack()
        self._servers: dict[tuple[Any, ...], RunningServer] = {}

    def get(self, kind: str, **config: Any) -> RunningServer:
        """The server with this configuration, on a database of this kind."""
        key = (kind, *sorted(config.items()))
        if key not in self._servers:
            opened = server_with(self._request, kind, **config)
            self._servers[key] = self._stack.enter_context(opened)
        return self._servers[key]

    def close(self) -> None:
        self._stack.close()


def server_on(
    request: pytest.FixtureRequest, **config: Any
) -> AbstractContextManager[RunningServer]:
    """A server on a new database of the kind that the fixture's parameter names, for fixtures that
    live longer than a test."""
    return server_with(request, request.param, **config)


@contextmanager
def server_with(
    request: pytest.FixtureRequest, kind: str, **config: Any
) -> Iterator[RunningServer]:
    """A server on a new database of this kind."""
    if kind == "sqlite":
        folders: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        file = folders.mktemp("server") / "lastspike.sqlite"
        with running_server(f"sqlite+aiosqlite:///{file}", **config) as server:
            yield server
        return
    postgres: PostgresServer = request.getfixturevalue("postgres_server")
    with postgres.new_database() as url, running_server(url, **config) as server:
        yield server


@contextmanager
def server_in_a_hurry(folder: Path, constants: dict[str, float]) -> Iterator[RunningServer]:
    """A server on SQLite with other values for these constants, named `room.module.NAME`, so that
    what takes minutes in earnest takes seconds. Everything else is as always."""
    lines = ["import importlib, sys"]
    for name, value in constants.items():
        module, _, constant = name.rpartition(".")
        place = f"importlib.import_module('lastspike.server.{module}')"
        lines += [f"assert hasattr({place}, '{constant}')", f"{place}.{constant} = {value}"]
    lines += ["from lastspike.cli import main", "sys.argv[1:3] = []", "main()"]  # without -m
    program, python = folder / "hurried.py", folder / "python"
    program.write_text("\n".join(lines))
    python.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{program}' \"$@\"\n")
    python.chmod(0o755)
    with (
        patch.object(sys, "executable", str(python)),
        running_server(f"sqlite+aiosqlite:///{folder / 'lastspike.sqlite'}") as server,
    ):
        yield server


def is_shared(server: RunningServer) -> bool:
    """Whether several workers could share its database."""
    return server.database_url.startswith("postgresql")


async def in_database(server: RunningServer, statement: str, **values: object) -> list[Any]:
    """Look into the server's database, or change what is there, behind its back."""
    engine = create_async_engine(server.database_url, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            done = await connection.execute(text(statement), values)
            return list(done.all()) if done.returns_rows else []
    finally:
        await engine.dispose()


async def metric(server: RunningServer, name: str) -> float:
    """A sample of `/metrics`, named with its labels; 0 where there is none yet."""
    async with httpx.AsyncClient() as http:
        told = (await http.get(f"{server.url}/metrics")).raise_for_status().text
    found = [line for line in told.splitlines() if line.startswith(f"{name} ")]
    return float(found[0].rpartition(" ")[2]) if found else 0.0


async def until(true: Callable[[], Any], patience: float = PATIENCE) -> None:
    """Wait for what no message tells of."""
    async with asyncio.timeout(patience):
        while True:
            found = true()
            if await found if asyncio.iscoroutine(found) else found:
                return
            await asyncio.sleep(0.02)


# ---- where alerts go ------------------------------------------------------------------------


class Letter(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.body)
        return content


class Letterbox:
    """A web server that keeps what it is sent, and answers with this status."""

    def __init__(self, status: int = 204) -> None:
        self.letters: list[Letter] = []
        box = self

        class Slot(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.send_response(status)
                self.end_headers()
                box.letters.append(Letter(self.path, headers, body))

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Slot)
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Letterbox:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    async def wait_for(self, count: int) -> list[Letter]:
        await until(lambda: len(self.letters) >= count)
        return self.letters


# ---- who comes ------------------------------------------------------------------------------


@asynccontextmanager
async def people(url: str, *names: str, **options: Any) -> AsyncIterator[list[Person]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(Person(url, name, patience=PATIENCE, **options))
            for name in names
        ]


@asynccontextmanager
async def watching(table_id: str, *viewers: Person) -> AsyncIterator[list[Table]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(viewer.watch(table_id)) for viewer in viewers]


async def begin(*tables: Table) -> None:
    """Everybody is ready, and the tiles are dealt."""
    await asyncio.gather(*(table.ready() for table in tables))
    for table in tables:
        await table.until(lambda table: table.view is not None, PATIENCE)


async def same_step(*tables: Table) -> None:
    """Everybody has heard what any of them has, where none is told less than another."""
    last = max(table.number for table in tables)
    for table in tables:
        await heard(table, last)


async def heard(table: Table, number: int) -> None:
    await table.until(lambda table: table.number >= number, PATIENCE)


async def goes(who: Table, watched_by: Table, seat: int) -> None:
    """Somebody whom others see at the table closes the page, and others see that they are away."""
    await sees(watched_by, seat, here=True)
    await who.__aexit__(None, None, None)
    await sees(watched_by, seat, here=False)


async def sees(table: Table, seat: int, *, here: bool) -> None:
    await table.until(
        lambda table: table.presence is not None and table.presence.here[seat] == here, PATIENCE
    )


# ---- how they play --------------------------------------------------------------------------


def by_chance(seed: object) -> Choose:
    """A player who does anything that is allowed."""
    rng = random.Random(repr(seed))
    return lambda _view, legal, _preview: rng.choice(list(legal))


async def finish(*tables: Table, seed: object = 0) -> None:
    """Everybody plays until the game is over, and everybody knows."""
    await asyncio.gather(
        *(
            play_to_end(table, by_chance((seed, place)), patience=PATIENCE)
            for place, table in enumerate(tables)
        )
    )
    for table in tables:
        await table.until(lambda table: table.info.status == "over", PATIENCE)


# ---- what they were told --------------------------------------------------------------------


async def log_of(server: RunningServer, table_id: str) -> list[e.Step]:
    """The table's log as the database has it."""
    storage = Storage(server.database_url)
    await storage.open()
    try:
        return [to_step(row) for row in await storage.logs.steps(table_id)]
    finally:
        await storage.close()


def kinds_of(steps: Iterable[p.Step]) -> list[str]:
    return [happening["kind"] for step in steps for happening in step.happenings]


def happened(table: Table, kind: str) -> list[dict[str, Any]]:
    """All that of this kind was told."""
    return [each for step in table.steps for each in step.happenings if each["kind"] == kind]


def events(step: p.Step) -> list[dict[str, Any]]:
    return [event for happening in step.happenings for event in happening.get("events", [])]


def told_from(log: Sequence[e.Step], seated: bool) -> list[dict[str, Any]]:
    """What somebody who has a seat or has none is to be told of a log, but for the events."""
    steps = []
    for step in log:
        heard = [
            msgspec.to_builtins(each)
            for each in step.events
            if not (seated and isinstance(each, e.Said) and each.channel == "spectators")
        ]
        for each in heard:
            if "settings" in each:
                del each["settings"]["figures"]  # which the table has
            each.pop("clock_goes_on", None)  # only stored
        if heard:
            steps.append({"number": step.number, "at": step.at, "happenings": heard})
    return steps


def without_events(steps: Iterable[p.Step]) -> list[dict[str, Any]]:
    bare: list[dict[str, Any]] = msgspec.to_builtins(list(steps))
    for step in bare:
        for happening in step["happenings"]:
            happening.pop("events", None)
    return bare


async def check_game(
    server: RunningServer,
    table_id: str,
    viewers: Mapping[Person, Table],
) -> Record:
    """Whether a finished game is told alike to everybody, as the log has it, and can be verified.

    `viewers` are people with their tables, players and others, who saw it to the end.
    """
    tables = list(viewers.values())
    records = [await person.record(table_id) for person in viewers]
    assert all(record == records[0] for record in records)
    record = read_record(records[0])  # replays the game and recomputes the shuffle
    assert record.shuffle is not None
    assert record.game.over
    log = await log_of(server, table_id)
    assert [step.number for step in log] == list(range(1, len(log) + 1))
    turns = [each for step in log for each in step.events if isinstance(each, e.TurnMade)]
    assert [each.turn for each in turns] == list(range(1, len(turns) + 1))
    assert [move for each in turns for move in each.moves] == records[0]["moves"]
    over = view_to_json(view_of(record.game.position, None))
    for table in tables:
        expected = told_from(log, bool(table.you.seats))
        await heard(table, expected[-1]["number"])
        assert table.info.status == "over"
        assert without_events(table.steps) == expected
        assert table.check_shuffle(records[0])
        assert table.view is not None
        told = {key: value for key, value in table.view.items() if key not in ("seat", "number")}
        assert told == {key: over[key] for key in told}
        assert table.view["number"] == len(turns) + 1
    # One contribution of each person, at their lowest seat, and all of them in the record.
    gave = {table.contribution.revealed for table in tables} - {None}
    given = {(each.seat, each.secret) for each in gave if each is not None}
    assert given <= set(record.shuffle.contributions)
    seats: dict[str, int] = {}
    for number, seat in enumerate(tables[0].info.seats):
        if seat.person is not None:
            seats.setdefault(seat.person, number)
    assert [seat for seat, _ in record.shuffle.contributions] == sorted(seats.values())
    return record
