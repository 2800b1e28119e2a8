"""The two-player endgame, solved exactly. With an empty pool there is no chance left, and unseen
tiles are the opponent's or set aside, so few worlds are possible."""

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
"""The search limit per turn; it takes no longer than a long regular search."""

MOST_TILES = 6
"""In both hands together; with more, the limit rarely suffices."""


class TooLongError(Exception):
    """The search exceeded its limit."""


def is_near(view: View) -> bool:
    """Whether an exact search is worth trying."""
    two = len(view.table.bankrupt) == view.table.setup.players - 2
    return two and not view.pool and sum(view.tiles) <= MOST_TILES


def shares(view: View, turns: Sequence[list[Move]]) -> list[float]:
    """The viewer's share of the win for each turn, averaged over all possible worlds, with perfect
    play by players who know the world."""
    worlds = _worlds(view)
    ending = _Ending(view.table.turn)
    return [
        sum(ending.share(_after(world, moves)) for world in worlds) / len(worlds) for moves in turns
    ]


def _worlds(view: View) -> list[Position]:
    """All positions with the same view."""
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
    """Alpha-beta search for a seat, limited to POSITIONS."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.left = POSITIONS

    def share(self, position: Position, low: float = 0.0, high: float = 1.0) -> float:
        """The seat's share of the win with perfect play, clamped to these bounds."""
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
        advance(after, move, list)  # no remix: with two players a bankruptcy ends the game
    return after
