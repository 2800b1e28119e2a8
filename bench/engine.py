"""Random games a second of our engine on one core, beside other people's engines.

    python bench/engine.py [--seconds 1] [--rounds 7] [--json]

Machines are noisy, so the engines take turns: in each round every one plays for a while, and its
ratio to python-chess is that within the round. What is printed is the median over the rounds.
Seconds are those of the processor: what other programs take of the core does not count. Each row
says what its games include: compare rows that include the same.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from lastspike.rules.editions.shipped import shipped
from lastspike.rules.position import advance, legal_moves, play, start
from lastspike.rules.records.shuffle import SECRET_BYTES, Stream, deal
from lastspike.rules.table import setup
from peers import PEERS, Peer, PythonChess, pick

FOUR_PLAYERS = setup(shipped(), 4)


class WithEvents:
    """Our engine through `legal_moves` and `play`: checked, a new position a move, with events."""

    name = "lastspike, play"
    includes = "checks, events, a new position a move"
    goal = 35
    """How many of our games in the time of one of python-chess's."""

    def available(self) -> bool:
        return True

    def play(self, rng: random.Random) -> int:
        stream = Stream(rng.randbytes(SECRET_BYTES))
        position, _ = start(FOUR_PLAYERS, deal(FOUR_PLAYERS, stream), stream.shuffle)
        count = 0
        while moves := legal_moves(position):
            position, _ = play(position, pick(moves, rng), stream.shuffle)
            count += 1
        return count


class Playout:
    """Our engine through `advance`: unchecked, in place, without events."""

    name = "lastspike, playouts"
    includes = "the verifiable shuffle"
    goal = 60

    def available(self) -> bool:
        return True

    def play(self, rng: random.Random) -> int:
        stream = Stream(rng.randbytes(SECRET_BYTES))
        position, _ = start(FOUR_PLAYERS, deal(FOUR_PLAYERS, stream), stream.shuffle)
        count = 0
        while moves := legal_moves(position):
            advance(position, pick(moves, rng), stream.shuffle)
            count += 1
        return count


class Observed:
    """As `Playout`, with the observation and the mask of every move, as a learner gets them."""

    name = "lastspike, observed"
    includes = "the verifiable shuffle, an observation and a mask a move"
    goal: int | None = None

    def __init__(self) -> None:
        self._encoder: Any = None

    def available(self) -> bool:
        from lastspike.lab.research.encoding import Encoder  # loads NumPy

        self._encoder = Encoder(FOUR_PLAYERS)
        return True

    def play(self, rng: random.Random) -> int:
        stream = Stream(rng.randbytes(SECRET_BYTES))
        position, _ = start(FOUR_PLAYERS, deal(FOUR_PLAYERS, stream), stream.shuffle)
        encoder, count = self._encoder, 0
        while moves := legal_moves(position):
            encoder.observation(position, position.table.turn)
            encoder.mask(position, position.table.turn)
            advance(position, pick(moves, rng), stream.shuffle)
            count += 1
        return count


OURS = (WithEvents(), Playout(), Observed())
YARDSTICK = PythonChess.name


class Speed(NamedTuple):
    """What an engine did in one round, a second."""

    games: float
    moves: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each engine in each round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    everyone: list[Peer] = [*OURS, *PEERS]
    engines = [peer for peer in everyone if peer.available()]
    rows = rows_of(engines, measure(engines, given.rounds, given.seconds))
    if given.json:
        print(json.dumps(rows, indent=2))
    else:
        show(rows)


def measure(engines: Sequence[Peer], rounds: int, seconds: float) -> dict[str, list[Speed]]:
    """By engine, its speed in each round. Every engine plays once before that, to warm up."""
    rng = random.Random(1869)
    for engine in engines:
        engine.play(rng)
    turns = [engine for _ in range(rounds) for engine in engines]
    speeds: dict[str, list[Speed]] = {engine.name: [] for engine in engines}
    watched = Console(stderr=True)
    bar = Progress(console=watched, transient=True, disable=not watched.is_terminal)
    with bar:
        for engine in bar.track(turns, description="Measuring"):
            speeds[engine.name].append(timed(engine.play, rng, seconds))
    return speeds


def timed(play_game: Callable[[random.Random], int], rng: random.Random, seconds: float) -> Speed:
    """Whole games until the time is up, and the time that they took."""
    games = moves = 0
    begun = now = time.process_time()
    while now - begun < seconds:
        moves += play_game(rng)
        games += 1
        now = time.process_time()
    return Speed(games / (now - begun), moves / (now - begun))


def rows_of(engines: Sequence[Peer], speeds: dict[str, list[Speed]]) -> list[dict[str, Any]]:
    """One row an engine. `times_python_chess` is null where python-chess is not installed."""
    includes = {engine.name: engine.includes for engine in engines}
    goals = {engine.name: engine.goal for engine in OURS}
    chess = speeds.get(YARDSTICK)
    return [
        {
            "engine": name,
            "games_a_second": median(speed.games for speed in rounds),
            "moves_a_second": median(speed.moves for speed in rounds),
            "times_python_chess": median(map(_ratio, rounds, chess)) if chess else None,
            "goal": goals.get(name),
            "includes": includes[name],
        }
        for name, rounds in speeds.items()
    ]


def show(rows: Sequence[dict[str, Any]]) -> None:
    table = Table(title="Random games on one core; ours with four players, the deal included")
    table.add_column("engine")
    for heading in ("games/s", "moves/s", "x python-chess"):
        table.add_column(heading, justify="right")
    table.add_column("goal")
    for row in rows:
        ratio, goal = row["times_python_chess"], row["goal"]
        verdict = ""
        if goal and ratio is None:
            verdict = f"{goal}: not compared"
        elif goal:
            verdict = f"{goal}: {'met' if ratio >= goal else 'not met'}"
        table.add_row(
            row["engine"],
            _number(row["games_a_second"]),
            _number(row["moves_a_second"]),
            "-" if ratio is None else _number(ratio),
            verdict,
        )
    Console().print(table)
    Console().print("A game includes, beside moves chosen at random and the deal:")
    for row in rows:
        Console().print(f"  {row['engine']}: {row['includes']}", soft_wrap=True)


def _ratio(own: Speed, other: Speed) -> float:
    return own.games / other.games


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


if __name__ == "__main__":
    main()
