"""Buying land (B): one card a turn, the cheapest left of an open city."""

from __future__ import annotations

import numpy as np

from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.board import Board, by_city
from lastspike.batch.state import BUY, State, cash_of_mover, give, pay
from lastspike.batch.subset import Subset, subset
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.table import BANK

NOT_FOR_SALE = (1 << 31) - 1
"""The price of a city that is not open or has no card left."""
NOTHING = -1
"""Less cash than any price."""

GRANT_BIT = 0b1
"""In `State.stock`: the bank has the free grant, so the city is not open."""
CHEAPEST = np.array(
    [0, *((stock & -stock).bit_length() - 1 for stock in range(1, 1 << CARDS_A_CITY))],
    dtype=np.int8,
)
"""By `State.stock`: the rank of the cheapest card left."""


def legal_purchases(state: State, xp: ArrayModule) -> Array:
    """B1, [cities, games]: where land may be bought, every open city whose cheapest card the
    mover's cash covers."""
    buying = subset(state.phase == BUY, xp)
    nothing = xp.full((state.games,), NOTHING, dtype=xp.int32)
    return as_array(state.market <= buying.set(nothing, cash_of_mover(state, buying)))


def can_buy(state: State, where: Subset) -> Array:
    """T6, [subset]: whether there is any land the mover could buy."""
    return as_array(where.of(state.market.min(axis=0)) <= cash_of_mover(state, where))


def buy(board: Board, state: State, city: Array, buying: Subset, xp: ArrayModule) -> State:
    """B1: take the cheapest card left of a city, [subset], and pay its price."""
    stock = buying.pick(state.stock, city)
    mover = buying.of(state.turn)
    state = pay(state, mover, -buying.pick(state.market, city), buying)
    state = give(state, _cheapest(city, stock, xp), mover, buying)
    return restock(board, state, city, stock & (stock - 1), buying, xp)


def restock(
    board: Board, state: State, city: Array, stock: Array, where: Subset, xp: ArrayModule
) -> State:
    """A city, [subset], has other cards left; its market price follows (B1)."""
    price = asking_price(board, city, stock, where, xp)
    return state._replace(
        stock=where.put(state.stock, city, stock), market=where.put(state.market, city, price)
    )


def asking_price(board: Board, city: Array, stock: Array, where: Subset, xp: ArrayModule) -> Array:
    """B1, [..., subset]: what the cheapest card left of a city costs, given which are left."""
    price = where.pick(board.prices, _cheapest(city, stock, xp))
    closed = (stock == 0) | (stock & GRANT_BIT != 0)
    return xp.where(closed, NOT_FOR_SALE, price)


def stock_of(holders: Array, xp: ArrayModule) -> Array:
    """[cities, games]: which of each city's cards the bank has, given who has what."""
    left = by_city(as_array(holders == BANK))
    bits = 1 << xp.arange(CARDS_A_CITY, dtype=xp.int8)[:, None]
    return as_array(xp.sum(left * bits, axis=1, dtype=xp.int8))


def _cheapest(city: Array, stock: Array, xp: ArrayModule) -> Array:
    """The cheapest card left of a city that has any."""
    return as_array(CARDS_A_CITY * city + xp.asarray(CHEAPEST)[stock])
