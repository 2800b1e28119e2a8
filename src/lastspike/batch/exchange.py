"""Conversion of games between `rules` positions and batch states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastspike.rules.board import Space
from lastspike.rules.editions.edition import SPACES_A_ROUTE, reached
from lastspike.rules.game import Game
from lastspike.rules.hidden import Hidden
from lastspike.rules.position import Position
from lastspike.rules.table import BANK, PHASES, Setup, Table, restock

from .arrays import Array
from .board import THOUSAND, Shape
from .state import ASIDE, CITIES_BITS, FIRST_BIT, NONE, NOWHERE, POOL, TRACK, State
from .steps.buying import NOT_FOR_SALE, stock_of


def from_positions(positions: Sequence[Position], shape: Shape) -> State:
    """A NumPy state whose games are these positions, in order."""
    rows = [_row(position, shape) for position in positions]
    return State(*(np.stack(arrays, axis=-1) for arrays in zip(*rows, strict=True)))


def to_positions(setups: Sequence[Setup], state: State) -> list[Position]:
    """The games of a state as positions of `rules`. The tiles put aside come out sorted."""
    rows = zip(*(np.moveaxis(np.asarray(values), -1, 0).tolist() for values in state), strict=True)
    return [_position(setup, State(*row)) for setup, row in zip(setups, rows, strict=True)]


def remix_of(games: Sequence[Game], shape: Shape) -> Array:
    """The `remix` that repeats how these games' pools were mixed after each bankruptcy; see
    `go_bankrupt`."""
    orders = [dict(zip(game.position.table.bankrupt, game.remixed, strict=True)) for game in games]
    return remix_in_order(orders, shape)


def remix_in_order(orders: Sequence[Mapping[int, Sequence[Space]]], shape: Shape) -> Array:
    """By game and seat that goes bankrupt, the pool's new drawing order."""
    remix = np.zeros((len(orders), shape.seats, shape.spaces), dtype=np.int32)
    for game, by_seat in enumerate(orders):
        for seat, tiles in by_seat.items():
            remix[game, seat, list(tiles)] = np.arange(len(tiles))
    return remix


def _position(setup: Setup, row: State) -> Position:
    """The position of one game, given as lists."""
    table = Table(setup, int(row.turn))
    board = setup.board
    table.track |= sum(board.bit[space] for space in _places(row.tiles, TRACK))
    for route, mask in enumerate(board.route_mask):
        table.finished |= (table.track & mask == mask) << route
    table.land = list(row.holders[: len(board.prices)])
    for city in range(len(board.city_codes)):
        restock(table, city)
    table.cash = [THOUSAND * cash for cash in row.purses[: setup.players]]
    table.phase = PHASES[int(row.phase)]
    table.chosen = int(row.chosen)
    out = [(place, seat) for seat, place in enumerate(row.places) if place != NONE]
    table.bankrupt = tuple(seat for _, seat in sorted(out))
    table.last_spike = int(row.last_spike)
    pool = list(row.pool[: int(row.left)])[::-1]
    hands = [_places(row.tiles, seat) for seat in range(setup.players)]
    return Position(table, Hidden(hands, pool, _places(row.tiles, ASIDE)))


def _row(position: Position, shape: Shape) -> State:
    """One game, as a state without the axis of games."""
    table, hidden, board = position.table, position.hidden, position.table.board
    tiles = _filled(shape.spaces, NOWHERE)
    tiles[board.spaces_in(table.track)] = TRACK
    tiles[hidden.pool] = POOL
    tiles[list(hidden.aside)] = ASIDE
    for seat, hand in enumerate(hidden.hands):
        tiles[hand] = seat
    pool = _filled(shape.spaces, NONE)
    pool[: len(hidden.pool)] = hidden.pool[::-1]
    land = _filled(shape.cards, BANK)
    land[: len(table.land)] = table.land
    market = _filled(shape.cities, NOT_FOR_SALE, np.int32)
    for city, price in enumerate(table.market):
        market[city] = min(price // THOUSAND, NOT_FOR_SALE)
    cash = _filled(shape.seats, 0, np.int32)
    cash[: len(table.cash)] = [purse // THOUSAND for purse in table.cash]
    places = _filled(shape.seats, NONE)
    places[list(table.bankrupt)] = np.arange(len(table.bankrupt))
    hands = [len(hand) for hand in hidden.hands]
    return State(
        tiles=tiles,
        pool=pool,
        left=_number(len(hidden.pool)),
        hands=np.array(hands + [0] * (shape.seats - len(hands)), dtype=np.int8),
        laid=_laid(table, shape),
        linked=_linked(table, shape),
        unpaid=_unpaid(table, shape),
        holders=land,
        stock=stock_of(land[:, None], np)[:, 0],
        market=market,
        purses=cash,
        turn=_number(table.turn),
        phase=_number(PHASES.index(table.phase)),
        chosen=_number(table.chosen),
        places=places,
        last_spike=_number(table.last_spike),
    )


def _laid(table: Table, shape: Shape) -> Array:
    """Each route's track, and the cities at its ends."""
    laid = _filled(shape.routes, CITIES_BITS)
    for space in table.board.spaces_in(table.track):
        laid[space // SPACES_A_ROUTE] |= FIRST_BIT << space % SPACES_A_ROUTE
    return laid


def _linked(table: Table, shape: Shape) -> Array:
    """Cities joined by finished routes share the lowest of their numbers."""
    ends = [both for route, both in enumerate(table.board.ends) if table.finished >> route & 1]
    return np.array([min(reached(city, ends)) for city in range(shape.cities)], dtype=np.int16)


def _unpaid(table: Table, shape: Shape) -> Array:
    """For each city, the number of its unfinished routes."""
    counts = _filled(shape.cities, 0)
    for route, ends in enumerate(table.board.ends):
        counts[list(ends)] += not table.finished >> route & 1
    return counts


def _filled(size: int, value: int, dtype: type = np.int8) -> Array:
    return np.full(size, value, dtype=dtype)


def _number(value: int) -> Array:
    return np.array(value, dtype=np.int8)


def _places(tiles: Sequence[int] | Array, where: int) -> list[Space]:
    """The tiles that are there."""
    return [tile for tile, here in enumerate(tiles) if here == where]
