"""The outlook: how likely each route is to be finished, and what it would pay each player.

A route's expected payout is its payouts times the chance that it is finished before the game ends.
The chance depends on its missing tiles and on the distance to the last spike. (Land ownership and
tile holders were tried too and did not improve the fit.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from lastspike.rules.board import Board, City, Route
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.table import Table

MOST_WAYS = 400
"""On a map with more ways from start to finish, only the first ones found are used."""

# Log-odds that a route with 1 to 4 missing tiles is finished: the value at the start of the game,
# and the change for each factor of e in the distance to the last spike. Fitted to games between
# Surveyors on the standard map.
FAR_AWAY = (2.84, 2.1, 1.49, 1.16)
NEARER = (1.18, 1.09, 0.93, 0.84)


class Ways:
    """The ways from start to finish on a board, and the chance table for their lengths."""

    def __init__(self, board: Board) -> None:
        self.masks = tuple(sum(board.route_mask[route] for route in way) for way in _ways(board))
        """By way: the bitmask of its spaces."""
        self.length = min(mask.bit_count() for mask in self.masks)
        """Tiles to the last spike at the start of the game."""
        self.chances = tuple(
            tuple(_chance(missing, far / self.length) for far in range(self.length + 1))
            for missing in range(SPACES_A_ROUTE + 1)
        )
        """The chance that a route is finished, by its missing tiles and tiles to the last spike."""


@lru_cache(maxsize=64)
def ways_of(board: Board) -> Ways:
    """The ways of a board, cached."""
    return Ways(board)


def shortest_ways(table: Table) -> list[int]:
    """The ways with the fewest missing tiles, as bitmasks of all their spaces."""
    masks = ways_of(table.board).masks
    gaps = [(mask & ~table.track).bit_count() for mask in masks]
    return [mask for mask, gap in zip(masks, gaps, strict=True) if gap == min(gaps)]


class Outlook:
    """What the player to move can expect from a table.

    missing     by route: missing tiles
    far         tiles to the last spike
    shortest    bitmask of the spaces of all shortest ways to it
    chance      by route: the chance that it is finished; 1.0 if it is
    payments    by city: the expected number of payouts to come
    held        by city: how many of its cards the player to move holds
    """

    __slots__ = ("chance", "far", "held", "missing", "payments", "shortest", "table", "ways")

    def __init__(self, table: Table) -> None:
        board = table.board
        track, land, seat = table.track, table.land, table.turn
        self.table = table
        self.ways = ways = ways_of(board)
        gaps = [(mask & ~track).bit_count() for mask in ways.masks]
        self.far = far = min(gaps)
        shortest = 0
        for mask, gap in zip(ways.masks, gaps, strict=True):
            if gap == far:
                shortest |= mask
        self.shortest = shortest
        self.missing = [SPACES_A_ROUTE - (track & mask).bit_count() for mask in board.route_mask]
        self.chance = self.chances_at(far)
        payments = [0.0] * len(board.city_codes)
        for (first, second), chance in zip(board.ends, self.chance, strict=True):
            if chance < 1.0:
                payments[first] += chance
                payments[second] += chance
        self.payments = payments
        self.held = [
            land[card : card + CARDS_A_CITY].count(seat)
            for card in range(0, len(land), CARDS_A_CITY)
        ]

    def chances_at(self, far: int) -> list[float]:
        """By route: the chance if the last spike were `far` tiles away."""
        chances = self.ways.chances
        return [chances[tiles][far] for tiles in self.missing]

    def stakes(self, rival: float) -> list[float]:
        """By route: what it would pay the mover, minus `rival` times the opponents' average."""
        table = self.table
        board, land, seat = table.board, table.land, table.turn
        share = rival / (table.setup.players - len(table.bankrupt) - 1)
        interest: list[float] = []
        card = 0
        for payouts, mine in zip(board.payouts, self.held, strict=True):
            holders = land[card : card + CARDS_A_CITY]
            card += CARDS_A_CITY
            theirs = 0
            for holder in {*holders}:
                if holder >= 0 and holder != seat:
                    theirs += payouts[holders.count(holder)]
            interest.append(payouts[mine] - share * theirs)
        return [interest[first] + interest[second] for first, second in board.ends]


@lru_cache(maxsize=64)
def routes_at(board: Board) -> tuple[tuple[Route, ...], ...]:
    """By city: the routes that end there."""
    return tuple(
        tuple(route for route, ends in enumerate(board.ends) if city in ends)
        for city in range(len(board.city_codes))
    )


def _chance(missing: int, far: float) -> float:
    """`far` is the distance to the last spike as a fraction of that at the start."""
    if missing == 0 or far == 0:
        return 1.0 if missing == 0 else 0.0
    odds = FAR_AWAY[missing - 1] + NEARER[missing - 1] * math.log(far)
    return 1 / (1 + math.exp(-odds))


def _ways(board: Board) -> Iterator[list[Route]]:
    """Every simple path from start to finish, up to MOST_WAYS."""
    found = 0
    begun: list[tuple[City, list[Route], frozenset[City]]] = [
        (board.start, [], frozenset((board.start,)))
    ]
    while begun and found < MOST_WAYS:
        city, routes, entered = begun.pop()
        if city == board.finish:
            found += 1
            yield routes
            continue
        for route in routes_at(board)[city]:
            first, second = board.ends[route]
            beyond = second if city == first else first
            if beyond not in entered:
                begun.append((beyond, [*routes, route], entered | {beyond}))
