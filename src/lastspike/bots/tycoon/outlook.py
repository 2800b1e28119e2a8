"""The outlook of `bots/outlook.py` over arrays: which routes are likely to pay, and whom.

A `Map` is fixed by an edition and a number of players; an `Outlook` holds what a seat can expect in
each game of a batch. It uses only the open table and the viewer's hand. As in the batch engine,
games are the last axis.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lastspike.batch import Board, State, board_of
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.board import by_city
from lastspike.batch.state import TRACK
from lastspike.bots.outlook import ways_of
from lastspike.rules.editions.edition import SPACES_A_ROUTE
from lastspike.rules.table import BANK, Setup


class Map(NamedTuple):
    """The constants of a batch in which all games share one board, in NumPy.

    board      for the batch engine
    ways       [ways, routes]        1 for the routes of each way from start to finish
    at         [routes, cities]      1 for the two cities of each route
    chances    [5, far]              that a route is finished, by missing tiles and tiles to the
                                     last spike
    """

    board: Board
    ways: Array
    at: Array
    chances: Array

    @property
    def players(self) -> int:
        return self.board.shape.seats


def map_of(setup: Setup) -> Map:
    board = setup.board
    ways = ways_of(board)
    in_way = [[bool(mask & route) for route in board.route_mask] for mask in ways.masks]
    at = np.zeros((len(board.ends), len(board.city_codes)), dtype=np.float32)
    for route, ends in enumerate(board.ends):
        at[route, list(ends)] = 1
    return Map(
        board=board_of(setup),
        ways=np.array(in_way, dtype=np.float32),
        at=at,
        chances=np.array(ways.chances, dtype=np.float32),
    )


class Outlook(NamedTuple):
    """What the viewer of each game can expect. Seats are counted clockwise from the viewer.

    track, mine   [routes, 4, games]       has track; the tile is in the viewer's hand
    missing       [routes, games]          missing tiles
    others        [routes, games]          missing tiles that the viewer does not hold
    gaps          [ways, games]            missing tiles on each way
    far           [games]                  tiles to the last spike
    shortest      [routes, games]          whether the route is on a shortest way
    chance        [routes, games]          that the route is finished
    payments      [cities, games]          expected number of payouts to come
    counts        [cities, seats, games]   cards held
    paid          [cities, seats, games]   what the city pays for them, in thousands
    market        [cities, games]          price of the cheapest card left, or NOT_FOR_SALE
    more          [cities, games]          what one more card adds to the viewer's payout
    grant         [cities, games]          whether the free grant is still available
    """

    track: Array
    mine: Array
    missing: Array
    others: Array
    gaps: Array
    far: Array
    shortest: Array
    chance: Array
    payments: Array
    counts: Array
    paid: Array
    market: Array
    more: Array
    grant: Array


def outlook_of(table: Map, state: State, viewer: Array, xp: ArrayModule) -> Outlook:
    """The outlook of the viewers, [games]."""
    by_place = (table.board.shape.routes, SPACES_A_ROUTE, state.games)
    track = as_array(state.tiles == TRACK).reshape(by_place)
    mine = as_array(state.tiles == viewer).reshape(by_place)
    missing = SPACES_A_ROUTE - count(track, 1, xp)
    gaps = as_array(table.ways @ missing)
    far = gaps.min(axis=0)
    chance = chances_at(table, missing, far, xp)
    land = by_city(state.holders)
    holder = seats_from(table, viewer, xp).astype(state.holders.dtype)
    counts = count(land[:, :, None] == holder, 1, xp)
    payouts = table.board.payouts[:, :, 0].astype(np.float32)
    nothing = np.zeros_like(payouts[:1])
    own = counts[:, 0]
    return Outlook(
        track=track,
        mine=mine,
        missing=missing,
        others=missing - count(mine, 1, xp),
        gaps=gaps,
        far=far,
        shortest=as_array(table.ways.T @ as_array(gaps == far).astype(xp.float32)) > 0,
        chance=chance,
        payments=as_array(table.at.T @ xp.where(missing > 0, chance, 0.0)),
        counts=counts,
        paid=by_count(payouts[:, :, None], counts, xp),
        market=state.market,
        more=by_count(np.diff(payouts, axis=0, append=nothing), own, xp),
        grant=land[:, 0] == BANK,
    )


def seats_from(table: Map, viewer: Array, xp: ArrayModule) -> Array:
    """[seats, games]: all seats, clockwise from the viewer."""
    seats = table.players
    return as_array((viewer + xp.arange(seats, dtype=xp.int32)[:, None]) % seats)


def chances_at(table: Map, missing: Array, far: Array, xp: ArrayModule) -> Array:
    """[routes, games]: the chances if the last spike were `far` tiles away."""
    steps = xp.arange(table.chances.shape[1])[:, None]
    by_far = as_array(table.chances @ as_array(far == steps).astype(xp.float32))
    chance = xp.zeros(missing.shape, dtype=xp.float32)
    for tiles in range(SPACES_A_ROUTE + 1):
        chance = xp.where(missing == tiles, by_far[tiles], chance)
    return chance


def by_count(values: Array, counts: Array, xp: ArrayModule) -> Array:
    """Each city's value for `counts` cards, from a table [cards + 1, cities, ...]."""
    found = xp.zeros(counts.shape, dtype=xp.float32)
    for cards, value in enumerate(values):
        if value.any():
            found = xp.where(counts == cards, value[..., None], found)
    return found


def count(values: Any, axis: int, xp: ArrayModule) -> Array:
    """The number of true values along an axis, as float32."""
    return as_array(xp.sum(values, axis=axis, dtype=xp.int8)).astype(xp.float32)
