"""Payouts (P) and the last spike (E1): what finishing a route brings."""

from __future__ import annotations

from lastspike.batch.arrays import Array, ArrayModule, as_array, is_at, numbers_below, total
from lastspike.batch.board import Board
from lastspike.batch.state import NONE, State, pay_all
from lastspike.batch.subset import Subset
from lastspike.rules.editions.edition import CARDS_A_CITY


def shares(board: Board, state: State, city: Array, where: Subset, xp: ArrayModule) -> Array:
    """P1, [..., seats, those]: what each seat would be paid for a city, [..., 1, those], if a route
    of it were finished now."""
    ranks = xp.arange(CARDS_A_CITY).reshape(-1, *[1] * city.ndim)
    cards = where.pick(state.holders, CARDS_A_CITY * city + ranks)
    held = total(cards == numbers_below(state.seats, xp.int8, xp), xp.int16, xp)
    payouts = board.payouts.reshape(-1, board.payouts.shape[-1])
    return where.pick(payouts, held * board.shape.cities + city)


def finish_route(
    board: Board, state: State, route: Array, done: Subset, xp: ArrayModule
) -> tuple[State, Array]:
    """E1, P1, P2: the bonus if finishing the route, [subset], was the last spike, then the payouts.
    Returns in which of those games it was."""
    one, other = (done.pick(ends, route) for ends in board.ends)
    state = _link(state, one, other, done, xp)
    last_spike = joined(board, state, done)
    mover = done.of(state.turn)
    both = xp.stack([one, other])[:, None]
    amounts = total(shares(board, state, both, done, xp), xp.int32, xp)
    bonus = xp.where(last_spike, done.of(board.bonus), 0)
    amounts = amounts + is_at(mover, state.seats, xp) * bonus
    state = pay_all(state, amounts, done)
    driver = xp.where(last_spike, mover, NONE)
    return state._replace(last_spike=done.set(state.last_spike, driver)), last_spike


def joined(board: Board, state: State, where: Subset) -> Array:
    """E1, [subset]: whether finished routes join start and finish."""
    start, finish = (
        where.pick(state.linked, where.of(city)) for city in (board.start, board.finish)
    )
    return as_array(start == finish)


def _link(state: State, one: Array, other: Array, done: Subset, xp: ArrayModule) -> State:
    """Whatever was joined to the other end is now joined to the one; both have a payout less to
    come."""
    new, old = done.pick(state.linked, one), done.pick(state.linked, other)
    linked = done.of(state.linked)
    unpaid = done.add(done.add(state.unpaid, one, -1), other, -1)
    return state._replace(
        linked=done.set(state.linked, xp.where(linked == old, new, linked)), unpaid=unpaid
    )
