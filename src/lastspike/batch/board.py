"""The board as arrays: an edition's figures, the number of players and the options.

Every array has games as its last axis, as a state has. Its length is one if all games of
a batch share the board. In a batch that mixes editions, players and options, it is the number of
games: `stack` makes such boards. Smaller editions are padded to a common `Shape`. A padded space
has no tile, a padded city never has open land, and a padded seat has no player, so the rules don't
need to know about padding.

Money is in thousands: 32 bits are then enough for every edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lastspike.rules.board import NO_CITY
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Setup

from .arrays import Array

THOUSAND = 1000


MOST_ROUTES = 26
"""One for each letter; the space numbers then fit into eight bits."""


class Shape(NamedTuple):
    """How many routes, cities and seats there is room for."""

    routes: int
    cities: int
    seats: int

    @property
    def spaces(self) -> int:
        return self.routes * SPACES_A_ROUTE

    @property
    def cards(self) -> int:
        return self.cities * CARDS_A_CITY


class Board(NamedTuple):
    """What never changes during a game. Spaces, cities and cards are numbered as in `rules`.

    players      the number of players
    forced       L5: whether `double_cost` is forced
    cash_open    B3: whether everybody's cash is open
    hands_open   S3: whether everybody's hand is open
    hand_size, aside, purse   S1, S3: tiles in a hand, tiles put aside, starting cash
    bonus        E1
    start, finish   E1: the cities that the last spike joins
    dearest      enough cash for any tile anywhere
    seats        by seat: whether it has a player
    tiles        by space: whether the map has it
    costs        by space
    beside       by space: the city that it touches, or NO_CITY
    ends         by route: the city at each end
    unpaid       by city: the number of payouts it will make
    prices, fetches   by card: its price, and what the bank pays for it (F2)
    payouts      by number of cards held, from none on, and city
    """

    players: Array
    forced: Array
    cash_open: Array
    hands_open: Array
    hand_size: Array
    aside: Array
    purse: Array
    bonus: Array
    start: Array
    finish: Array
    dearest: Array
    seats: Array
    tiles: Array
    costs: Array
    beside: Array
    ends: Array
    unpaid: Array
    prices: Array
    fetches: Array
    payouts: Array

    @property
    def shape(self) -> Shape:
        return Shape(self.ends.shape[1], self.unpaid.shape[0], self.seats.shape[0])


def by_city(cards: Array) -> Array:
    """[cities, 5, games], of [cards, games]."""
    return cards.reshape(len(cards) // CARDS_A_CITY, CARDS_A_CITY, *cards.shape[1:])


def shape_of(setups: Iterable[Setup]) -> Shape:
    """The smallest shape into which all of these fit."""
    shapes = [(len(s.board.letters), len(s.board.city_codes), s.players) for s in setups]
    return Shape(*map(max, zip(*shapes, strict=True)))


def board_of(setup: Setup, shape: Shape | None = None) -> Board:
    """The board of a setup in NumPy, padded to the shape if one is given.

    `LastSpikeError` if it does not fit, or if the shape is for more routes than there can be.
    """
    own = shape_of([setup])
    shape = shape or own
    too_small = any(size > room for size, room in zip(own, shape, strict=True))
    if too_small or shape.routes > MOST_ROUTES:
        raise LastSpikeError(
            "{edition} for {players} players does not fit into {shape}",
            edition=setup.edition.id,
            players=setup.players,
            shape=str(tuple(shape)),
        )
    board, edition, options = setup.board, setup.edition, setup.options
    ends = np.array(board.ends).T
    routes_of_city = np.bincount(ends.ravel(), minlength=shape.cities)
    return Board(
        players=_number(setup.players, np.int8),
        forced=np.array([options.double_cost == "forced"]),
        cash_open=np.array([options.cash == "open"]),
        hands_open=np.array([options.hands == "open"]),
        hand_size=_number(edition.hand_size, np.int8),
        aside=_number(edition.set_aside.get(setup.players, 0), np.int8),
        purse=_number(edition.starting_cash[setup.players] // THOUSAND),
        bonus=_number(edition.last_spike_bonus // THOUSAND),
        start=_number(board.start, np.int16),
        finish=_number(board.finish, np.int16),
        dearest=_number(board.dearest // THOUSAND),
        seats=(np.arange(shape.seats) < setup.players)[:, None],
        tiles=(np.arange(shape.spaces) < len(board.codes))[:, None],
        costs=_padded(_thousands(board.costs), (shape.spaces,)),
        beside=_padded(np.array(board.beside), (shape.spaces,), np.int16, NO_CITY),
        ends=_padded(ends, (2, shape.routes), np.int16),
        unpaid=_padded(routes_of_city, (shape.cities,), np.int8),
        prices=_padded(_thousands(board.prices), (shape.cards,)),
        fetches=_padded(_thousands(board.fetches), (shape.cards,)),
        payouts=_padded(_thousands(board.payouts).T, (CARDS_A_CITY + 1, shape.cities)),
    )


def stack(boards: Sequence[Board]) -> Board:
    """One board per game, for a batch that mixes them. All must be padded to the same shape."""
    return Board(*(np.concatenate(arrays, axis=-1) for arrays in zip(*boards, strict=True)))


def _number(value: int, dtype: type = np.int32) -> Array:
    return np.array([value], dtype=dtype)


def _thousands(amounts: object) -> Array:
    return np.array(amounts) // THOUSAND


def _padded(
    values: Array, shape: tuple[int, ...], dtype: type = np.int32, padding: int = 0
) -> Array:
    whole: Array = np.full(shape, padding, dtype=dtype)
    whole[tuple(slice(size) for size in values.shape)] = values
    return whole[..., None]
