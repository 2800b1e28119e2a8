"""The game of the Daily Deal: the seat, the opponents, and what follows from the day's link."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from lastspike.rules.board import Seat
from lastspike.rules.editions.shipped import DEFAULT_EDITION, shipped
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import Stream, deal
from lastspike.rules.table import Setup, setup

SEAT: Seat = 0
OPPONENTS = ("surveyor", "surveyor", "surveyor")
"""Three of the same level that the score measures against, so that its playouts are played as the
game itself is. They answer within milliseconds, however many people play."""
LEVELS: tuple[str | None, ...] = (None, *OPPONENTS)
EDITION = DEFAULT_EDITION
STAND_IN = "surveyor"
"""Plays on for a person who gives up."""


def daily_setup() -> Setup:
    return setup(shipped(EDITION), len(LEVELS))


def daily_game(link: bytes, moves: Sequence[str] = ()) -> Game:
    """The game that a day's link deals, after these moves."""
    table = daily_setup()
    stream = Stream(link)
    game = Game(table, deal(table, stream), stream)
    for move in moves:
        game.play(table.board.parse(move))
    return game


def player_seed(link: bytes, turn: int) -> str:
    """The seed of a computer player's turn. It follows from the day's link alone, so that the same
    moves meet the same answers."""
    return hashlib.sha256(
        b"lastspike/daily/player" + link + turn.to_bytes(4, "big", signed=True)
    ).hexdigest()
