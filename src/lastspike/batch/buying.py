"""Buying land (B): one card a turn, the cheapest left of an open city."""

from __future__ import annotations

from lastspike.rules.edition import CARDS_A_CITY
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, as_array, pick
from .board import Board
from .state import State, cash_of_mover, give, pay

NOT_FOR_SALE = (1 << 31) - 1
"""Stands where a price would, for a city that is not open or has no card left."""


def market(board: Board, state: State, xp: ArrayModule) -> Array:
    """B1, [games, cities]: what the cheapest card left of each city costs, or NOT_FOR_SALE."""
    left = _left(state)
    prices = board.prices.reshape(board.prices.shape[0], -1, CARDS_A_CITY)
    cheapest = xp.full(left.shape[:2], NOT_FOR_SALE, dtype=xp.int32)
    for rank in range(CARDS_A_CITY - 1, 0, -1):
        cheapest = xp.where(left[:, :, rank], prices[:, :, rank], cheapest)
    return xp.where(left[:, :, 0], NOT_FOR_SALE, cheapest)


def legal_purchases(board: Board, state: State, xp: ArrayModule) -> Array:
    """B1, [games, cities]: every open city whose cheapest card the mover's cash covers."""
    return as_array(market(board, state, xp) <= cash_of_mover(state, xp)[:, None])


def can_buy(board: Board, state: State, xp: ArrayModule) -> Array:
    """T6: whether there is any land the mover could buy."""
    return as_array(legal_purchases(board, state, xp).any(axis=1))


def buy(board: Board, state: State, city: Array, here: Array, xp: ArrayModule) -> State:
    """B1: take the cheapest card left of the city and pay its price."""
    rank = xp.argmax(pick(_left(state), city, xp), axis=1)
    card = (CARDS_A_CITY * city + rank).astype(xp.int32)
    state = pay(state, state.turn, -pick(board.prices, card, xp), here, xp)
    return give(state, card, state.turn, here, xp)


def _left(state: State) -> Array:
    """[games, cities, 5]: the cards that the bank has."""
    return as_array(state.land == BANK).reshape(
        state.games, state.land.shape[1] // CARDS_A_CITY, CARDS_A_CITY
    )
