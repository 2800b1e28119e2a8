"""What the net is told of a position: the open table as one seat sees it, and that seat's hand.

Nothing hidden goes in. Money is told in units of $20,000, so that most numbers are near one. The
position is one after a turn of the viewer, before the draw.
"""

from __future__ import annotations

import math

from lastspike.batch import NONE, State, hand_of
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.board import by_city
from lastspike.batch.buying import NOT_FOR_SALE
from lastspike.batch.laying import laying_costs
from lastspike.rules.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.table import BANK

from .outlook import Map, count, outlook_of

FEATURES_VERSION = 1
"""Counts up when what the net is told changes, so that no weights are used with another."""

UNIT = 20.0
"""Thousands of dollars."""

FAR = 8
"""Tiles to the last spike are told up to so many."""

DEAR = 10_000
"""In thousands: stands for the cost of a tile where there is none."""


LEAST = -1e9
"""Less than anybody has."""


def features(table: Map, state: State, viewer: Array, xp: ArrayModule) -> Array:
    """[games, features], of 32 bits: what the viewers, [games], are told."""
    board = table.board
    games, seats = state.games, table.players
    seen = outlook_of(table, state, viewer, xp)
    order = (viewer[:, None] + xp.arange(seats, dtype=xp.int32)) % seats
    rows = xp.arange(games)[:, None]
    cash = state.cash[rows, order] / UNIT
    playing = state.bankrupt[rows, order] == NONE
    open_route = seen.missing > 0
    pays = _by_route(table, seen.paid, xp) * open_route[:, :, None] / UNIT  # [games, routes, seats]
    tiles_missing = xp.arange(1, SPACES_A_ROUTE + 1)
    by_missing = as_array(seen.missing[:, :, None] == tiles_missing).astype(xp.float32)
    mine_alone = by_missing * (seen.others == 0)[:, :, None]
    expected = as_array((pays * seen.chance[:, :, None]).sum(axis=1))
    way = seen.gaps == seen.far[:, None]
    ways = count(way, 1, xp)
    on_way = as_array(way.astype(xp.float32) @ table.ways) / ways[:, None]
    if_ended = cash + (pays * on_way[:, :, None]).sum(axis=1)
    by_card = (state.land == BANK).reshape(games, board.shape.cities, CARDS_A_CITY)
    price = xp.where(seen.market == NOT_FOR_SALE, 0, seen.market) / UNIT
    to_pay = seen.more * seen.payments / UNIT
    need = (seen.others @ table.ways.T).min(axis=1)
    own = hand_of(state, viewer)
    costs = laying_costs(board.costs, state.laid, xp).T
    held = state.held[rows, order]
    parts = [
        seen.track,
        seen.mine,
        by_missing,
        seen.others[:, :, None] == xp.arange(SPACES_A_ROUTE),
        seen.shortest,
        on_way,
        seen.chance,
        pays,
        pays * (seen.missing == 1)[:, :, None],
        seen.counts / CARDS_A_CITY,
        seen.grant,
        price,
        count(by_card, 2, xp) / CARDS_A_CITY,
        to_pay,
        xp.where(seen.market == NOT_FOR_SALE, 0.0, to_pay - price),
        seen.payments / SPACES_A_ROUTE,
        expected,
        _sums(by_missing, pays, xp),
        _sums(mine_alone, pays, xp),
        cash,
        _ahead(cash, playing, xp),
        _ahead(cash + expected, playing, xp),
        _ahead(if_ended, playing, xp),
        _fetches(table, state, order, xp) / UNIT,
        held / SPACES_A_ROUTE,
        playing,
        seen.far[:, None] == xp.arange(1, FAR + 1),
        need[:, None] == xp.arange(FAR),
        seen.far[:, None] / FAR,
        state.left[:, None] / FAR,
        xp.where(own, costs, 0).sum(axis=1)[:, None] / UNIT,
        xp.minimum(xp.where(own, costs, DEAR).min(axis=1), UNIT)[:, None] / UNIT,
    ]
    return xp.concatenate([_row(part, games, xp) for part in parts], axis=1)


def _row(part: Array, games: int, xp: ArrayModule) -> Array:
    """[games, numbers], also of no games at all."""
    return as_array(part.astype(xp.float32).reshape(games, math.prod(part.shape[1:])))


def _by_route(table: Map, by_city: Array, xp: ArrayModule) -> Array:
    """[games, routes, seats]: the two cities of each route together."""
    first, second = table.board.ends[:, :, 0]
    values = xp.asarray(by_city)
    return as_array(values[:, first] + values[:, second])


def _sums(which: Array, pays: Array, xp: ArrayModule) -> Array:
    """[games, kinds, seats]: what the routes of each kind would pay."""
    kinds = [(which[:, :, kind, None] * pays).sum(axis=1) for kind in range(which.shape[2])]
    return xp.concatenate([kind[:, None] for kind in kinds], axis=1)


def _ahead(amounts: Array, playing: Array, xp: ArrayModule) -> Array:
    """[games, seats]: how far ahead of the best of the others each is."""
    seats = xp.arange(amounts.shape[1])
    theirs = xp.where(playing, amounts, -1.0)
    leads = [
        amounts[:, seat] - xp.where(seats == seat, LEAST, theirs).max(axis=1)
        for seat in range(amounts.shape[1])
    ]
    return xp.concatenate([lead[:, None] for lead in leads], axis=1)


def _fetches(table: Map, state: State, order: Array, xp: ArrayModule) -> Array:
    """[games, seats]: what each seat's land would fetch (F3)."""
    fetches = by_city(table.board.fetches)
    worth = xp.where(state.unpaid[:, None] > 0, fetches, 0).reshape(state.holders.shape).T
    holder = order.astype(state.land.dtype)
    sums = [
        xp.where(state.land == holder[:, seat, None], worth, 0).sum(axis=1)
        for seat in range(order.shape[1])
    ]
    return xp.concatenate([total[:, None] for total in sums], axis=1)
