"""How many turns a second the server takes on one core, how soon everybody knows, what it costs.

    python bench/load.py [--tables 500] [--rate 250] [--seconds 20] [--runs 5] [--find-limit]

The server runs as `lastspike serve` on a core of its own, on SQLite with every turn synced, or on
the database that `--database` names. On the other cores people play: four to a table, each with a
socket of their own, from the shuffle on as the protocol has it. Turns are offered at random moments
at a constant rate, and one counts as told when the last of the four has heard of it. What is
printed is the median over the runs.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import math
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import uvloop
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from load_server import Server, cores, server
from load_tables import SEATS, House, LoadTable, offer_turns, open_more, open_tables

KB = 1000
P99_MS, SOCKET_KB, TABLE_KB = 100.0, 40.0, 60.0
"""What is promised."""
WARM_TABLES = 50
WARM_TURNS = 500
LAST_FRESH_TURN = 15
"""Tables further on than this are replaced between runs, so that few end during one."""
TURNS_A_RUN = 15
FASTER = 1.2
MOST_RATE = 5000


class Run(NamedTuple):
    """What one run of turns has shown; times in milliseconds, CPU as shares of one core."""

    rate: float
    turns_a_second: float
    p50: float
    p99: float
    longest: float
    offered: float
    refused: int
    not_offered: int
    server_cpu: float
    own_cpu: float
    late_p99: float

    @property
    def good(self) -> bool:
        """Whether the promise is kept at this rate."""
        return self.p99 <= P99_MS and self.turns_a_second >= 0.95 * self.offered


class Memory(NamedTuple):
    """Of the server, in kilobytes, and its idle CPU with so many sockets, as a share of a core."""

    at_start: float
    a_socket: float
    a_table: float
    at_end: float
    idle_few_tables: float
    idle_all_tables: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=500, help="live tables of four")
    parser.add_argument("--rate", type=float, default=250.0, help="turns offered a second")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--idle", type=float, default=20.0, help="seconds in which nobody plays")
    parser.add_argument("--settle", type=float, default=2.0, help="seconds before each measurement")
    parser.add_argument("--find-limit", action="store_true", help="raise the rate until it breaks")
    parser.add_argument("--database", help="instead of SQLite in a folder for temporary files")
    parser.add_argument("--workers", type=int, default=1, help="with PostgreSQL: a core for each")
    parser.add_argument("--source", type=Path, help="load the server of this other checkout")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    needed = given.tables * SEATS + 1000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(needed, hard), hard))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measure(given))
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    show(found)


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    rng = random.Random(1869)
    watched = Console(stderr=True)
    bar = Progress(console=watched, transient=True, disable=not watched.is_terminal)
    with bar, tempfile.TemporaryDirectory(prefix="lastspike-load-") as temporary:
        folder = Path(temporary)
        bench = Bench(given, folder, rng, bar)
        a_socket, idle_few = await bench.measure_sockets()
        return await bench.measure_all(a_socket, idle_few)


class Bench:
    def __init__(
        self, given: argparse.Namespace, folder: Path, rng: random.Random, bar: Progress
    ) -> None:
        self.given = given
        self.folder = folder
        self.rng = rng
        self.bar = bar
        self.sockets = given.tables * SEATS
        self.warm = min(WARM_TABLES, given.tables)

    async def measure_sockets(self) -> tuple[float, float]:
        """Kilobytes a socket, and the CPU of so many at few tables while nobody plays."""
        with self._server("sockets") as running:
            house = House(running.url)
            tables = await self._warmed(house)
            before = running.memory()
            begun = self._task("Opening sockets", 1)
            sockets = await open_more(tables, self.sockets)
            await asyncio.sleep(self.given.settle)
            begun(1)
            a_socket = (running.memory() - before) / self.sockets / KB
            idle = await self._idle(running)
            for socket in sockets:
                socket.close()
            await self._close(house, tables)
        return a_socket, idle

    async def measure_all(self, a_socket: float, idle_few: float) -> dict[str, Any]:
        """With all tables: memory, CPU while nobody plays, the runs, and where it breaks."""
        given = self.given
        with self._server("tables") as running:
            house = House(running.url)
            warm = await self._warmed(house)
            before = running.memory()
            tables = await self._opened(house, given.tables, "Opening tables")
            await asyncio.sleep(self.given.settle)
            besides = (running.memory() - before) / KB - self.sockets * a_socket
            idle = await self._idle(running)
            runs = []
            for number in range(given.runs):
                tables = await self._renewed(house, tables)
                what = f"Run {number + 1} of {given.runs}"
                runs.append(await self._run(running, tables, given.rate, what))
            limit = await self._limit(running, house, tables) if given.find_limit else None
            at_end = running.memory() / KB
            await self._close(house, [*warm, *tables])
        memory = Memory(before / KB, a_socket, besides / given.tables, at_end, idle_few, idle)
        return {
            "tables": given.tables,
            "sockets": self.sockets,
            "database": _kind(given.database),
            "workers": given.workers,
            "median": {name: median(getattr(r, name) for r in runs) for name in Run._fields},
            "runs": [run._asdict() for run in runs],
            "memory": memory._asdict(),
            "limit": limit,
        }

    async def _warmed(self, house: House) -> list[LoadTable]:
        """A few tables at which some turns were made, so that nothing is done for the first time
        later. They stay open."""
        tables = await self._opened(house, self.warm, "Warming up")
        await offer_turns(tables, 10 * self.warm, WARM_TURNS / WARM_TABLES / 10, self.rng)
        await asyncio.sleep(self.given.settle)
        return tables

    async def _opened(
        self, house: House, count: int, what: str, cookies: list[list[str]] | None = None
    ) -> list[LoadTable]:
        step = self._task(what, count)
        return await open_tables(house, count, self.rng, lambda: step(1), cookies)

    async def _renewed(self, house: House, tables: list[LoadTable]) -> list[LoadTable]:
        """With new tables, for the same people, where games are far on or over."""
        old = [table for table in tables if table.over or table.turn > LAST_FRESH_TURN]
        cookies = [[player.cookie or "" for player in table.players] for table in old]
        for table in old:
            table.close()
        fresh = await self._opened(house, len(old), "New games", cookies)
        await asyncio.sleep(self.given.settle)
        return [table for table in tables if table not in old] + fresh

    async def _run(self, running: Server, tables: list[LoadTable], rate: float, what: str) -> Run:
        # No longer than games last, or there would be fewer and fewer tables to offer turns at.
        seconds = min(self.given.seconds, TURNS_A_RUN * len(tables) / rate)
        gc.collect()
        gc.disable()
        watching = asyncio.create_task(self._watch(what, seconds))
        began, server_cpu, own_cpu = time.perf_counter(), running.cpu(), time.process_time()
        offered = await offer_turns(tables, rate, seconds, self.rng)
        took = time.perf_counter() - began
        server_cpu, own_cpu = running.cpu() - server_cpu, time.process_time() - own_cpu
        gc.enable()
        watching.cancel()
        latencies = sorted(offered.latencies)
        return Run(
            rate=rate,
            turns_a_second=offered.in_time / seconds,
            p50=1000 * _percentile(latencies, 50),
            p99=1000 * _percentile(latencies, 99),
            longest=1000 * _percentile(latencies, 100),
            offered=offered.offered / seconds,
            refused=len(offered.refused),
            not_offered=offered.no_table,
            server_cpu=server_cpu / took,
            own_cpu=own_cpu / took,
            late_p99=1000 * _percentile(sorted(offered.late), 99),
        )

    async def _limit(
        self, running: Server, house: House, tables: list[LoadTable]
    ) -> dict[str, Any]:
        """The last rate at which the promise is kept, and the first at which it is not, twice."""
        rate, good, tried = self.given.rate, None, []
        while rate < MOST_RATE:
            for _ in range(2):
                tables[:] = await self._renewed(house, tables)
                run = await self._run(running, tables, rate, f"{rate:.0f} turns a second")
                tried.append(run)
                if run.good:
                    break
            if not tried[-1].good:
                break
            good, rate = rate, math.ceil(rate * FASTER / 10) * 10
        return {"good": good, "broken": rate, "tried": [run._asdict() for run in tried]}

    async def _idle(self, running: Server) -> float:
        """The share of a core that the server needs while nobody plays."""
        watching = asyncio.create_task(self._watch("Nobody plays", self.given.idle))
        before = running.cpu()
        await asyncio.sleep(self.given.idle)
        watching.cancel()
        seconds: float = self.given.idle
        return (running.cpu() - before) / seconds

    @contextmanager
    def _server(self, name: str) -> Iterator[Server]:
        folder = self.folder / name
        folder.mkdir()
        database = self.given.database or f"sqlite:///{folder / 'lastspike.sqlite'}"
        workers, source = self.given.workers, self.given.source
        with server(database, folder, cores(workers), workers, source) as running:
            yield running

    async def _close(self, house: House, tables: list[LoadTable]) -> None:
        for table in tables:
            table.close()
        await house.close()

    def _task(self, what: str, total: float) -> Any:
        task = self.bar.add_task(what, total=total)

        def step(count: float) -> None:
            self.bar.advance(task, count)
            if self.bar.tasks[-1].finished:
                self.bar.update(task, visible=False)

        return step

    async def _watch(self, what: str, seconds: float) -> None:
        task = self.bar.add_task(what, total=seconds)
        try:
            while True:
                await asyncio.sleep(0.5)
                self.bar.advance(task, 0.5)
        finally:
            self.bar.update(task, visible=False)


def show(found: dict[str, Any]) -> None:
    middle, memory = found["median"], found["memory"]
    table = Table(
        title=f"{found['tables']:,} tables of {SEATS}, {found['sockets']:,} sockets, "
        f"{found['database']}, a core for each of {found['workers']} workers; median of "
        f"{len(found['runs'])} runs"
    )
    table.add_column("what")
    table.add_column("measured", justify="right")
    table.add_column("each run", justify="right")
    table.add_column("promise")

    def row(what: str, name: str, form: str, promise: str = "") -> None:
        each = "  ".join(form.format(run[name]) for run in found["runs"])
        table.add_row(what, form.format(middle[name]), each, promise)

    row("turns offered a second", "offered", "{:.1f}")
    row("turns everybody knows of, a second", "turns_a_second", "{:.1f}")
    row("  p50, ms", "p50", "{:.1f}")
    row("  p99, ms", "p99", "{:.1f}", _verdict(middle["p99"], P99_MS))
    row("  longest, ms", "longest", "{:.1f}")
    row("turns refused", "refused", "{:.0f}")
    row("turns no table was free for", "not_offered", "{:.0f}")
    row("CPU of the server", "server_cpu", "{:.0%}")
    row("CPU of those who play", "own_cpu", "{:.0%}")
    row("  and how late they were, p99, ms", "late_p99", "{:.1f}")
    table.add_section()
    table.add_row("memory at the start, MB", f"{memory['at_start'] / KB:.0f}", "", "")
    table.add_row(
        "memory a socket, kB",
        f"{memory['a_socket']:.1f}",
        "",
        _verdict(memory["a_socket"], SOCKET_KB),
    )
    table.add_row(
        "memory a table besides, kB",
        f"{memory['a_table']:.1f}",
        "",
        _verdict(memory["a_table"], TABLE_KB),
    )
    table.add_row("memory at the end, MB", f"{memory['at_end'] / KB:.0f}", "", "")
    table.add_row("CPU while nobody plays", f"{memory['idle_all_tables']:.2%}", "", "")
    table.add_row("  the same sockets at few tables", f"{memory['idle_few_tables']:.2%}", "", "")
    if (limit := found["limit"]) is not None:
        table.add_section()
        tried = "  ".join(f"{run['rate']:.0f}:{run['p99']:.0f}" for run in limit["tried"])
        good = "none" if limit["good"] is None else f"{limit['good']:.0f}"
        table.add_row("p99 under 100 ms up to, turns a second", good, tried, "")
        table.add_row("  broken at", f"{limit['broken']:.0f}", "", "")
    Console(width=None if Console().is_terminal else 120).print(table)


def _kind(database: str | None) -> str:
    return "PostgreSQL" if (database or "").startswith("postgres") else "SQLite"


def _verdict(value: float, most: float) -> str:
    return f"under {most:.0f}: {'met' if value < most else 'MISSED'}"


def _percentile(ordered: list[float], percent: float) -> float:
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


if __name__ == "__main__":
    main()
