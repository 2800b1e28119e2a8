"""Laying track (L): what tiles cost, which may be laid, and the free grant."""

from __future__ import annotations

from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.board import Board
from lastspike.batch.state import (
    FIRST_BIT,
    LAY,
    NEAR,
    TRACK,
    State,
    cash_of_mover,
    give,
    pay,
    route_and_place,
)
from lastspike.batch.subset import Subset, subset
from lastspike.rules.board import NO_CITY
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE

from .buying import GRANT_BIT, restock
from .raising import means

NOBODY = -5
"""A seat that no tile belongs to."""


def adjacent(laid: Array, xp: ArrayModule) -> Array:
    """L2, [spaces, games]: beside a city, or beside track on the same route."""
    places = [laid & (NEAR << place) != 0 for place in range(SPACES_A_ROUTE)]
    return xp.stack(places, axis=1).reshape(SPACES_A_ROUTE * len(laid), *laid.shape[1:])


def laying_costs(costs: Array, laid: Array, xp: ArrayModule) -> Array:
    """L3, [spaces, games]: what each tile costs, doubled where nothing is adjacent."""
    return xp.where(adjacent(laid, xp), costs, 2 * costs)


def laying_cost(board: Board, state: State, space: Array, where: Subset, xp: ArrayModule) -> Array:
    """L3, [subset]: what the tile of a space, [subset], costs now."""
    route, place = route_and_place(space)
    near = where.pick(state.laid, route) & (NEAR << place) != 0
    cost = where.pick(board.costs, space)
    return xp.where(near, cost, 2 * cost)


def payable(board: Board, state: State, where: Subset, xp: ArrayModule) -> Array:
    """L4, [spaces, those]: the mover's tiles that cash and land can pay for."""
    hand = where.of(state.tiles) == where.of(state.turn)
    costs = laying_costs(where.of(board.costs), where.of(state.laid), xp)
    return as_array(hand & (costs <= means(board, state, where, xp)))


def who_must_count(board: Board, state: State, where: Subset, xp: ArrayModule) -> Subset:
    """The games in which the mover's cash and land are less than the dearest tile may cost. In all
    others, which are most, every tile is payable."""
    short = where.narrow(cash_of_mover(state, where) < where.of(board.dearest))
    if short.nowhere:
        return short
    return short.narrow(means(board, state, short, xp) < short.of(board.dearest))


def legal_lays(board: Board, state: State, xp: ArrayModule) -> Array:
    """L4, L5, [spaces, games]: where a tile is to be laid, the payable ones of the hand; with
    forced double cost the adjacent ones first."""
    laying = state.phase == LAY
    hand = state.tiles == xp.where(laying, state.turn, NOBODY)
    poor = who_must_count(board, state, subset(laying, xp), xp)
    if not poor.nowhere:
        hand = poor.set(hand, payable(board, state, poor, xp))
    beside_track = hand & adjacent(state.laid, xp)
    forced = board.forced & beside_track.any(axis=0)
    return as_array(beside_track | (hand & ~forced))


def can_pay_for_none(board: Board, state: State, where: Subset, xp: ArrayModule) -> Array:
    """L6, [games]: whether it is one of those games, and the player whose turn begins can't go
    on."""
    nobody = xp.zeros((state.games,), dtype=bool)
    poor = who_must_count(board, state, where, xp)
    if poor.nowhere:
        return nobody
    return poor.set(nobody, as_array(~payable(board, state, poor, xp).any(axis=0)))


def lay(
    board: Board, state: State, space: Array, cost: Array, laying: Subset, xp: ArrayModule
) -> tuple[State, Array]:
    """L1, L3, L7: pay what the tile of a space costs now, lay it, take the city's free grant.
    Returns in which of those games there was one."""
    mover = laying.of(state.turn)
    route, place = route_and_place(space)
    state = pay(state, mover, -cost, laying)
    state = state._replace(
        tiles=laying.put(state.tiles, space, TRACK),
        hands=laying.add(state.hands, mover, -1),
        laid=laying.add(state.laid, route, FIRST_BIT << place),
    )
    city = laying.pick(board.beside, space)
    stock = laying.pick(state.stock, xp.where(city == NO_CITY, 0, city))
    grant = (city != NO_CITY) & (stock & GRANT_BIT != 0)
    granted = laying.narrow(grant)
    city, stock, mover = laying.keep(grant, city, stock, mover)
    state = give(state, CARDS_A_CITY * city, mover, granted)
    return restock(board, state, city, stock - GRANT_BIT, granted, xp), grant
