"""Random games and the digests of their traces, for CPython and for the worker's Python.

It runs in both, so it imports nothing of the tests.
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import product
from random import Random

from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.rules.game import Game
from lastspike.rules.records.record import read_record, to_record
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.records.trace import trace
from lastspike.rules.table import Options, setup

OPTIONS = [
    Options(double_cost, cash, hands)  # type: ignore[arg-type]  # product loses the literals
    for double_cost, cash, hands in product(
        ("forced", "open"), ("open", "hidden"), ("hidden", "open")
    )
]


def random_game(number: int) -> Game:
    """Game number so much, with each edition, number of players and option in turn."""
    edition = shipped(shipped_ids()[number % len(shipped_ids())])
    counts = sorted(edition.player_counts)
    options = OPTIONS[number // 7 % len(OPTIONS)]
    chosen = setup(edition, counts[number // 3 % len(counts)], options)
    game = Game.shuffled(chosen, Stream(seed_of_text(f"random game {number}")))
    source = Random(number)
    while game.turn is not None:
        game.play(source.choice(game.legal_moves))
    return game


def digest(number: int) -> str:
    """Of the trace, of what each seat saw, and of the record, which is read again first."""
    game = random_game(number)
    record = to_record(game)
    seen = [str(game.view(seat).history) for seat in range(game.setup.players)]
    again = read_record(json.loads(json.dumps(record))).game
    told = [list(trace(again)), seen, record]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def digests(first: int, last: int) -> list[str]:
    return [digest(number) for number in range(first, last)]
