"""Setting up (S): new games from given deals, or dealt at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastspike.rules.hidden import Deal
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, total
from .board import Board
from .luck import LIMIT, Source, random_numbers, split
from .state import ASIDE, LAY, NONE, NOWHERE, POOL, State
from .turn import begin


def from_deals(board: Board, deals: Sequence[Deal], remix: Array, xp: ArrayModule) -> State:
    """New games of these deals, in the order given. `remix` is for a first player who is bankrupt
    at once, see `go_bankrupt`."""
    shape = board.shape
    order = np.full((len(deals), shape.spaces), shape.spaces, dtype=np.int32)
    for game, deal in enumerate(deals):
        tiles = [*deal.aside, *(tile for hand in deal.hands for tile in hand), *deal.pool]
        order[game, tiles] = np.arange(len(tiles))
    first = np.array([deal.first for deal in deals], dtype=np.int32)
    return begin(board, _dealt(board, xp.asarray(order), xp.asarray(first), xp), remix, xp)


def random_deals(board: Board, games: int, source: Source, remix: Array, xp: ArrayModule) -> State:
    """S2, S3: new games, the tiles mixed at random.

    Every seat is as likely as any other to draw the tile nearest A1, so who is first is drawn
    without the tiles. This is not the verifiable shuffle.
    """
    for_tiles, for_first = split(source, 2)
    mixed = random_numbers(for_tiles, (games, board.shape.spaces))
    mixed = xp.where(board.tiles, mixed, LIMIT)  # what is no tile comes after all tiles
    order = xp.argsort(xp.argsort(mixed, axis=1), axis=1).astype(xp.int32)
    first = (random_numbers(for_first, (games,)) % board.players).astype(xp.int32)
    return begin(board, _dealt(board, order, first, xp), remix, xp)


def _dealt(board: Board, order: Array, first: Array, xp: ArrayModule) -> State:
    """S3: `order` tells each tile's place among the mixed ones. From the front are taken the tiles
    put aside, then each seat's hand; the rest is the pool."""
    shape = board.shape
    games = order.shape[0]
    aside, size, players = board.aside[:, None], board.hand_size[:, None], board.players[:, None]
    taken = aside + players * size
    seat = (order - aside) // size
    tiles = xp.where(order < aside, ASIDE, xp.where(order < taken, seat, POOL))
    cities = xp.arange(shape.cities, dtype=xp.int32)[None, :]
    left = total(board.tiles, 1, xp)[:, None] - taken
    nobody = xp.full((games,), NONE, dtype=xp.int32)
    return State(
        tiles=xp.where(board.tiles, tiles, NOWHERE).astype(xp.int8),
        order=order,
        held=_for_all(board.seats * size, games, xp),
        left=_for_all(left, games, xp)[:, 0],
        land=xp.full((games, shape.cards), BANK, dtype=xp.int8),
        cash=_for_all(board.seats * board.purse[:, None], games, xp),
        turn=first,
        phase=xp.full((games,), LAY, dtype=xp.int32),
        chosen=nobody,
        bankrupt=xp.full((games, shape.seats), NONE, dtype=xp.int32),
        last_spike=nobody,
        linked=_for_all(cities, games, xp),
        unpaid=_for_all(board.unpaid, games, xp),
    )


def _for_all(rows: Array, games: int, xp: ArrayModule) -> Array:
    return xp.broadcast_to(rows, (games, rows.shape[1])).astype(xp.int32)
