"""Resamples what a seat can't see: worlds with the same view as the real game.

The viewer must be the player to move: inferences from another player's turn (L6) are not made.
"""

from __future__ import annotations

from .arrays import Array, ArrayModule, as_array, is_at, total
from .board import Board
from .luck import LIMIT, Source, random_numbers
from .state import ASIDE, NONE, POOL, TRACK, State
from .steps.bankruptcy import mixed_pool


def resample(board: Board, state: State, viewer: Array, source: Source, xp: ArrayModule) -> State:
    """The same games in which all tiles that the viewer, [games], can't place are dealt again. All
    ways to deal them are equally likely. A chosen tile that must still be paid for is public and
    stays in place."""
    known = is_at(viewer, state.seats, xp) | board.hands_open  # [seats, games]
    seats = xp.arange(state.seats, dtype=xp.int8)[:, None, None]
    shown = ((state.tiles == seats) & known[:, None]).any(axis=0)
    chosen = is_at(state.chosen, state.spaces, xp)
    unseen = board.tiles & (state.tiles != TRACK) & ~shown & ~chosen
    lots = xp.where(unseen.T, random_numbers(source, unseen.T.shape), LIMIT)
    place = xp.argsort(xp.argsort(lots, axis=1), axis=1).astype(xp.int32).T
    to_deal = xp.where(known, 0, state.hands - raising_for_a_tile(state, xp))
    ends = xp.cumsum(to_deal, axis=0, dtype=xp.int32)
    seat = total(place >= ends[:, None], xp.int32, xp)
    in_hands, aside = ends[-1], total(state.tiles == ASIDE, xp.int32, xp)
    elsewhere = xp.where(place < in_hands + aside, ASIDE, POOL)
    dealt = xp.where(place < in_hands, seat, elsewhere)
    tiles = xp.where(unseen, dealt, state.tiles).astype(xp.int8)
    return state._replace(tiles=tiles, pool=mixed_pool(tiles, place, xp))


def raising_for_a_tile(state: State, xp: ArrayModule) -> Array:
    """[seats, games]: 1 for a player who has chosen a tile and is raising money for it."""
    mover = is_at(state.turn, state.seats, xp)
    return as_array(mover & (state.chosen != NONE)).astype(xp.int8)
