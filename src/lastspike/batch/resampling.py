"""Dealing anew what a seat can't see: worlds that it can't tell from the real one."""

from __future__ import annotations

from .arrays import Array, ArrayModule, as_array, is_at, total
from .board import Board
from .luck import LIMIT, Source, random_numbers
from .state import ASIDE, NONE, POOL, State


def resample(board: Board, state: State, viewer: Array, source: Source, xp: ArrayModule) -> State:
    """The same games, with all tiles that the viewer, [games], can't place dealt anew, each way as
    likely as any other. A tile that is to be paid for stays where it is: everybody knows of it."""
    own = is_at(viewer, state.seats, xp)
    known = own | board.hands_open[:, None]  # [games, seats]
    seats = xp.arange(state.seats)[None, :, None]
    shown = ((state.tiles[:, None, :] == seats) & known[:, :, None]).any(axis=1)
    chosen = is_at(state.chosen, state.spaces, xp)
    unseen = board.tiles & ~state.track & ~shown & ~chosen
    lots = xp.where(unseen, random_numbers(source, state.tiles.shape), LIMIT)
    place = xp.argsort(xp.argsort(lots, axis=1), axis=1).astype(xp.int32)
    raising = own_tile(state, xp)
    to_deal = xp.where(known, 0, state.held - raising)
    ends = xp.cumsum(to_deal, axis=1, dtype=xp.int32)
    seat = total(place[:, :, None] >= ends[:, None, :], 2, xp)
    aside = total(state.tiles == ASIDE, 1, xp)
    in_hands = ends[:, -1]
    elsewhere = xp.where(place < (in_hands + aside)[:, None], ASIDE, POOL)
    dealt = xp.where(place < in_hands[:, None], seat, elsewhere)
    return state._replace(
        tiles=xp.where(unseen, dealt, state.tiles).astype(xp.int8),
        order=xp.where(unseen, place, state.order),
    )


def own_tile(state: State, xp: ArrayModule) -> Array:
    """[games, seats]: 1 for who has chosen a tile and raises the money for it."""
    mover = is_at(state.turn, state.seats, xp)
    return as_array(mover & (state.chosen != NONE)[:, None]).astype(xp.int32)
