"""How long a quick review takes, and how near it comes to a full one.

    python bench/quick_review.py [--games 4] [--players 4] [--playouts 40000]

The games are between Clerks and Surveyors. Seconds are those of the processor. The differences are
root mean squares over the game; the full review has errors of its own, which are beside them.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from lastspike.bots.levels import make_player
from lastspike.review import PLAYOUTS, Review, review
from lastspike.review.quick import quick_review
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import Record, read_record, to_record
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import setup


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    asked = parser.parse_args()
    table = Table("turns", "quick, s", "full, s", "chance", "luck", "own play", "deciding turn")
    quick_review(played(asked.players, "warm-up"), "")
    for number in range(asked.games):
        record = played(asked.players, f"quick/{number}")
        begin = time.process_time()
        quick = quick_review(record, "quick")
        between = time.process_time()
        full = review(record, "full", asked.playouts)
        end = time.process_time()
        table.add_row(
            str(len(full.turns)),
            f"{between - begin:.2f}",
            f"{end - between:.1f}",
            chances_apart(quick, full),
            parts_apart(quick, full, "luck"),
            parts_apart(quick, full, "own_play"),
            f"{quick.deciding[0].turn} ({', '.join(str(each.turn) for each in full.deciding)})",
        )
    Console().print(table)


def played(players: int, seed: str) -> Record:
    game = Game.shuffled(setup(shipped(), players), Stream(seed_of_text(seed)))
    bots = [make_player(("clerk", "surveyor")[seat % 2], seed) for seat in range(players)]
    while game.turn is not None:
        for move in bots[game.turn].turn(game.view(game.turn)):
            game.play(move)
    return read_record(to_record(game))


def chances_apart(quick: Review, full: Review) -> str:
    apart = [
        one - other
        for a, b in zip(quick.chances[:-1], full.chances[:-1], strict=True)
        for one, other in zip(a.chances, b.chances, strict=True)
    ]
    return f"{rms(apart):.3f} ± {max(at.error for at in full.chances):.3f}"


def parts_apart(quick: Review, full: Review, part: str) -> str:
    pairs = [
        (getattr(one, part), getattr(other, part))
        for one, other in zip(quick.luck, full.luck, strict=True)
    ]
    apart = rms(one.mean - other.mean for one, other in pairs)
    return f"{apart:.2f} ± {rms(other.error for _, other in pairs):.2f}"


def rms(values: Iterable[float]) -> float:
    squares = [value**2 for value in values]
    return math.sqrt(sum(squares) / len(squares))


if __name__ == "__main__":
    main()
