"""A burst of one caller is served little by little, with everybody else in between."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.limits import rate_limits
from lastspike.server.http.limits.fair_turns import FairTurns
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
        async with open_socket(app, made["table"]) as socket:
            await socket.ask(p.Hello(p.PROTOCOL), "welcome")
            before = len(turns.taken)
            for number in range(3):
                await socket.ask(p.Ping(f"{number}"), "pong")
            assert len(turns.taken) == before + 3
