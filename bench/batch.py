"""Random games a second of the batch engine on one core, beside `rules` in the same run.

    python bench/batch.py [--games 4096] [--rounds 7] [--players 4] [--jax] [--json]

The engines take turns: in each round every one plays, and the ratio is that within the round. What
is printed is the median over the rounds. Seconds are those of the processor, except with `--jax`,
which plays on whatever device JAX finds and is timed by the clock.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from lastspike.batch import (
    Board,
    State,
    board_of,
    legal_actions,
    random_actions,
    random_deals,
    random_remix,
    step,
)
from lastspike.rules.position import advance, legal_moves, start
from lastspike.rules.shipped import shipped
from lastspike.rules.shuffle import SECRET_BYTES, Stream, deal
from lastspike.rules.table import Setup, setup

RULES = "rules, playouts"
RULES_GAMES = 400
"""In each round: enough of them for the clock, few enough for patience."""


class Speed(NamedTuple):
    games: float
    moves: float


Play = Callable[[int], tuple[int, int]]
"""Plays a round, given its number; returns how many games and moves that were."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4096, help="in a batch")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--jax", action="store_true", help="play with JAX as well")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    table = setup(shipped(), given.players)
    engines: dict[str, Play] = {RULES: play_rules(table)}
    engines["batch, NumPy"] = play_numpy(board_of(table), given.games)
    clock = time.process_time
    if given.jax:
        engines["batch, JAX"] = play_jax(board_of(table), given.games)
        clock = time.perf_counter
    rows = rows_of(measure(engines, given.rounds, clock))
    if given.json:
        print(json.dumps(rows, indent=2))
    else:
        show(rows, given.games, given.players)


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
    """All games at once until the last is over."""

    def play(number: int) -> tuple[int, int]:
        rng = np.random.default_rng(number)
        remix = random_remix(rng, games, board.shape)
        state = random_deals(board, games, rng, remix, np)
        moves = 0
        while going_on := games - int(state.over.sum()):
            actions = random_actions(legal_actions(board, state, np), rng, np)
            state = step(board, state, actions, remix, np)
            moves += going_on
        return games, moves

    return play


def play_jax(board: Board, games: int) -> Play:
    """The same, compiled."""
    import jax
    import jax.numpy as jnp

    @jax.jit  # type: ignore[untyped-decorator]
    def play_all(key: Any) -> Any:
        for_remix, for_deal, for_moves = jax.random.split(key, 3)
        remix = random_remix(for_remix, games, board.shape)
        state = random_deals(board, games, for_deal, remix, jnp)

        def go_on(carried: tuple[State, Any, Any]) -> tuple[State, Any, Any]:
            state, key, moves = carried
            key, now = jax.random.split(key)
            moves += (~state.over).sum()
            actions = random_actions(legal_actions(board, state, jnp), now, jnp)
            return step(board, state, actions, remix, jnp), key, moves

        begun = (state, for_moves, jnp.zeros((), dtype=jnp.int32))
        return jax.lax.while_loop(lambda carried: ~carried[0].over.all(), go_on, begun)[2]

    return lambda number: (games, int(play_all(jax.random.key(number))))


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


def show(rows: list[dict[str, Any]], games: int, players: int) -> None:
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


if __name__ == "__main__":
    main()
