"""Prepared positions of real games, in which a person takes over one seat.

Computers play a game from a seed, so the same position comes up every time. The server's own way to
play on from a record then makes a table of it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from lastspike.bots.surveyor import Surveyor
from lastspike.rules import Game, Stream, seed_of_text, setup, shipped
from lastspike.rules.records.record import to_record

from .people import TABLE, Person


class Position(NamedTuple):
    """After so many turns of a game of Surveyors it is this seat's turn."""

    players: int
    seed: str
    turns: int
    seat: int


POSITIONS = {
    "most-choices": Position(players=4, seed="table/0", turns=24, seat=1),
    "most-land": Position(players=4, seed="table/2", turns=35, seat=3),
    "six-players": Position(players=6, seed="table/3", turns=29, seat=0),
}


MOMENTS = {
    "early": Position(players=4, seed="table/0", turns=8, seat=1),
    "two-left": Position(players=4, seed="table/1", turns=37, seat=0),
    "last-spike": Position(players=4, seed="table/1", turns=41, seat=0),
}
"""Long before the last spike, two tiles from it, and one: W2 or X2, which are in the hand."""


@cache
def record_of(position: Position) -> dict[str, Any]:
    """The whole game; only its first turns are used."""
    game = Game.shuffled(
        setup(shipped(), players=position.players), Stream(seed_of_text(position.seed))
    )
    players = [Surveyor(seed=str(seat)) for seat in range(position.players)]
    while game.turn is not None:
        for move in players[game.turn].turn(game.view(game.turn)):
            game.play(move)
    return to_record(game)


def take_over(me: Person, name: str, level: str = "clerk") -> None:
    """Sit down in that position; it is my turn."""
    position = (POSITIONS | MOMENTS)[name]
    me.come()
    made = me.page.evaluate(
        """async asked => {
          const answer = await fetch("api/records/play-on", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(asked),
          });
          return answer.json();
        }""",
        {
            "name": "Ada",
            "record": record_of(position),
            "turns": position.turns,
            "seat": position.seat,
            "level": level,
        },
    )
    me.come(f"/table/{made['table']}")
    me.page.wait_for_url(TABLE)
    assert me.until_mine()
