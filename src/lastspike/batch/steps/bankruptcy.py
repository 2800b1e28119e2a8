"""Bankruptcy (K): what becomes of the tiles, cash and land of players who can't go on."""

from __future__ import annotations

from lastspike.batch.arrays import Array, ArrayModule, as_array, is_at, numbers_below, total
from lastspike.batch.board import Board
from lastspike.batch.luck import LIMIT
from lastspike.batch.state import NONE, POOL, State, cash_of_mover, pay
from lastspike.batch.subset import everywhere
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.table import BANK, OUT

from .buying import asking_price, stock_of


def go_bankrupt(board: Board, state: State, remix: Array, xp: ArrayModule) -> State:
    """K1: in all these games the player whose turn it is, is out. Does not pass the turn.

    `remix` is [games, seats, spaces]: after a seat's bankruptcy, the pool is drawn in the order of
    that seat's row, smallest number first. No seat goes bankrupt twice, so this lasts a whole game.
    """
    games = everywhere(state.games, xp)
    mover = state.turn
    holders = _land_left_behind(state, xp)
    tiles = xp.where(state.tiles == mover, POOL, state.tiles).astype(xp.int8)
    order = xp.asarray(remix)[xp.arange(state.games), mover].T
    out = is_at(mover, state.seats, xp)
    bankrupts = total(state.places != NONE, xp.int8, xp)
    stock = stock_of(holders, xp)
    cities = numbers_below(len(stock), xp.int16, xp)
    return pay(state, mover, -cash_of_mover(state, games), games)._replace(
        tiles=tiles,
        pool=mixed_pool(tiles, order, xp),
        left=state.left + games.pick(state.hands, mover),
        hands=games.put(state.hands, mover, 0),
        holders=holders,
        stock=stock,
        market=asking_price(board, cities, stock, games, xp),
        places=xp.where(out, bankrupts, state.places),
    )


def mixed_pool(tiles: Array, order: Array, xp: ArrayModule) -> Array:
    """[spaces, games]: the pool as a stack, given where the tiles are and a number for each; the
    tile with the smallest is drawn next. Rows above the pool mean nothing."""
    from_below = xp.where(tiles == POOL, -order, LIMIT)
    return xp.argsort(from_below, axis=0, stable=True).astype(xp.int8)


def one_is_left(players: Array, state: State, xp: ArrayModule) -> Array:
    """K2."""
    return as_array(total(state.places != NONE, xp.int8, xp) == players - 1)


def _land_left_behind(state: State, xp: ArrayModule) -> Array:
    """K1: priced cards go to the bank, free grants leave the game."""
    is_grant = xp.arange(len(state.holders))[:, None] % CARDS_A_CITY == 0
    left_to = xp.where(is_grant, OUT, BANK).astype(xp.int8)
    return xp.where(state.holders == state.turn, left_to, state.holders)
