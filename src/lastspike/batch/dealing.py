"""Setup (S): new games from given deals, or dealt at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.hidden import Deal
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, numbers_below, total
from .board import Board
from .luck import LIMIT, Source, random_numbers, split
from .state import ASIDE, CITIES_BITS, LAY, NONE, NOWHERE, POOL, State
from .steps.buying import NOT_FOR_SALE
from .steps.turn import begin

PLACES = 1 << 7
"""More than the tiles of any pile."""


def from_deals(board: Board, deals: Sequence[Deal], remix: Array, xp: ArrayModule) -> State:
    """New games of these deals, in the order given. `remix` is for a first player who is bankrupt
    at once, see `go_bankrupt`."""
    pile = np.zeros((len(deals), board.shape.spaces), dtype=np.int8)
    for game, deal in enumerate(deals):
        tiles = [*deal.aside, *(tile for hand in deal.hands for tile in hand), *deal.pool]
        rest = sorted({*range(board.shape.spaces)} - {*tiles})
        pile[game] = [*reversed(tiles), *rest]
    first = np.array([deal.first for deal in deals], dtype=np.int8)
    return begin(board, _dealt(board, xp.asarray(pile), xp.asarray(first), xp), remix, xp)


def random_deals(board: Board, games: int, source: Source, remix: Array, xp: ArrayModule) -> State:
    """S2, S3: new games, the tiles mixed at random.

    Every seat is as likely as any other to draw the tile nearest A1, so the
    first player is drawn directly. This is not the verifiable shuffle.
    """
    for_tiles, for_first = split(source, 2)
    mixed = random_numbers(for_tiles, (games, board.shape.spaces))
    mixed = xp.where(board.tiles.T, mixed, LIMIT)  # what is no tile comes after all tiles
    pile = xp.argsort(mixed, axis=1)
    first = (random_numbers(for_first, (games,)) % board.players).astype(xp.int8)
    return begin(board, _dealt(board, pile, first, xp), remix, xp)


def _dealt(board: Board, pile: Array, first: Array, xp: ArrayModule) -> State:
    """S3: from the top of each game's pile, [games, spaces], come the tiles put aside, then each
    seat's hand; the rest is the pool. Above the top are spaces that only pad the map."""
    shape = board.shape
    games = len(pile)
    height = total(board.tiles, xp.int8, xp)
    left = height - board.aside - board.players * board.hand_size
    depth = height - 1 - _places_in(pile, xp).T.copy()
    seat = (depth - board.aside) // board.hand_size
    tiles = xp.where(depth < board.aside, ASIDE, xp.where(depth < height - left, seat, POOL))
    nobody = xp.full((games,), NONE, dtype=xp.int8)
    return State(
        tiles=xp.where(board.tiles, tiles, NOWHERE).astype(xp.int8),
        pool=pile.astype(xp.int8).T.copy(),
        left=_for_all(left, games, xp.int8, xp),
        hands=_for_all(board.seats * board.hand_size, games, xp.int8, xp),
        laid=xp.full((shape.routes, games), CITIES_BITS, dtype=xp.int8),
        linked=_for_all(numbers_below(shape.cities, xp.int16, xp), games, xp.int16, xp),
        unpaid=_for_all(board.unpaid, games, xp.int8, xp),
        holders=xp.full((shape.cards, games), BANK, dtype=xp.int8),
        stock=xp.full((shape.cities, games), (1 << CARDS_A_CITY) - 1, dtype=xp.int8),
        market=xp.full((shape.cities, games), NOT_FOR_SALE, dtype=xp.int32),
        purses=_for_all(board.seats * board.purse, games, xp.int32, xp),
        turn=first,
        phase=xp.full((games,), LAY, dtype=xp.int8),
        chosen=nobody,
        places=xp.full((shape.seats, games), NONE, dtype=xp.int8),
        last_spike=nobody,
    )


def _for_all(values: Array, games: int, dtype: Any, xp: ArrayModule) -> Array:
    """A value for all games, or one for each."""
    return xp.broadcast_to(values, (*values.shape[:-1], games)).astype(dtype)


def _places_in(piles: Array, xp: ArrayModule) -> Array:
    """[games, spaces]: of each tile, its place in the pile. Sorting numbers that have the place in
    their last bits is quicker than asking for the order."""
    places = xp.arange(piles.shape[1], dtype=xp.int16)
    numbered = piles.astype(xp.int16) * PLACES + places
    return (xp.sort(numbered, axis=1) % PLACES).astype(xp.int8)
