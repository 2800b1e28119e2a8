"""The net's input features: the open table from one seat's viewpoint, and that seat's hand.

Nothing hidden goes in. Money is in units of $20,000, so that most numbers are near one. Positions
are after the viewer's turn, before the draw.
"""

from __future__ import annotations

import math

import numpy as np

from lastspike.batch import NONE, State, random_deals, random_remix
from lastspike.batch.arrays import Array, ArrayModule, as_array, pick
from lastspike.batch.board import by_city
from lastspike.batch.steps.buying import NOT_FOR_SALE
from lastspike.batch.steps.laying import laying_costs
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.table import BANK

from .outlook import Map, count, outlook_of, seats_from

FEATURES_VERSION = 1
"""Increases when the features change, so that old weights are rejected."""

UNIT = 20.0
"""Thousands of dollars."""

FAR = 8
"""The largest distance to the last spike with its own feature."""

NO_TILE_COST = 10_000
"""In thousands; larger than any tile's cost."""


LEAST = -1e9
"""Less than any player's cash."""


def features(table: Map, state: State, viewer: Array, xp: ArrayModule) -> Array:
    """[games, features] float32: the features for the viewers, [games].

    Computed with games as the last axis and transposed at the end.
    """
    seen = outlook_of(table, state, viewer, xp)
    order = seats_from(table, viewer, xp)
    cash = pick(state.purses, order, xp).astype(xp.float32) / UNIT
    playing = pick(state.places, order, xp) == NONE
    for_routes = _by_route(table, seen.paid, xp) / UNIT
    pays = for_routes * (seen.missing > 0)[:, None]  # [routes, seats, games]
    tiles_missing = xp.arange(1, SPACES_A_ROUTE + 1, dtype=xp.float32)[:, None]
    by_missing = as_array(seen.missing[:, None] == tiles_missing).astype(xp.float32)
    mine_alone = by_missing * (seen.others == 0)[:, None]
    expected = as_array((pays * seen.chance[:, None]).sum(axis=0))
    way = as_array(seen.gaps == seen.far)
    on_way = as_array(table.ways.T @ way.astype(xp.float32)) / count(way, 0, xp)
    if_ended = cash + (pays * on_way[:, None]).sum(axis=0)
    in_bank = by_city(state.holders) == BANK
    for_sale = seen.market != NOT_FOR_SALE
    price = xp.where(for_sale, seen.market, 0).astype(xp.float32) / UNIT
    to_pay = seen.more * seen.payments / UNIT
    need = (table.ways @ seen.others).min(axis=0)
    own = state.tiles == viewer
    costs = laying_costs(table.board.costs, state.laid, xp)
    tiles_away = xp.arange(FAR + 1, dtype=xp.float32)[:, None]
    parts = [
        seen.track,
        seen.mine,
        by_missing,
        seen.others[:, None] == tiles_away[:SPACES_A_ROUTE],
        seen.shortest,
        on_way,
        seen.chance,
        pays,
        pays * (seen.missing == 1)[:, None],
        seen.counts / CARDS_A_CITY,
        seen.grant,
        price,
        count(in_bank, 1, xp) / CARDS_A_CITY,
        to_pay,
        xp.where(for_sale, to_pay - price, 0.0),
        seen.payments / SPACES_A_ROUTE,
        expected,
        _sums(by_missing, pays, xp),
        _sums(mine_alone, pays, xp),
        cash,
        _ahead(cash, playing, xp),
        _ahead(cash + expected, playing, xp),
        _ahead(if_ended, playing, xp),
        _fetches(table, state, order, xp) / UNIT,
        pick(state.hands, order, xp).astype(xp.float32) / SPACES_A_ROUTE,
        playing,
        seen.far == tiles_away[1:],
        need == tiles_away[:FAR],
        seen.far[None] / FAR,
        state.left[None].astype(xp.float32) / FAR,
        xp.sum(xp.where(own, costs, 0), axis=0, keepdims=True) / UNIT,
        xp.minimum(xp.where(own, costs, NO_TILE_COST).min(axis=0, keepdims=True), UNIT) / UNIT,
    ]
    flat = [part.reshape(math.prod(part.shape[:-1]), state.games) for part in parts]
    return xp.concatenate(flat, axis=0, dtype=xp.float32).T


def told_on(table: Map) -> int:
    """The number of features on this board."""
    luck = np.random.default_rng(0)
    remix = random_remix(luck, 1, table.board.shape)
    state = random_deals(table.board, 1, luck, remix, np)
    return int(features(table, state, state.turn, np).shape[1])


def _by_route(table: Map, by_city: Array, xp: ArrayModule) -> Array:
    """[routes, seats, games]: the sum over the two cities of each route."""
    first, second = table.board.ends[:, :, 0]
    values = xp.asarray(by_city)
    return as_array(values[first] + values[second])


def _sums(which: Array, pays: Array, xp: ArrayModule) -> Array:
    """[kinds, seats, games]: what the routes of each kind would pay.

    Summed route by route: on a CPU with thousands of games, JAX 0.10 gets a sum over the first axis
    wrong from the fifth seat on.
    """
    kinds = range(which.shape[1])
    routes = range(len(pays))
    return xp.stack([sum(which[r, kind] * pays[r] for r in routes) for kind in kinds])


def _ahead(amounts: Array, playing: Array, xp: ArrayModule) -> Array:
    """[seats, games]: each seat's lead over the best other."""
    seats = xp.arange(len(amounts))[:, None]
    theirs = xp.where(playing, amounts, -1.0)
    return xp.stack(
        [
            amounts[seat] - xp.where(seats == seat, LEAST, theirs).max(axis=0)
            for seat in range(len(amounts))
        ]
    )


def _fetches(table: Map, state: State, order: Array, xp: ArrayModule) -> Array:
    """[seats, games]: what the bank would pay for each seat's land (F3)."""
    fetches = by_city(table.board.fetches).astype(table.at.dtype)
    worth = xp.where(state.unpaid[:, None] > 0, fetches, 0).reshape(state.holders.shape)
    holders = order.astype(state.holders.dtype)
    return xp.stack([xp.where(state.holders == one, worth, 0).sum(axis=0) for one in holders])
