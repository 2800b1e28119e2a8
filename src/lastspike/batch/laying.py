"""Laying track (L): what tiles cost, which may be laid, and the free grant."""

from __future__ import annotations

from lastspike.rules.board import NO_CITY
from lastspike.rules.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, as_array, is_at, pick
from .board import Board
from .raising import means
from .state import State, give, hand_of_mover, pay


def adjacent(state: State, xp: ArrayModule) -> Array:
    """L2, [games, spaces]: beside a city, or beside track on the same route."""
    routes = state.track.reshape(state.games, -1, SPACES_A_ROUTE)
    city = xp.ones((*routes.shape[:2], 1), dtype=bool)
    before = xp.concatenate([city, routes[:, :, :-1]], axis=2)
    after = xp.concatenate([routes[:, :, 1:], city], axis=2)
    return as_array(before | after).reshape(state.track.shape)


def laying_costs(board: Board, state: State, xp: ArrayModule) -> Array:
    """L3, [games, spaces]: the tile's cost, doubled where nothing is adjacent."""
    return xp.where(adjacent(state, xp), board.costs, 2 * board.costs)


def payable(board: Board, state: State, xp: ArrayModule) -> Array:
    """L4, [games, spaces]: the mover's tiles that cash and land can pay for."""
    affordable = laying_costs(board, state, xp) <= means(board, state, xp)[:, None]
    return as_array(hand_of_mover(state, xp) & affordable)


def legal_lays(board: Board, state: State, xp: ArrayModule) -> Array:
    """L5, [games, spaces]: the payable tiles; with forced double cost the adjacent ones first."""
    all_payable = payable(board, state, xp)
    beside_track = all_payable & adjacent(state, xp)
    forced = board.forced & beside_track.any(axis=1)
    return xp.where(forced[:, None], beside_track, all_payable)


def can_pay_for_any(board: Board, state: State, xp: ArrayModule) -> Array:
    """L6: whether the player whose turn begins can go on."""
    return as_array(payable(board, state, xp).any(axis=1))


def lay(
    board: Board, state: State, space: Array, cost: Array, here: Array, xp: ArrayModule
) -> tuple[State, Array]:
    """L1, L3, L7: pay what the tile costs now, lay it, take the city's free grant. Returns in which
    games there was one."""
    state = pay(state, state.turn, -cost, here, xp)
    laid = is_at(space, state.spaces, xp) & here[:, None]
    # A tile is in one hand only, so there is no need to ask whose.
    state = state._replace(track=state.track | laid, hands=state.hands & ~laid[:, None, :])
    city = pick(board.beside, space, xp)
    grant_card = xp.where(city == NO_CITY, 0, city * CARDS_A_CITY)
    grant = here & (city != NO_CITY) & (pick(state.land, grant_card, xp) == BANK)
    return give(state, grant_card, state.turn, grant, xp), grant
