"""The state of the games of a batch, and the only functions that move money."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.rules.editions.edition import SPACES_A_ROUTE
from lastspike.rules.table import PHASES

from .arrays import Array, as_array
from .subset import Subset

LAY, RAISE, BUY, OVER = range(len(PHASES))
"""The phases, numbered as in `rules.table.PHASES`."""

NONE = -1
"""No space, no seat, or no place in the order of bankruptcies."""

POOL, ASIDE, TRACK, NOWHERE = -1, -2, -3, -4
"""The places of tiles that no seat has; NOWHERE is for spaces that only pad the map."""

CITIES_BITS, WHOLE_ROUTE = 0b100001, 0b111111
"""In `State.laid`: a route without track, where there are only the cities, and a finished one."""
FIRST_BIT, NEAR = 0b10, 0b101
"""In `State.laid`, shifted by a place, 0 to 3: what is there, and what is before and after it."""


class State(NamedTuple):
    """All games of a batch. Treat it as a value: every step makes a new one.

    In memory, games are the last axis, and numbers are as small as possible:

    tiles        [spaces, games]  where each tile is: the seat that has it, POOL, ASIDE or TRACK
    pool         [spaces, games]  a pile of tiles; the one in row left - 1 is drawn next
    left         [games]          the number of tiles in the pool; later rows mean nothing
    hands        [seats, games]   the number of tiles in each hand
    laid         [routes, games]  six bits: the city at one end, the four spaces, the other city
    linked       [cities, games]  cities joined by finished routes have the same number
    unpaid       [cities, games]  the number of payouts still to come
    holders      [cards, games]   the holder of each card: a seat, BANK or OUT
    stock        [cities, games]  five bits: which of a city's cards the bank has
    market       [cities, games]  what the cheapest card left costs, or NOT_FOR_SALE (B1)
    purses       [seats, games]   cash in thousands; 0 for a bankrupt
    turn         [games]          the seat to move; the last that did when the game is over
    phase        [games]          LAY, RAISE, BUY or OVER
    chosen       [games]          in phase RAISE the space to be paid for, else NONE
    places       [seats, games]   the place in the order of bankruptcies, from 0, or NONE
    last_spike   [games]          the seat that drove it, or NONE

    `hands`, `laid`, `linked` and `unpaid` follow from `tiles`, `stock` and `market` from `holders`;
    they are stored because a step changes few of their values, and recomputing them would scan the
    whole map. The properties return the values used most, with games first.
    """

    tiles: Array
    pool: Array
    left: Array
    hands: Array
    laid: Array
    linked: Array
    unpaid: Array
    holders: Array
    stock: Array
    market: Array
    purses: Array
    turn: Array
    phase: Array
    chosen: Array
    places: Array
    last_spike: Array

    @property
    def games(self) -> int:
        return len(self.turn)

    @property
    def seats(self) -> int:
        return int(self.purses.shape[0])

    @property
    def spaces(self) -> int:
        return int(self.tiles.shape[0])

    @property
    def over(self) -> Array:
        """[games]: whether the game is over."""
        return as_array(self.phase == OVER)

    @property
    def track(self) -> Array:
        """[games, spaces]: whether there is track."""
        return as_array(self.tiles == TRACK).T

    @property
    def land(self) -> Array:
        """[games, cards]: the holder of each card: a seat, BANK or OUT."""
        return self.holders.T

    @property
    def cash(self) -> Array:
        """[games, seats], in thousands; 0 for a bankrupt."""
        return self.purses.T

    @property
    def held(self) -> Array:
        """[games, seats]: the number of tiles in each hand."""
        return self.hands.T

    @property
    def bankrupt(self) -> Array:
        """[games, seats]: the place in the order of bankruptcies, from 0, or NONE."""
        return self.places.T


def hand_of(state: State, seat: Array) -> Array:
    """[games, spaces]: the tiles that a seat, [games] or one for all, has."""
    return as_array(state.tiles == seat).T


def pay(state: State, seat: Array, amount: Array, where: Subset) -> State:
    """In those games the bank pays a seat, or a seat the bank where the amount is negative.

    Only this and `pay_all` write to purses.
    """
    return state._replace(purses=where.add(state.purses, seat, amount))


def pay_all(state: State, amounts: Array, where: Subset) -> State:
    """In those games the bank pays every seat its amount, [seats, those]."""
    return state._replace(purses=where.set(state.purses, where.of(state.purses) + amounts))


def give(state: State, card: Array, holder: Array | int, where: Subset) -> State:
    """A card, [subset], changes hands: a holder is a seat or BANK."""
    return state._replace(holders=where.put(state.holders, card, holder))


def cash_of_mover(state: State, where: Subset) -> Array:
    """[subset]: the cash of the player to move."""
    return where.pick(state.purses, where.of(state.turn))


def route_and_place(space: Array) -> tuple[Array, Array]:
    """The route of a space, and which of its four it is."""
    route = space // SPACES_A_ROUTE
    return route, as_array(space - SPACES_A_ROUTE * route)
