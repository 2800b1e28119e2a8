"""The outlook of `bots/outlook.py` over arrays: which routes are likely to pay, and whom.

A `Map` is what an edition and a number of players fix; an `Outlook` what a seat may expect of the
games of a batch. All of it follows from the open table, and from the viewer's own hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lastspike.batch import Board, State, board_of, hand_of
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.bots.outlook import ways_of
from lastspike.rules.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.table import BANK, Setup


class Map(NamedTuple):
    """What never changes during the games of a batch that all have one board, in NumPy.

    board      for the batch engine
    ways       [ways, routes]        1 for the routes of each way from start to finish
    at         [routes, cities]      1 for the two cities of each route
    chances    [5, far]              of a route to be finished, by tiles missing and tiles to the
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
    """What the viewer of each game may expect. Seats are counted from the viewer clockwise.

    track, mine   [games, routes, 4]       there is track; the tile is in the viewer's hand
    missing       [games, routes]          tiles missing
    others        [games, routes]          of those, the ones that the viewer does not hold
    gaps          [games, ways]            tiles missing on each way
    far           [games]                  tiles to the last spike
    shortest      [games, routes]          whether a shortest way goes there
    chance        [games, routes]          to be finished
    payments      [games, cities]          how many more routes are expected to pay there
    counts        [games, cities, seats]   cards held
    paid          [games, cities, seats]   what the city pays for them, in thousands
    market        [games, cities]          what the cheapest card left costs, or NOT_FOR_SALE
    more          [games, cities]          what one card more would bring the viewer each time
    grant         [games, cities]          whether the free grant is still to be had
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
    """What the viewers, [games], may expect."""
    board = table.board
    games, seats, routes = state.games, table.players, board.shape.routes
    track = state.track.reshape(games, routes, SPACES_A_ROUTE)
    mine = hand_of(state, viewer).reshape(games, routes, SPACES_A_ROUTE)
    missing = SPACES_A_ROUTE - count(track, 2, xp)
    gaps = missing @ table.ways.T
    far = gaps.min(axis=1)
    on_shortest = as_array(gaps == far[:, None]).astype(xp.float32) @ table.ways
    chance = chances_at(table, missing, far, xp)
    expected = xp.where(missing > 0, chance, 0.0)
    order = (viewer[:, None] + xp.arange(seats, dtype=xp.int32)) % seats
    land = state.land.reshape(games, board.shape.cities, CARDS_A_CITY)
    holder = order.astype(state.land.dtype)[:, None, None, :]
    counts = count(land[:, :, :, None] == holder, 2, xp)
    own = counts[:, :, 0]
    return Outlook(
        track=track,
        mine=mine,
        missing=missing,
        others=missing - count(mine, 2, xp),
        gaps=gaps,
        far=far,
        shortest=on_shortest > 0,
        chance=chance,
        payments=expected @ table.at,
        counts=counts,
        paid=paid_for(table, counts, xp),
        market=state.market.T,
        more=paid_for(table, own[:, :, None] + 1, xp)[:, :, 0]
        - paid_for(table, own[:, :, None], xp)[:, :, 0],
        grant=land[:, :, 0] == BANK,
    )


def chances_at(table: Map, missing: Array, far: Array, xp: ArrayModule) -> Array:
    """[games, routes]: the chances if the last spike were so far away."""
    steps = table.chances.shape[1]
    by_far = (far[:, None] == xp.arange(steps)).astype(xp.float32) @ table.chances.T
    chance = xp.zeros(missing.shape, dtype=xp.float32)
    for tiles in range(SPACES_A_ROUTE + 1):
        chance = xp.where(missing == tiles, by_far[:, tiles, None], chance)
    return chance


def paid_for(table: Map, counts: Array, xp: ArrayModule) -> Array:
    """What each city pays for so many cards; nothing for more than there are."""
    paid = xp.zeros(counts.shape, dtype=xp.float32)
    for cards in range(1, CARDS_A_CITY + 1):
        payouts = table.board.payouts[cards, :, 0].astype(np.float32)
        paid = xp.where(counts == cards, payouts[None, :, None], paid)
    return paid


def count(values: Any, axis: int, xp: ArrayModule) -> Array:
    """How many are true, as numbers to reckon with."""
    return as_array(xp.sum(values, axis=axis, dtype=xp.float32))
