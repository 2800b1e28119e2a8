"""The endgame of two players, solved exactly. Once the pool is empty nothing is left to luck, and
the tiles a player can't see are the opponent's or put aside: few worlds are left."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from lastspike.rules.board import Seat
from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome, win_share
from lastspike.rules.position import Position, advance, legal_moves
from lastspike.rules.table import Table
from lastspike.rules.view import View, resample

POSITIONS = 10_000
"""How many may be looked at before a turn, which takes no longer than a long search."""

MOST_TILES = 6
"""In both hands together; with more of them it is seldom found out with so few positions."""


class TooLongError(Exception):
    """It is not found out in time."""


def is_near(view: View) -> bool:
    """Whether it is worth a try."""
    two = len(view.table.bankrupt) == view.table.setup.players - 2
    return two and not view.pool and sum(view.tiles) <= MOST_TILES


def shares(view: View, turns: Sequence[list[Move]]) -> list[float]:
    """What share of the win each of the viewer's turns brings, on average over the worlds there can
    be, if nobody errs who knows in which of them they are."""
    worlds = _worlds(view)
    ending = _Ending(view.table.turn)
    return [
        sum(ending.share(_after(world, moves)) for world in worlds) / len(worlds) for moves in turns
    ]


def _worlds(view: View) -> list[Position]:
    """All positions that the viewer can't tell apart."""
    position = resample(view, Random(0))
    seats = range(view.table.setup.players)
    (other,) = (seat for seat in seats if view.table.in_game(seat) and seat != view.seat)
    if view.hands[other] is not None:
        return [position]
    unseen = sorted((*position.hidden.hands[other], *position.hidden.aside))
    found = []
    for aside in combinations(unseen, view.aside):
        hidden = position.hidden.copy()
        hidden.aside = aside
        hidden.hands[other] = [tile for tile in unseen if tile not in aside]
        found.append(Position(position.table, hidden))
    return found


class _Ending:
    """Alpha-beta search for a seat among a limited number of positions."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.left = POSITIONS

    def share(self, position: Position, low: float = 0.0, high: float = 1.0) -> float:
        """The seat's share of the win if nobody errs, if it is between these two; else the one
        that it is beyond."""
        if not self.left:
            raise TooLongError
        self.left -= 1
        table = position.table
        if table.phase == "over":
            return self._result(table)
        mine = table.turn == self.seat
        for move in legal_moves(position):
            share = self.share(_after(position, [move]), low, high)
            low, high = (max(low, share), high) if mine else (low, min(high, share))
            if low >= high:
                break
        return low if mine else high

    def _result(self, table: Table) -> float:
        ended = outcome(table)
        assert ended is not None
        return win_share(ended.winners, self.seat)


def _after(position: Position, moves: Sequence[Move]) -> Position:
    after = position.copy()
    for move in moves:
        advance(after, move, list)  # a bankruptcy among two ends the game: nothing is drawn
    return after
