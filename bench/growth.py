"""What a full database costs, how many turns a server takes, and what both were before.

    python bench/growth.py [--games 5000] [--tables 1000] [--copies 20] [--other OLD] [--load]
        [--postgres URL]

Random games are imported and exported with `lastspike games`. Each is then stored `--copies` times,
and all are listed. Then a server starts on them, with as many open tables besides as `--tables`
says. CPU times are given as well, which other work on the machine changes less. `--load` raises the
rate of turns until 100 ms at p99 is broken, with one worker on SQLite, and with `--postgres` with
one and with two workers on that empty database. `--other` does all of it with another checkout as
well, in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from lastspike.protocol import Settings
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import Shuffle, dump_records, to_record
from lastspike.rules.records.shuffle import commitment, seed_of_series
from lastspike.rules.table import setup
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.log_events import Draft
from lastspike.server.table.state import TableState
from load_server import Cores, from_source, server

SEATS = 4
STARTS = 3
LOAD = Path(__file__).parent / "load.py"
KEYS = {"game_table": {"id"}, "packed_log": {"table_id", "content"}, "step": {"table_id"}}
"""What tells a game from its copies, by the table of the database."""
ROWS: dict[str, tuple[str, str, str]] = {
    "import": ("games imported a second", "{:,.0f}", "over 1,000"),
    "import_cpu": ("  CPU of a game, ms, on all cores", "{:.2f}", ""),
    "export": ("games exported a second", "{:,.0f}", "over 1,000"),
    "export_cpu": ("  CPU of a game, ms, on all cores", "{:.2f}", ""),
    "kb": ("kB a finished game in the database", "{:.2f}", "at most 5"),
    "stored": ("games in the database from here on", "{:,.0f}", ""),
    "list": ("seconds to list them", "{:.2f}", "under 2 for 100,000"),
    "list_cpu": ("  CPU of it, s", "{:.2f}", ""),
    "empty": ("seconds until an empty server answers", "{:.2f}", ""),
    "empty_cpu": ("  CPU of it, s", "{:.2f}", ""),
    "full": ("seconds with all games and open tables", "{:.2f}", "no more"),
    "full_cpu": ("  CPU of it, s", "{:.2f}", ""),
    "mb": ("MB of the server then, 5 s later", "{:.0f}", ""),
    "good": ("turns a second, p99 under 100 ms", "{:,.0f}", "2,000"),
    "p99": ("  p99 there, ms", "{:.0f}", ""),
    "ms": ("  CPU of a turn, ms", "{:.3f}", "0.5"),
    "one": ("the same, one worker on PostgreSQL", "{:,.0f}", ""),
    "one_ms": ("  CPU of a turn, ms", "{:.3f}", ""),
    "two": ("the same, two workers on PostgreSQL", "{:,.0f}", "1.6 times one"),
    "two_ms": ("  CPU of a turn, ms", "{:.3f}", ""),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--tables", type=int, default=1000, help="open tables of four")
    parser.add_argument("--copies", type=int, default=1, help="store each game so many times")
    parser.add_argument("--other", type=Path, metavar="CHECKOUT", help="what to compare with")
    parser.add_argument("--other-games", type=int, help="fewer games for it, which may be slow")
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--load-tables", type=int, default=500)
    parser.add_argument("--load-rate", type=float, default=800.0, help="where the search begins")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each rate")
    parser.add_argument("--postgres", metavar="URL", help="an empty database for the load")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    sources = [*([("before", given.other)] if given.other else []), ("now", None)]
    with tempfile.TemporaryDirectory(prefix="lastspike-growth-") as temporary:
        for name, source in sources:
            folder = Path(temporary) / name
            folder.mkdir()
            games = given.other_games if source and given.other_games else given.games
            found[name] = growth(folder, source, games, given.tables, given.copies)
            found[name]["games"] = games
        if given.load:
            for name, source in sources:
                found[name] |= load(Path(temporary), source, given)
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    show(found, given.tables)


def growth(
    folder: Path, source: Path | None, games: int, tables: int, copies: int
) -> dict[str, float]:
    records, path = folder / "records.jsonl", folder / "games.sqlite"
    with records.open("w", encoding="utf-8") as file:
        for number in range(games):
            file.writelines(f"{line}\n" for line in dump_records([_random_game(number)]))
    database = f"sqlite:///{path}"
    ran: dict[str, float] = {}

    def run(*arguments: str) -> float:
        """The seconds that a command takes."""
        began = time.perf_counter()
        command = [sys.executable, "-c", "from lastspike.cli import main; main()", "games"]
        env = {**os.environ, **from_source(source)}
        done = subprocess.run(
            [*command, *arguments, "--database", database],
            env=env,
            stdout=subprocess.PIPE,
            check=True,
        )
        assert arguments[0] != "list" or done.stdout.count(b"\n") == games * copies + 1
        return time.perf_counter() - began

    def timed(what: str, *arguments: str) -> None:
        spent = _spent()
        ran[what] = games / run(*arguments)
        ran[f"{what}_cpu"] = 1000 * (_spent() - spent) / games

    timed("import", "import", str(records))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ran["kb"] = path.stat().st_size / games / 1000
    timed("export", "export", "--out", str(folder / "out.jsonl"))
    _copy_games(path, copies)
    ran["stored"] = games * copies
    spent = _spent()
    ran["list"] = run("list")
    ran["list_cpu"] = _spent() - spent
    _open_tables(path, tables)
    starts: list[Start] = []
    for name, database_name in (("empty", "empty.sqlite"), ("full", path.name)):
        starts = [_start(folder, database_name, source, 5.0) for _ in range(STARTS)]
        ran[name] = median(start.seconds for start in starts)
        ran[f"{name}_cpu"] = median(start.cpu for start in starts)
    ran["mb"] = median(start.memory for start in starts) / 1e6
    return ran


def _spent() -> float:
    """CPU seconds of all commands that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _copy_games(path: Path, copies: int) -> None:
    """Store each game under further ids, its content with them: importing so many takes long."""
    with sqlite3.connect(path) as connection:
        for kind, keys in KEYS.items():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({kind})")]
            if not columns:  # an older version
                continue
            given = ", ".join(columns)
            taken = ", ".join(f"{c} || ?" if c in keys else c for c in columns)
            connection.execute(f"CREATE TEMP TABLE first_{kind} AS SELECT * FROM {kind}")
            for number in range(1, copies):
                connection.execute(
                    f"INSERT INTO {kind} ({given}) SELECT {taken} FROM first_{kind}",
                    [f"-{number}"] * len(keys.intersection(columns)),
                )


