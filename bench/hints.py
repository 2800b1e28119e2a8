"""How often a review blames a turn that the hint advised, and by how much.

    python bench/hints.py [--games 6] [--players 4] [--others surveyor] [--other CHECKOUT]

Every second player takes the hint each turn and follows it; the rest play as `--others`. Each game
is then reviewed. With `--other`, another version reviews the same games in the same run. The turns
of the rest show whether a review still finds mistakes where there are some.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from lastspike.bots.levels import TYCOON, make_player
from lastspike.review import PLAYOUTS, review, review_to_json
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import read_record, to_record
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import setup

HINT = "hint"
"""The seed of a hint."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--others", default="surveyor")
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--other", type=Path)
    parser.add_argument("--review", action="store_true", help="review the records on stdin")
    asked = parser.parse_args()
    if asked.review:
        json.dump(reviews(json.load(sys.stdin), asked.playouts), sys.stdout)
        return
    records = [played(asked.players, asked.others, f"hints/{n}") for n in range(asked.games)]
    table = Table(
        "version",
        "turns",
        "followed",
        "blamed",
        "worst",
        "points in all",
        "own",
        "blamed",
        "points in all",
        "s a review",
    )
    if asked.other:
        table.add_row("other", *figures(in_checkout(asked.other, records, asked.playouts)))
    table.add_row("this", *figures(reviews(records, asked.playouts)))
    Console(width=120).print(table)


def played(players: int, others: str, seed: str) -> dict[str, Any]:
    game = Game.shuffled(setup(shipped(), players), Stream(seed_of_text(seed)))
    rest = make_player(others, seed)
    while game.turn is not None:
        player = rest if game.turn % 2 else make_player(TYCOON, HINT)
        for move in player.turn(game.view(game.turn)):
            game.play(move)
    return to_record(game)


def reviews(records: list[dict[str, Any]], playouts: int) -> list[dict[str, Any]]:
    found = []
    for record in records:
        begun = time.process_time()
        made = review_to_json(review(read_record(record), "hints", playouts))
        made["seconds"] = time.process_time() - begun
        found.append(made)
    return found


def in_checkout(
    checkout: Path, records: list[dict[str, Any]], playouts: int
) -> list[dict[str, Any]]:
    command = [sys.executable, __file__, "--review", "--playouts", str(playouts)]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    asked = json.dumps(records)
    answer = subprocess.run(
        command, input=asked, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    found: list[dict[str, Any]] = json.loads(answer.stdout)
    return found


def figures(found: list[dict[str, Any]]) -> list[str]:
    """The cells of a version's row."""
    turns = [turn for each in found for turn in each["turns"]]
    cells = [str(len(turns))]
    for own in (False, True):
        these = [t for t in turns if t["seat"] % 2 == own and not t["judgement"]["forced"]]
        losses = [100 * t["judgement"]["loss"]["mean"] for t in these if t["judgement"]["loss"]]
        cells += [str(len(these)), str(len(losses))]
        if not own:
            cells.append(f"{max(losses, default=0):.1f}")
        cells.append(f"{sum(losses):.0f}")
    return [*cells, f"{sum(each['seconds'] for each in found) / len(found):.1f}"]


if __name__ == "__main__":
    main()
