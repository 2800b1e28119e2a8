"""Running a server: whether it is well, what it counts, how it ends, what it writes and forgets."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.release import full_version
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    begin,
    by_chance,
    check_game,
    finish,
    happened,
    in_database,
    log_of,
    metric,
    people,
    same_step,
    server_on,
    until,
    watching,
)
from tests.server.databases import PostgresServer
from tests.server.running import RunningServer, running_server

pytestmark = pytest.mark.anyio

RESTARTS = {1012, p.CLOSE_RESTART}
"""With either a server that ends says that it will be back."""
TOKEN = "a-token-that-no-log-may-hold"
DAY_MS = 86_400_000


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """One for all tests; some stop it and start it again. It talks as much as it can, and cleans up
    every second instead of every hour."""
    config: dict[str, Any] = {"log_format": "json", "log_level": "debug", "create_token": TOKEN}
    config["constants"] = {"services.CLEAN_UP_S": 1}
    with server_on(request, retention_days=30, **config) as running:
        yield running


@pytest.fixture
async def http(server: RunningServer) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
        yield client


async def duel(server: RunningServer, ada: Person, bob: Person, *seats: str) -> str:
    table_id = await ada.create(["me", None, *seats], FAST)
    await bob.take_seat(table_id)
    return table_id


# ---- is it well? ----------------------------------------------------------------------------


async def test_it_says_that_it_is_well(server: RunningServer, http: httpx.AsyncClient) -> None:
    answer = await http.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": full_version()}
    front = await http.get("/")
    assert front.status_code == 200
    assert "text/html" in front.headers["content-type"]


async def test_it_is_not_well_without_its_database(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    name = postgres_url.partition("@/")[2].partition("?")[0]
    out = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    with running_server(postgres_url) as alone:
        async with httpx.AsyncClient(base_url=alone.url, timeout=PATIENCE) as http:
            postgres_server.command(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            postgres_server.command(out)
            answer = await http.get("/healthz")
            assert answer.status_code == 503
            assert name not in answer.text  # nothing of what is inside
            postgres_server.command(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            await until(lambda: _answers(http))


async def _answers(http: httpx.AsyncClient) -> bool:
    return (await http.get("/healthz")).status_code == 200


# ---- what it counts -------------------------------------------------------------------------


async def test_counters_move_with_what_happens(
    server: RunningServer, http: httpx.AsyncClient
) -> None:
    names = [
        "lastspike_steps_total",
        "lastspike_turns_total",
        "lastspike_commit_seconds_count",
        "lastspike_commit_steps_sum",
        'lastspike_thinking_seconds_count{level="greenhorn"}',
        'lastspike_thinking_seconds_count{level="hint"}',
        "lastspike_request_seconds_count",
        'lastspike_refused_total{reason="forbidden"}',
        'lastspike_refused_total{reason="not_found"}',
    ]
    before = {name: await metric(server, name) for name in names}
    sockets = await metric(server, "lastspike_sockets_open")
    async with people(server.url, "Ada", "Bob", create_token=TOKEN) as (ada, bob):
        table_id = await duel(server, ada, bob, "greenhorn")
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            assert await metric(server, "lastspike_sockets_open") == sockets + 2
            assert await metric(server, "lastspike_tables_live") >= 1
            await a.until(lambda a: a.my_turn or a.to_move == 1, PATIENCE)
            if b.my_turn:
                await play_turn(b)
            await a.until(lambda a: a.my_turn, PATIENCE)
            await a.hint()
            with pytest.raises(RefusedError):
                await bob.close_table(table_id)
            assert (await http.get("/api/nothing/here")).status_code == 404
            await finish(a, b)
            log = await log_of(server, table_id)
        await until(lambda: _is(server, "lastspike_sockets_open", sockets))
    now = {name: await metric(server, name) for name in names}
    gained = {name: now[name] - before[name] for name in names}
    turns = happened(a, "turn_made")
    assert gained["lastspike_steps_total"] == gained["lastspike_commit_steps_sum"] == len(log)
    assert gained["lastspike_turns_total"] == len(turns)
    assert 0 < gained["lastspike_commit_seconds_count"] <= len(log)
    by_computer = sum("level" in turn for turn in turns)
    assert gained['lastspike_thinking_seconds_count{level="greenhorn"}'] == by_computer
    assert gained['lastspike_thinking_seconds_count{level="hint"}'] == 1
    assert gained["lastspike_request_seconds_count"] >= 4
    assert gained['lastspike_refused_total{reason="forbidden"}'] == 1
    assert gained['lastspike_refused_total{reason="not_found"}'] == 1
    told = (await http.get("/metrics")).text
    assert "process_resident_memory_bytes" in told
    assert table_id not in told
    through_a_proxy = {"x-forwarded-for": "192.0.2.7"}
    assert (await http.get("/metrics", headers=through_a_proxy)).status_code == 404


async def _is(server: RunningServer, name: str, value: float) -> bool:
    return await metric(server, name) == value


# ---- how it ends ----------------------------------------------------------------------------


class Noted:
    """What the server has acknowledged: the numbers of steps, with what was to be in them.

    However fast they play, the game is not over before the server was: turn LAST waits for it.
    """

    LAST = 15

    def __init__(self) -> None:
        self.turns: dict[int, list[str]] = {}
        self.said: dict[int, str] = {}
        self.stopped = asyncio.Event()

    async def play(self, table: Table, seed: object) -> None:
        choose = by_chance(seed)
        while True:
            await table.until(lambda table: table.over or table.my_turn, PATIENCE)
            if table.over:
                return
            assert table.view is not None
            number = table.turn_number
            if number >= self.LAST:
                await self.stopped.wait()
            moves: list[str] = []
            ahead = await table.preview(moves)
            while not ahead.turn_over:
                moves.append(choose(table.view, ahead.legal, None))
                ahead = await table.preview(moves)
            self.turns[await table.turn(moves, number)] = moves
            text = f"That was turn {number}"
            self.said[await table.say(text)] = text


async def test_it_ends_in_peace_and_loses_nothing_that_it_acknowledged(
    server: RunningServer,
) -> None:
    """Amid a game, with everybody connected; they come back by themselves and play on."""
    noted = Noted()
    async with people(server.url, "Ada", "Bob", "Sue", create_token=TOKEN) as (ada, bob, sue):
        table_id = await duel(server, ada, bob, "greenhorn")
        live = f"{server.url.replace('http', 'ws')}/api/tables/{table_id}/live"
        async with (
            watching(table_id, ada, bob, sue) as (a, b, seen),
            connect(live) as polite,
            connect(live) as silent,
        ):
            await polite.send(json.dumps({"type": "hello", "protocol": p.PROTOCOL}))
            assert json.loads(await polite.recv())["type"] == "welcome"
            await begin(a, b)
            playing = asyncio.gather(noted.play(a, "a"), noted.play(b, "b"))
            await seen.until(lambda seen: seen.turn_number > 6, PATIENCE)
            children = psutil.Process(server.pid).children(recursive=True)
            assert children  # computer players have processes of their own
            await asyncio.to_thread(server.stop)  # which looks at the exit and for orphans
            for connection in (polite, silent):
                async with asyncio.timeout(PATIENCE):
                    with suppress(ConnectionClosed):
                        while await connection.recv():
                            pass
                assert connection.close_code in RESTARTS
            assert "Traceback" not in server.log
            noted.stopped.set()
            await asyncio.to_thread(server.start)
            await playing
            await seen.until(lambda seen: seen.info.status == "over", PATIENCE)
            assert min(a.connections, b.connections, seen.connections) == 2
            await check_game(server, table_id, {ada: a, bob: b, sue: seen})
        log = {step.number: step.events for step in await log_of(server, table_id)}
        assert len(noted.turns) > 6
        for number, moves in noted.turns.items():
            assert log[number][-1].moves[: len(moves)] == moves  # type: ignore[union-attr]
        for number, text in noted.said.items():
            assert log[number][0].text == text  # type: ignore[union-attr]


# ---- what it writes -------------------------------------------------------------------------


async def test_the_log_has_a_line_for_everything_and_no_secret_in_any(
    server: RunningServer, http: httpx.AsyncClient
) -> None:
    secrets = [TOKEN]
    async with people(server.url, "Ada", "Bob", "", create_token=TOKEN) as (ada, bob, phone):
        table_id = await duel(server, ada, bob, "greenhorn")
        link = await ada.link()
        await phone.use_link(link.token)
        with pytest.raises(RefusedError):
            await phone.use_link(link.token)
        hook = p.NewWebhook("https://hooks.example.org/services/T0SECRET0/B0SECRET0", "slack")
        with pytest.raises(RefusedError):
            await ada.add_webhook(hook)
        async with watching(table_id, ada, bob, phone) as (a, b, third):
            await begin(a, b)
            await a.say("Pssst, our plan is the southern line")
            with pytest.raises(RefusedError):
                await third.turn(["A1"], 77)
            await finish(a, b)
            given = [table.contribution.revealed for table in (a, b)]
        await http.get(f"/api/tables/{table_id}/record?token={link.token}")
        await http.post(f"/api/tables/{table_id}/seats", content=b'{"name": "Mallory", ')
        await http.get(f"/api/tables/{'Z9' * 11}")
        record = await ada.record(table_id)
        secrets += [ada.secret or "", bob.secret or "", phone.secret or "", link.token]
        secrets += [each.secret.hex() for each in given if each is not None]
        secrets += [record["shuffle"]["seed"], table_id, "southern line", "T0SECRET0", "Mallory"]
        secrets += [record["shuffle"]["commitment"], "Z9" * 11]
    assert len(secrets) == 14
    assert all(secrets)
    await until(lambda: f'"path": "/api/tables/{table_id[:6]}…/record"' in server.log)
    log = server.log
    for secret in secrets:
        assert secret not in log
    lines = [json.loads(line) for line in log.splitlines()]  # every single one
    for line in lines:
        assert {"at", "level", "logger", "message"} <= set(line)
    access = [line for line in lines if line["logger"] == "lastspike.access"]
    asked = {(line["method"], line["path"].split("/")[-1], line["status"]) for line in access}
    assert {
        ("POST", "tables", 201),
        ("POST", "seats", 200),
        ("POST", "link", 201),
        ("POST", "use-link", 200),
        ("POST", "use-link", 403),
        ("GET", "record", 200),
        ("SOCKET", "live", 101),
    } <= asked
    assert ("POST", "seats", 400) in asked
    assert ("GET", "healthz", 200) not in asked  # which would drown the rest
    assert not [line for line in lines if line["level"] == "error"]
    assert any(line["message"].startswith("Serving at") for line in lines)


# ---- what it forgets ------------------------------------------------------------------------


async def test_tables_without_news_are_deleted_when_the_host_wants_it(
    server: RunningServer,
) -> None:
    async with people(server.url, "Ada", "Bob", create_token=TOKEN) as (ada, bob):
        old_id = await duel(server, ada, bob)
        new_id = await duel(server, ada, bob)
        async with watching(old_id, ada, bob) as (a, b):
            await begin(a, b)
        await asyncio.to_thread(server.stop)
        now = int(time.time() * 1000)
        for table_id, days in ((old_id, 31), (new_id, 29)):
            changed = "UPDATE game_table SET changed_at = :then WHERE id = :table"
            await in_database(server, changed, then=now - days * DAY_MS, table=table_id)
        await asyncio.to_thread(server.start)
        await until(lambda: _is_gone(ada, old_id))
        assert [each.table for each in await bob.tables()] == [new_id]
        for kind in ("step", "membership", "game_table"):
            key = "id" if kind == "game_table" else "table_id"
            count = f"SELECT count(*) FROM {kind} WHERE {key} = :table"
            assert await in_database(server, count, table=old_id) == [(0,)]
        async with watching(new_id, ada, bob) as (a, b):
            await begin(a, b)
            await play_turn(a if a.my_turn else b)
            await same_step(a, b)


async def _is_gone(person: Person, table_id: str) -> bool:
    return table_id not in [each.table for each in await person.tables()]
