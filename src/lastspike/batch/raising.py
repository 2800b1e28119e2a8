"""Raising money (F): selling land to the bank to pay for a chosen tile."""

from __future__ import annotations

from lastspike.rules.edition import CARDS_A_CITY
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, as_array, pick, total
from .board import Board
from .state import State, cash_of_mover, give, pay


def sellable(state: State) -> Array:
    """F3, [games, cards]: the mover's cards that the bank buys: no free grant, none of a city with
    all routes finished."""
    return as_array(
        (state.land == state.turn.astype(state.land.dtype)[:, None]) & (state.unpaid > 0)
    )


def means(board: Board, state: State, xp: ArrayModule) -> Array:
    """L4: the mover's cash plus what the mover's land would fetch."""
    return cash_of_mover(state, xp) + total(sellable(state) * board.fetches, 1, xp)


def legal_sales(state: State) -> Array:
    """F1, F4, [games, cards that have a price]: any card that the bank buys, one at a time."""
    cards = sellable(state).reshape(state.games, -1, CARDS_A_CITY)
    return cards[:, :, 1:].reshape(state.games, -1)


def sell(board: Board, state: State, card: Array, here: Array, xp: ArrayModule) -> State:
    """F2, F4: the bank pays half; the card goes back to its city's pile at its own rank."""
    state = pay(state, state.turn, pick(board.fetches, card, xp), here, xp)
    return give(state, card, xp.full(card.shape, BANK), here, xp)
