"""The turns of a recorded game: each with what its player saw, did, and what came of it."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from lastspike.rules.board import Seat
from lastspike.rules.events import Event
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.position import Position
from lastspike.rules.view import View


class PlayedTurn(NamedTuple):
    """One turn. `number` counts from 1, as accounts of games do.

    before    the position as the turn began
    view      all that the player knew then
    moves     what the player did
    events    what came of it, up to the next turn: drawing, skipped turns and bankruptcies too
    after     the position as the next turn began, or the end
    """

    number: int
    seat: Seat
    before: Position
    view: View
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    after: Position


class PlayedGame(NamedTuple):
    """`dealt` is what happened before the first turn, `start` the position then."""

    game: Game
    dealt: tuple[Event, ...]
    start: Position
    turns: tuple[PlayedTurn, ...]


def played_turns(game: Game) -> PlayedGame:
    """Replay a game turn by turn. One that is not over ends with what was played."""
    again = game.again()
    dealt, start = tuple(again.history), again.position
    turns: list[PlayedTurn] = []
    places = [*_beginnings(game), len(game.moves)]
    for begin, end in pairwise(places):
        seat = again.turn
        assert seat is not None
        before, view = again.position, again.view(seat)
        events: list[Event] = []
        for move in game.moves[begin:end]:
            events += again.play(move)
        moves = tuple(game.moves[begin:end])
        number = len(turns) + 1
        turns.append(PlayedTurn(number, seat, before, view, moves, tuple(events), again.position))
    return PlayedGame(game, dealt, start, tuple(turns))


def _beginnings(game: Game) -> list[int]:
    """The places of the moves that begin a turn: each turn lays or chooses one tile, first (T1)."""
    return [place for place, move in enumerate(game.moves) if move.kind == "lay"]
