"""All floods at once from one address, and what the players at other tables notice of them.

The server is a process of its own with the limits that it comes with. `make test` counts what each
flood gets through, which no busy machine changes; `make soak` measures for minutes how long others
wait, and the server's memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import psutil  # type: ignore[import-untyped]
import pytest

from lastspike import protocol as p
from lastspike.client import Person, Table
from lastspike.client.playing import play_turn
from lastspike.server.config.settings import Limits
from lastspike.server.http.limits import rate_limits
from lastspike.server.table.limits import MOST_FIGURES_IN_LOG
from tests.server.running import GENEROUS_CONSTANTS, ROOT, RunningServer, running_server
from tests.server.siege import sqlite_in

from . import attacks

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="needs many addresses of this machine"),
]

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"
SECONDS = float(os.environ.get("LASTSPIKE_FLOOD_SECONDS", "180"))
"""How long `make soak` floods."""
TABLES = 8
PAUSE_S = 0.7
QUIET_S = 5.0
P99_S = 0.1
NEVER = "import time; time.sleep(1000)"
"""In place of a look-up: a name that nobody answers for."""
QUICKLY = {
    "run.limited_http.HEAD_S": 1.0,
    "run.limited_http.BODY_S": 1.0,
    "alerts.address_guard.LOOK_UP_S": 1.0,
}


@contextmanager
def usual_server(folder: Path, **constants: Any) -> Iterator[RunningServer]:
    """With the limits that a server has if nobody sets any."""
    usual = {name: getattr(rate_limits, name.rpartition(".")[2]) for name in GENEROUS_CONSTANTS}
    constants = usual | {"alerts.address_guard._LOOK_UP": NEVER} | constants
    limits = msgspec.to_builtins(Limits())
    with running_server(sqlite_in(folder), limits=limits, constants=constants) as server:
        yield server


class Players:
    """People who play game after game, and how long their turns take until acknowledged."""

    def __init__(self, url: str) -> None:
        self.seconds: list[float] = []
        self._url = url

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(self._keep_playing(each)) for each in range(TABLES)]
            yield
            for each in playing:
                each.cancel()

    async def _keep_playing(self, number: int) -> None:
        async with Person(self._url, f"Ada {number}") as ada, Person(self._url, "Bob") as bob:
            while True:
                table_id = await ada.create(["me", None], p.Settings(pace=0))
                await bob.take_seat(table_id)
                async with ada.watch(table_id) as one, bob.watch(table_id) as other:
                    await asyncio.gather(one.ready(), other.ready())
                    await asyncio.gather(self._play(one), self._play(other))

    async def _play(self, table: Table) -> None:
        while True:
            await table.until(lambda table: table.over or table.my_turn, None)
            if table.over:
                return
            await play_turn(Timed(table, self.seconds))  # type: ignore[arg-type]
            await asyncio.sleep(PAUSE_S)  # a socket may send six messages a second


class Timed:
    """A table that notes how long its turns take; otherwise it is the table."""

    def __init__(self, table: Table, seconds: list[float]) -> None:
        self._table = table
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    async def turn(self, moves: list[str], number: int) -> int:
        began = time.perf_counter()
        step = await self._table.turn(moves, number)
        self._seconds.append(time.perf_counter() - began)
        return step


class Use(NamedTuple):
    """What the server's main process has used so far, and has now."""

    cpu: float
    memory: int

    @classmethod
    def of(cls, server: RunningServer) -> Use:
        process = psutil.Process(server.pid)
        times = process.cpu_times()
        return cls(times.user + times.system, process.memory_info().rss)


async def flood(url: str, seconds: float) -> dict[str, int]:
    """What the floods got, which all came from another process and another address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.server.floods.attacks", url, str(seconds)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    return dict(json.loads(told))


async def thought(url: str, level: str) -> float:
    """How many turns computer players of this level have chosen."""
    async with httpx.AsyncClient() as http:
        told = (await http.get(f"{url}/metrics")).raise_for_status().text
    found = [line for line in told.splitlines() if f'_seconds_count{{level="{level}"}}' in line]
    return sum(float(line.rpartition(" ")[2]) for line in found)


async def test_a_flood_gets_no_more_than_its_share(tmp_path: Path) -> None:
    with usual_server(tmp_path, **QUICKLY) as server:
        players = Players(server.url)
        async with players.playing():
            before = Use.of(server)
            got = await flood(server.url, 0)
            after = Use.of(server)
        tycoons = await thought(server.url, "tycoon")
    print(got, f"{tycoons:g} turns of Tycoons", len(players.seconds), "turns of people")
    print(f"{after.cpu - before.cpu:.1f} s, {(after.memory - before.memory) >> 20} MiB")
    assert not [each for each in got if ": " in each], got  # each flood went to its end
    # Settings: 256 KiB of editions in a log, and the latest is told.
    assert 1 <= got["editions kept"] <= MOST_FIGURES_IN_LOG // attacks.EDITION_BYTES
    assert got["changes told"] <= 1
    assert got["frames closed with 4003"] == 2
    assert got["hints hinted"] <= attacks.ASKING // 6
    assert got["tables left"] == attacks.LOOPS
    assert tycoons <= 3 * attacks.LOOPS
    assert got["reviews begun"] == 1
    assert got["records 413"] == attacks.RECORDS
    assert got["deep keys refused"] == attacks.FILES
    assert got["lines accepted"] <= 90
    assert got["names refused at once"] >= 1
    assert got["slow requests ended"] == attacks.SLOW_HEADS + attacks.SLOW_BODIES
    assert got["connections refused"] >= 50
    assert got["packets refused"] == attacks.PACKETS
    # Nobody else paid for it.
    assert len(players.seconds) > 20
    assert after.memory - before.memory < 96 << 20


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="takes minutes: make soak")
async def test_others_wait_for_no_flood(tmp_path: Path) -> None:
    with usual_server(tmp_path) as server:
        players = Players(server.url)
        async with players.playing():
            await asyncio.sleep(QUIET_S)
            quiet, players.seconds = players.seconds, []
            flooding = asyncio.create_task(flood(server.url, SECONDS))
            memory = []
            while not flooding.done():
                await asyncio.wait([flooding], timeout=1)
                memory.append(Use.of(server).memory >> 20)
            got = await flooding
    part = max(1, len(memory) // 4)
    early, late = max(memory[part : 2 * part]), max(memory[-part:])
    print(got)
    for name, seconds in (("quiet", quiet), ("flooded", players.seconds)):
        told = ", ".join(f"p{part:g} {1000 * at(seconds, part):.1f} ms" for part in (50, 99, 100))
        print(f"{name}: {len(seconds)} turns, {told}")
    print(f"memory: {memory[0]} MiB at first, {early} MiB early, {late} MiB late")
    assert got["rounds"] >= 2
    assert at(players.seconds, 99) < P99_S
    assert late <= early + 32


def at(seconds: list[float], percent: float) -> float:
    """The time within which so many of a hundred are done."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
