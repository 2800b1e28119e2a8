"""Raising money (F): selling land to the bank to pay for a chosen tile."""

from __future__ import annotations

from lastspike.batch.arrays import Array, ArrayModule, as_array, numbers_below, total
from lastspike.batch.board import Board, by_city
from lastspike.batch.state import RAISE, State, cash_of_mover, give, pay
from lastspike.batch.subset import Subset, subset
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.table import BANK

from .buying import restock


def sellable(state: State, where: Subset, xp: ArrayModule) -> Array:
    """F3, [cards, those]: the mover's cards that the bank buys: no free grant, none of a city with
    all routes finished."""
    held = where.of(state.holders) == where.of(state.turn)
    has_price = numbers_below(CARDS_A_CITY, xp.int8, xp) > 0
    unpaid = where.of(state.unpaid)[:, None] > 0
    return as_array(by_city(held) & has_price & unpaid).reshape(held.shape)


def means(board: Board, state: State, where: Subset, xp: ArrayModule) -> Array:
    """L4, [subset]: the mover's cash plus what the mover's land would fetch."""
    fetches = sellable(state, where, xp) * where.of(board.fetches)
    return cash_of_mover(state, where) + total(fetches, xp.int32, xp)


def legal_sales(state: State, xp: ArrayModule) -> Array:
    """F1, F4, [cards that have a price, games]: where money is raised, any card that the bank buys,
    one at a time."""
    nothing = xp.zeros((len(state.stock), CARDS_A_CITY - 1, state.games), dtype=bool)
    raising = subset(state.phase == RAISE, xp)
    if raising.nowhere:
        return nothing.reshape(-1, state.games)
    cards = by_city(sellable(state, raising, xp))
    return raising.set(nothing, cards[:, 1:]).reshape(-1, state.games)


def sell(board: Board, state: State, card: Array, selling: Subset, xp: ArrayModule) -> State:
    """F2, F4: the bank pays half; the card, [subset], goes back to its city's pile at its rank."""
    city = card // CARDS_A_CITY
    stock = selling.pick(state.stock, city) | 1 << (card - CARDS_A_CITY * city)
    mover = selling.of(state.turn)
    state = pay(state, mover, selling.pick(board.fetches, card), selling)
    state = give(state, card, BANK, selling)
    return restock(board, state, city, stock.astype(xp.int8), selling, xp)
