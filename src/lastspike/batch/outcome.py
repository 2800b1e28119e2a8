"""How games ended: why, who won, and everybody's place (E2)."""

from __future__ import annotations

from typing import NamedTuple

from .arrays import Array, ArrayModule, as_array, total
from .board import Board
from .state import NONE, State
from .steps.bankruptcy import one_is_left

REASONS = ("last spike", "last player", "no tiles left")


class Outcome(NamedTuple):
    """For games that are not over, the ranking as if they ended now.

    reason    [games]         its index in REASONS, or NONE if the game isn't over
    ranks     [games, seats]  equal players share a rank (1, 1, 3); 0 for an empty seat
    winners   [games, seats]  who has rank 1
    land      [games, seats]  the total price of the cards held, in thousands, which breaks ties
    """

    reason: Array
    ranks: Array
    winners: Array
    land: Array


def outcome(board: Board, state: State, xp: ArrayModule) -> Outcome:
    """E2: most cash, then most land; bankrupts below all others, who went out last first."""
    land = land_prices(board, state, xp)
    in_game = state.places == NONE
    # Places among the bankrupts, made negative, are less than any cash.
    first = xp.where(in_game, state.purses, state.places - state.seats)
    ahead = first > first[:, None]
    equal = first == first[:, None]
    ahead = ahead | (equal & (land > land[:, None]))
    ranks = 1 + xp.sum(ahead & board.seats, axis=1, dtype=xp.int32)
    ranks = xp.where(board.seats, ranks, 0).T
    return Outcome(_reason(board, state, xp), ranks, as_array(ranks == 1), land.T)


def land_prices(board: Board, state: State, xp: ArrayModule) -> Array:
    """E2, [seats, games]: the total price of the land each seat holds, in thousands."""
    seats = range(state.seats)
    return xp.stack([total((state.holders == seat) * board.prices, xp.int32, xp) for seat in seats])


def _reason(board: Board, state: State, xp: ArrayModule) -> Array:
    last_player = one_is_left(board.players, state, xp)
    ended = xp.where(state.last_spike != NONE, 0, xp.where(last_player, 1, 2))
    return xp.where(state.over, ended, NONE)
