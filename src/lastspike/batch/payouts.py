"""Payouts (P) and the last spike (E1): what finishing a route brings."""

from __future__ import annotations

from lastspike.rules.edition import CARDS_A_CITY, SPACES_A_ROUTE

from .arrays import Array, ArrayModule, as_array, pick, total
from .board import Board
from .state import TRACK, State, pay, pay_all


def shares(board: Board, state: State, ends: Array, xp: ArrayModule) -> Array:
    """P1, [games, seats]: what each seat would be paid if the route between these two cities were
    finished now."""
    games = xp.arange(state.games)[:, None, None]
    cards = state.land[games, CARDS_A_CITY * ends[:, :, None] + xp.arange(CARDS_A_CITY)]
    held = total(cards[:, :, :, None] == xp.arange(state.seats), 2, xp)
    boards = xp.arange(board.payouts.shape[0])[:, None, None]
    return total(xp.asarray(board.payouts)[boards, ends[:, :, None], held], 1, xp)


def is_finished(state: State, route: Array, xp: ArrayModule) -> Array:
    """P1: whether all four spaces of the route have track."""
    spaces = SPACES_A_ROUTE * route[:, None] + xp.arange(SPACES_A_ROUTE)
    return as_array((state.tiles[xp.arange(state.games)[:, None], spaces] == TRACK).all(axis=1))


def finish_route(
    board: Board, state: State, space: Array, here: Array, xp: ArrayModule
) -> tuple[State, Array]:
    """E1, P1, P2: where a tile on this space finished its route: the bonus if it is the last spike,
    then the payouts. Returns in which games it was."""
    route = space // SPACES_A_ROUTE
    done = here & is_finished(state, route, xp)
    ends = pick(board.ends, route, xp)
    state = _link(state, ends[:, 0], ends[:, 1], done, xp)
    last_spike = done & joined(board, state, xp)
    state = pay(state, state.turn, xp.broadcast_to(board.bonus, done.shape), last_spike, xp)
    state = pay_all(state, xp.where(done[:, None], shares(board, state, ends, xp), 0))
    driver = xp.where(last_spike, state.turn, state.last_spike)
    return state._replace(last_spike=driver), last_spike


def joined(board: Board, state: State, xp: ArrayModule) -> Array:
    """E1: whether finished routes join start and finish."""
    start, finish = (pick(state.linked, city, xp) for city in (board.start, board.finish))
    return as_array(start == finish)


def _link(state: State, one: Array, other: Array, here: Array, xp: ArrayModule) -> State:
    """Whatever was joined to the other end is now joined to the one; both have a payout less to
    come."""
    old = pick(state.linked, other, xp)[:, None]
    new = pick(state.linked, one, xp)[:, None]
    linked = xp.where(here[:, None] & (state.linked == old), new, state.linked)
    city = xp.arange(state.unpaid.shape[1], dtype=xp.int32) // CARDS_A_CITY
    ends = ((city == one[:, None]) | (city == other[:, None])) & here[:, None]
    return state._replace(linked=linked, unpaid=state.unpaid - (ends & (state.unpaid > 0)))
