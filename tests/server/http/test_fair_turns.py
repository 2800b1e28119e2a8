"""A burst of one caller is served little by little, with everybody else in between."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.limits import rate_limits
from lastspike.server.http.limits.at_once import AtOnce
from lastspike.server.http.limits.fair_turns import FairTurns
from lastspike.server.storage.queries.logs import Logs
from tests.server.siege import sqlite_in

from .measured_app import measured
from .measured_socket import open_socket

pytestmark = pytest.mark.anyio


async def rounds_of(*work: Any) -> list[int]:
    """In which round of the event loop each of them is done, all begun in the same."""
    now = 0
    done: list[int] = []

    async def noted(each: Any) -> None:
        await each
        done.append(now)

    tasks = [asyncio.ensure_future(noted(each)) for each in work]
    while not all(task.done() for task in tasks):
        await asyncio.sleep(0)
        now += 1
    return done


async def test_a_burst_of_one_lets_others_go_between() -> None:
    turns = FairTurns(2)
    burst = await rounds_of(*(turns.turn("a") for _ in range(9)))
    assert all(burst.count(each) <= 2 for each in burst)
    assert burst == sorted(burst)
    assert len(set(burst)) >= 5
    here, there = await asyncio.gather(
        rounds_of(*(turns.turn("b") for _ in range(20))), rounds_of(turns.turn("c"))
    )
    assert there[0] < here[10]
    await asyncio.sleep(0)
    assert not turns._begun
    assert not turns._waiting


async def test_who_leaves_takes_no_turn() -> None:
    turns = FairTurns(1)
    waiting = [asyncio.ensure_future(turns.turn("a")) for _ in range(5)]
    await asyncio.sleep(0)
    for each in waiting[1:4]:
        each.cancel()
    await asyncio.wait(waiting)
    assert not waiting[4].cancelled()
    for _ in range(3):
        await asyncio.sleep(0)
    assert not turns._begun


async def test_only_so_much_of_one_goes_on_at_the_same_time() -> None:
    served = AtOnce(2, lambda caller: 3 if caller == "club" else 1)
    going_on: Counter[str] = Counter()
    most: Counter[str] = Counter()

    async def serve(caller: str, fails: bool) -> None:
        with suppress(OSError):
            await serve_one(caller, fails)

    async def serve_one(caller: str, fails: bool) -> None:
        async with served.place(caller):
            going_on[caller] += 1
            most[caller] = max(most[caller], going_on[caller])
            await asyncio.sleep(0)
            going_on[caller] -= 1
            if fails:
                raise OSError

    callers = ["a"] * 9 + ["club"] * 9 + ["b"]
    serving = [
        asyncio.ensure_future(serve(each, place % 2 == 0)) for place, each in enumerate(callers)
    ]
    await asyncio.sleep(0)
    serving[5].cancel()  # it waits
    await asyncio.wait(serving)
    assert most == {"a": 2, "club": 6, "b": 1}
    assert not len(served)


async def test_requests_of_one_are_served_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of requests for tables with long logs would all be read at the same time."""
    monkeypatch.setattr(rate_limits, "SERVED_AT_ONCE", 2)
    app = make_app(config_in(tmp_path))
    loading = most = 0
    read = Logs.read

    async def slowly(*given: Any) -> AsyncIterator[Any]:
        nonlocal loading, most
        loading += 1
        most = max(most, loading)
        async for steps in read(*given):
            yield steps
        loading -= 1

    monkeypatch.setattr(Logs, "read", slowly)
    async with measured(app) as here:
        answers = await asyncio.gather(*(here.ask("GET", f"/api/tables/{n:022}") for n in range(9)))
        assert {each.status for each in answers} == {404}
        assert most == 2
        most = 0
        async with AsyncExitStack() as stack:
            opened = [open_socket(app, f"{number:022}") for number in range(9)]
            sockets = [await stack.enter_async_context(each) for each in opened]
            await asyncio.gather(*(each.ask(p.Hello(p.PROTOCOL), "refused") for each in sockets))
        assert most == 2


async def test_one_address_leaves_others_a_place_to_read_their_history(tmp_path: Path) -> None:
    services = make_app(config_in(tmp_path)).state["services"]
    reading: Counter[str] = Counter()
    let_go = asyncio.Event()

    async def read(caller: str) -> None:
        async with services.read_back(caller):
            reading[caller] += 1
            await let_go.wait()

    asking = [asyncio.ensure_future(read(each)) for each in "aaab"]
    for _ in range(5):
        await asyncio.sleep(0)
    assert reading == {"a": 1, "b": 1}
    let_go.set()
    await asyncio.gather(*asking)
    assert reading == {"a": 3, "b": 1}


class Noted(FairTurns):
    """Counts how many take a turn."""

    __slots__ = ("taken",)

    def __init__(self) -> None:
        super().__init__(1)
        self.taken: list[str] = []

    async def turn(self, caller: str) -> None:
        self.taken.append(caller)
        await super().turn(caller)


def config_in(folder: Path) -> Config:
    limits = Limits(requests_per_minute=100_000)
    return Config(sqlite_in(folder), player_processes=1, limits=limits)


async def test_requests_and_messages_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Noted()
    monkeypatch.setattr(rate_limits, "FairTurns", lambda _most: turns)
    app = make_app(config_in(tmp_path))
    async with measured(app) as here:
        made = (await here.ask("POST", "/api/tables", {"name": "Ada", "seats": ["me", None]})).json
        assert turns.taken == ["192.0.2.1"]
        refused = await here.ask("POST", "/api/me", {"name": "Ada"}, origin="https://other.example")
        assert (refused.status, len(turns.taken)) == (403, 2)
        async with open_socket(app, made["table"]) as socket:
            await socket.ask(p.Hello(p.PROTOCOL), "welcome")
            before = len(turns.taken)
            for number in range(3):
                await socket.ask(p.Ping(f"{number}"), "pong")
            assert len(turns.taken) == before + 3