def _random_game(number: int) -> dict[str, Any]:
    shuffle = Shuffle(seed_of_series("growth", number))
    game = Game.shuffled(setup(shipped(), SEATS), shuffle.stream())
    rng = random.Random(number)
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    players = [{"name": f"Player {seat}", "level": None} for seat in range(1, SEATS + 1)]
    return to_record(game, shuffle, players=players)


class Start(NamedTuple):
    """Seconds and CPU seconds until a server answers, and its memory after a rest."""

    seconds: float
    cpu: float
    memory: int


def _start(folder: Path, database: str, source: Path | None, rest: float) -> Start:
    began = time.perf_counter()
    nowhere = Cores(set(), set())
    with server(f"sqlite:///{folder / database}", folder, nowhere, 1, source) as running:
        seconds, cpu = time.perf_counter() - began, running.cpu()
        time.sleep(rest)
        return Start(seconds, cpu, running.memory())


def _open_tables(path: Path, count: int) -> None:
    """Store copies of a table at which four people have begun to play."""
    log = _begun_table()
    with sqlite3.connect(path) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(game_table)")}
        awaits = ", awaits_server" if "awaits_server" in columns else ""
        for number in range(count):
            table = f"{number:022d}"
            connection.execute(
                f"INSERT INTO game_table (id, status, listed, created_at, changed_at{awaits})"
                f" VALUES (?, 'playing', 0, 1, 1{', 0' if awaits else ''})",
                (table,),
            )
            connection.executemany(
                "INSERT INTO step (table_id, number, turn, token, at, body, secret)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (table, step.number, step.turn, os.urandom(16), step.at, *e.to_stored(step))
                    for step in log
                ],
            )


def _begun_table() -> list[e.Step]:
    state, log = TableState("t" * 22), list[e.Step]()

    def do(draft: Draft | None) -> None:
        assert draft is not None
        log.append(draft.step(state.number + 1, 1_000_000 + state.number))
        state.apply(log[-1])

    people = [f"{seat:022d}" for seat in range(SEATS)]
    do(commands.create(people[0], [None] * SEATS, {0: "Player 0"}, Settings(), bytes(32)))
    for person in people[1:]:
        do(commands.take_seat(state, person, f"Player {person[-1]}", None))
    for person in people:
        do(commands.ready(state, person, 1, commitment(person.encode()).hex()))
    for person in people:
        do(commands.reveal(state, person, 1, person.encode()))
    return log


def load(folder: Path, source: Path | None, given: argparse.Namespace) -> dict[str, float]:
    found = _limit(folder, source, given, 1, None)
    result = {"good": found[0], "p99": found[1], "ms": found[2]}
    if given.postgres:
        for name, workers in (("one", 1), ("two", 2)):
            good, _, ms = _limit(folder, source, given, workers, given.postgres)
            result |= {name: good, f"{name}_ms": ms}
    return result


def _limit(
    folder: Path, source: Path | None, given: argparse.Namespace, workers: int, url: str | None
) -> tuple[float, float, float]:
    """The last good rate, with its p99 and its CPU time of a turn in milliseconds."""
    out = folder / "load.json"
    options = {
        "--tables": given.load_tables,
        "--rate": given.load_rate,
        "--seconds": given.seconds,
        "--workers": workers,
        "--json": out,
    }
    command = [sys.executable, str(LOAD), "--runs", "1", "--idle", "1", "--find-limit"]
    for name, value in options.items():
        command += [name, str(value)]
    command += [] if url is None else ["--database", url]
    command += [] if source is None else ["--source", str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    limit = json.loads(out.read_text("utf-8"))["limit"]
    tried = limit["tried"]
    good = limit["good"] or 0.0
    best = next((run for run in reversed(tried) if run["rate"] == good), tried[0])
    return good, best["p99"], 1000 * best["server_cpu"] / best["turns_a_second"]


def show(found: dict[str, dict[str, float]], tables: int) -> None:
    games = " and ".join(f"{run['games']:,.0f} ({name})" for name, run in found.items())
    table = Table(title=f"{games} finished games, {tables:,} open tables")
    table.add_column("what")
    for name in found:
        table.add_column(name, justify="right")
    table.add_column("promised")
    for key, (what, form, promised) in ROWS.items():
        if any(key in run for run in found.values()):
            cells = [form.format(run[key]) if key in run else "" for run in found.values()]
            table.add_row(what, *cells, promised)
    Console(width=None if Console().is_terminal else 110).print(table)


if __name__ == "__main__":
    main()
