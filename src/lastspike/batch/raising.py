"""Raising money (F): selling land to the bank to pay for a chosen tile."""

from __future__ import annotations

from lastspike.rules.edition import CARDS_A_CITY
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, as_array, pick, total
from .board import Board
from .state import State, cash_of_mover, give, pay


def sellable(state: State, xp: ArrayModule) -> Array:
    """F3, [games, cities, 5]: the mover's cards that the bank buys: no free grant, none of a city
    with all routes finished."""
    held = (state.land == state.turn[:, None]).reshape(state.games, -1, CARDS_A_CITY)
    priced = xp.arange(CARDS_A_CITY) > 0
    return as_array(held & priced & (state.unfinished > 0)[:, :, None])


def means(board: Board, state: State, xp: ArrayModule) -> Array:
    """L4: the mover's cash plus what the mover's land would fetch."""
    land = sellable(state, xp).reshape(state.games, -1)
    return cash_of_mover(state, xp) + total(land * board.fetches, 1, xp)


def legal_sales(state: State, xp: ArrayModule) -> Array:
    """F1, F4, [games, cards that have a price]: any card that the bank buys, one at a time."""
    return sellable(state, xp)[:, :, 1:].reshape(state.games, -1)


def sell(board: Board, state: State, card: Array, here: Array, xp: ArrayModule) -> State:
    """F2, F4: the bank pays half; the card goes back to its city's pile at its own rank."""
    state = pay(state, state.turn, pick(board.fetches, card, xp), here, xp)
    return give(state, card, BANK, here, xp)
