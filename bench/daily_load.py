"""How a server copes when many people finish the same daily deal.

    python -m bench.daily_load [--people 10000] [--hour 3600]

People come evenly over the time, each as a new person on a device of their own, and play today's
deal without a pause. The figures are the time until a turn is stored and told back, and how long
after the last game all scores are known.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from lastspike.client import Person
from lastspike.client.playing import choose_first
from tests.server.running import running_server


async def one(url: str, number: int, times: list[float], tables: list[tuple[Person, str]]) -> None:
    person = Person(url, f"Player {number}")
    today = await person.daily()
    table_id = await person.play_daily(today.day)
    async with person.watch(table_id) as table:
        while True:
            await table.until(lambda table: table.over or table.my_turn, 300)
            if table.over:
                break
            moves: list[str] = []
            view = table.view
            assert view is not None
            legal, preview = view["legal"], None
            while legal:
                moves.append(choose_first(view, legal, preview))
                preview = await table.preview(moves)
                legal = () if preview.turn_over else preview.legal
            begun = time.perf_counter()
            await table.turn(moves, table.turn_number)
            times.append(time.perf_counter() - begun)
    tables.append((person, table_id))


async def run(
    url: str, people: int, seconds: float, scores: bool
) -> tuple[list[float], float, float]:
    times: list[float] = []
    tables: list[tuple[Person, str]] = []
    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(people):
            await asyncio.sleep(max(0.0, begun + number * seconds / people - time.perf_counter()))
            group.create_task(one(url, number, times, tables))
    played = time.perf_counter()
    for person, table_id in tables:
        while scores and (await person.daily_result(table_id)).mine.status != "scored":
            await asyncio.sleep(1)
        await person.__aexit__()
    return times, played - begun, time.perf_counter() - played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--hour", type=float, default=3600.0, help="seconds in which they come")
    parser.add_argument("--turns-only", action="store_true", help="don't wait for the scores")
    given = parser.parse_args()
    many = 10_000_000
    limits = {"requests_per_minute": many, "persons_per_address_per_hour": many}
    limits |= {"sockets_per_address": 100_000}
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'load.db'}"
        with running_server(url, limits=limits) as server:
            times, played, scored = asyncio.run(
                run(server.url, given.people, given.hour, not given.turns_only)
            )
    times.sort()
    table = Table(
        "people", "turns", "median, ms", "p99, ms", "last game after, s", "scores, s later"
    )
    figures = (times[len(times) // 2], times[len(times) * 99 // 100])
    table.add_row(
        str(given.people),
        str(len(times)),
        *(f"{1000 * figure:.0f}" for figure in figures),
        f"{played:.0f}",
        f"{scored:.0f}",
    )
    Console().print(table)


if __name__ == "__main__":
    main()
