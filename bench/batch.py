"""Random games a second of the batch engine on one core, beside `rules` in the same run.

    python bench/batch.py [--games 16384] [--rounds 7] [--players 4] [--json]
                          [--jax] [--sizes 4096,65536,1048576]

The engines take turns: in each round every one plays, and the ratio is that within the round. What
is printed is the median over the rounds. Seconds are those of the processor, except with `--jax`,
which plays on whatever device JAX finds and is timed by the clock; `--sizes` then shows how many
turns a second batches of these sizes reach there. OpenSpiel and Pgx play too where installed.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from batch_peers import Play, peers
from lastspike.batch import (
    Board,
    board_of,
    games_of,
    legal_actions,
    random_actions,
    random_deals,
    random_remix,
    step,
)
from lastspike.lab.arena.bulk import STILL_WORTH_IT
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.position import advance, legal_moves, start
from lastspike.rules.records.shuffle import SECRET_BYTES, Stream, deal
from lastspike.rules.table import Setup, setup

if TYPE_CHECKING:
    from batch_jax import OfSize

RULES = "rules, playouts"
NUMPY = "batch, NumPy"
JAX = "batch, JAX"

RULES_GAMES = 400
"""In each round: enough of them for the clock, few enough for patience."""


class Speed(NamedTuple):
    games: float
    moves: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=16384, help="in a batch")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--jax", action="store_true", help="play with JAX as well")
    parser.add_argument("--sizes", default="", help="with --jax: batches of so many games")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    table = setup(shipped(), given.players)
    others, missing = peers()
    engines: dict[str, Play] = {
        RULES: play_rules(table),
        NUMPY: play_numpy(board_of(table), given.games),
    }
    clock = time.process_time
    sizes: list[OfSize] = []
    if given.jax:
        from batch_jax import measure_sizes, play_jax

        engines[JAX] = play_jax(board_of(table), given.games)
        clock = time.perf_counter
        wanted = [int(size) for size in given.sizes.split(",") if size]
        sizes = measure_sizes(board_of(table), wanted, given.rounds) if wanted else []
    rows = rows_of(measure(engines | others, given.rounds, clock))
    if given.json:
        by_size = [size._asdict() for size in sizes]
        print(json.dumps({"engines": rows, "sizes": by_size, "missing": missing}, indent=2))
        return
    show(rows, missing, given.games, given.players)
    if sizes:
        show_sizes(sizes)


def play_rules(table: Setup) -> Play:
    """One game after the other through `advance`: unchecked, in place, without events."""

    def play(number: int) -> tuple[int, int]:
        rng = random.Random(number)
        moves = 0
        for _ in range(RULES_GAMES):
            stream = Stream(rng.randbytes(SECRET_BYTES))
            position, _ = start(table, deal(table, stream), stream.shuffle)
            while legal := legal_moves(position):
                advance(position, legal[int(rng.random() * len(legal))], stream.shuffle)
                moves += 1
        return RULES_GAMES, moves

    return play


def play_numpy(board: Board, games: int) -> Play:
    """All games at once until the last is over; those that are over are left out now and then."""

    def play(number: int) -> tuple[int, int]:
        rng = np.random.default_rng(number)
        remix = random_remix(rng, games, board.shape)
        state = random_deals(board, games, rng, remix, np)
        moves = 0
        while going_on := state.games - int(state.over.sum()):
            if going_on < STILL_WORTH_IT * state.games:
                numbers = np.flatnonzero(~state.over)
                state, remix = games_of(state, numbers), remix[numbers]
            actions = random_actions(legal_actions(board, state, np), rng, np)
            state = step(board, state, actions, remix, np)
            moves += going_on
        return games, moves

    return play


def measure(
    engines: dict[str, Play], rounds: int, clock: Callable[[], float]
) -> dict[str, list[Speed]]:
    """By engine, its speed in each round. Every engine plays once before that, to warm up."""
    speeds: dict[str, list[Speed]] = {name: [] for name in engines}
    watched = Console(stderr=True)
    bar = Progress(console=watched, transient=True, disable=not watched.is_terminal)
    with bar:
        turns = [(number, name) for number in range(rounds + 1) for name in engines]
        for number, name in bar.track(turns, description="Measuring"):
            begun = clock()
            games, moves = engines[name](number)
            seconds = clock() - begun
            if number:
                speeds[name].append(Speed(games / seconds, moves / seconds))
    return speeds


def rows_of(speeds: dict[str, list[Speed]]) -> list[dict[str, Any]]:
    """One row an engine."""
    return [
        {
            "engine": name,
            "games_a_second": median(speed.games for speed in rounds),
            "moves_a_second": median(speed.moves for speed in rounds),
            "times_rules": median(
                own.games / other.games for own, other in zip(rounds, speeds[RULES], strict=True)
            ),
        }
        for name, rounds in speeds.items()
    ]


def show(rows: list[dict[str, Any]], missing: list[str], games: int, players: int) -> None:
    table = Table(title=f"Random games of {players}, the deal included; {games:,} in a batch")
    table.add_column("engine")
    for heading in ("games/s", "moves/s", "x rules"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row["engine"],
            f"{row['games_a_second']:,.0f}",
            f"{row['moves_a_second']:,.0f}",
            f"{row['times_rules']:.2f}",
        )
    Console().print(table)
    if missing:
        Console().print(f"Not installed: {', '.join(missing)}.")


def show_sizes(sizes: list[OfSize]) -> None:
    table = Table(title=f"JAX, by batch size; a state has {sizes[0].state_bytes} bytes")
    for heading in ("games", "games/s", "moves/s", "turns/s", "steps/s", "of the bandwidth"):
        table.add_column(heading, justify="right")
    for size in sizes:
        table.add_row(
            f"{size.games:,}",
            f"{size.games_a_second:,.0f}",
            f"{size.moves_a_second:,.0f}",
            f"{size.turns_a_second:,.0f}",
            f"{size.steps_a_second:,.1f}",
            f"{size.bandwidth_share:.1%}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
