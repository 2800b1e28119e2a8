"""Laying track (L): what tiles cost, which may be laid, and the free grant."""

from __future__ import annotations

from lastspike.rules.board import NO_CITY
from lastspike.rules.edition import CARDS_A_CITY
from lastspike.rules.table import BANK

from .arrays import Array, ArrayModule, as_array, is_at, pick
from .board import Board
from .raising import means
from .state import TRACK, State, give, hand_of_mover, pay


def adjacent(board: Board, state: State, xp: ArrayModule) -> Array:
    """L2, [games, spaces]: beside a city, or beside track on the same route.

    Spaces beside one another but on two routes touch cities both, so nothing is asked of routes.
    """
    track = state.track
    nothing = xp.zeros((state.games, 1), dtype=bool)
    before = xp.concatenate([nothing, track[:, :-1]], axis=1)
    after = xp.concatenate([track[:, 1:], nothing], axis=1)
    return as_array(before | after | (board.beside != NO_CITY))


def laying_costs(board: Board, state: State, xp: ArrayModule) -> Array:
    """L3, [games, spaces]: the tile's cost, doubled where nothing is adjacent."""
    return xp.where(adjacent(board, state, xp), board.costs, 2 * board.costs)


def payable(board: Board, state: State, xp: ArrayModule) -> Array:
    """L4, [games, spaces]: the mover's tiles that cash and land can pay for."""
    affordable = laying_costs(board, state, xp) <= means(board, state, xp)[:, None]
    return as_array(hand_of_mover(state) & affordable)


def legal_lays(board: Board, state: State, xp: ArrayModule) -> Array:
    """L5, [games, spaces]: the payable tiles; with forced double cost the adjacent ones first."""
    all_payable = payable(board, state, xp)
    beside_track = all_payable & adjacent(board, state, xp)
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
    mover = is_at(state.turn, state.seats, xp) & here[:, None]
    state = state._replace(tiles=xp.where(laid, TRACK, state.tiles), held=state.held - mover)
    city = pick(board.beside, space, xp)
    grant_card = xp.where(city == NO_CITY, 0, city * CARDS_A_CITY)
    grant = here & (city != NO_CITY) & (pick(state.land, grant_card, xp) == BANK)
    return give(state, grant_card, state.turn, grant, xp), grant
