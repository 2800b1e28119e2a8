"""Games to and from `rules`: positions become rows of a state and rows positions again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastspike.rules.board import Space
from lastspike.rules.edition import CARDS_A_CITY, reached
from lastspike.rules.game import Game
from lastspike.rules.hidden import Hidden
from lastspike.rules.position import Position
from lastspike.rules.table import PHASES, Setup, Table, restock

from .arrays import Array
from .board import THOUSAND, Shape
from .state import ASIDE, NONE, NOWHERE, POOL, TRACK, State


def from_positions(positions: Sequence[Position], shape: Shape) -> State:
    """The state, in NumPy, in which these positions are the games, in their order."""
    rows = [_row(position, shape) for position in positions]
    return State(*(np.stack(arrays) for arrays in zip(*rows, strict=True)))


def to_positions(setups: Sequence[Setup], state: State) -> list[Position]:
    """The games of a state as positions of `rules`. The tiles put aside come out sorted."""
    rows = zip(*(np.asarray(values).tolist() for values in state), strict=True)
    return [_position(setup, State(*row)) for setup, row in zip(setups, rows, strict=True)]


def remix_of(games: Sequence[Game], shape: Shape) -> Array:
    """How the pools of these games were mixed after each bankruptcy, for playing them again; see
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
    table.land = list(row.land[: len(board.prices)])
    for city in range(len(board.city_codes)):
        restock(table, city)
    table.cash = [THOUSAND * cash for cash in row.cash[: setup.players]]
    table.phase = PHASES[int(row.phase)]
    table.chosen = int(row.chosen)
    out = [(place, seat) for seat, place in enumerate(row.bankrupt) if place != NONE]
    table.bankrupt = tuple(seat for _, seat in sorted(out))
    table.last_spike = int(row.last_spike)
    pool = sorted(_places(row.tiles, POOL), key=lambda tile: int(row.order[tile]))
    hands = [_places(row.tiles, seat) for seat in range(setup.players)]
    return Position(table, Hidden(hands, pool, _places(row.tiles, ASIDE)))


def _row(position: Position, shape: Shape) -> State:
    table, hidden, board = position.table, position.hidden, position.table.board
    players = table.setup.players
    land = np.full(shape.cards, -1, dtype=np.int8)
    land[: len(table.land)] = table.land
    cash = np.zeros(shape.seats, dtype=np.int32)
    cash[:players] = [purse // THOUSAND for purse in table.cash]
    tiles = np.full(shape.spaces, NOWHERE, dtype=np.int8)
    tiles[board.spaces_in(table.track)] = TRACK
    tiles[hidden.pool] = POOL
    tiles[list(hidden.aside)] = ASIDE
    held = np.zeros(shape.seats, dtype=np.int32)
    for seat, hand in enumerate(hidden.hands):
        tiles[hand] = seat
        held[seat] = len(hand)
    order = np.zeros(shape.spaces, dtype=np.int32)
    order[hidden.pool] = np.arange(len(hidden.pool))
    bankrupt = np.full(shape.seats, NONE, dtype=np.int32)
    bankrupt[list(table.bankrupt)] = np.arange(len(table.bankrupt))
    return State(
        tiles=tiles,
        order=order,
        held=held,
        left=_number(len(hidden.pool)),
        land=land,
        cash=cash,
        turn=_number(table.turn),
        phase=_number(PHASES.index(table.phase)),
        chosen=_number(table.chosen),
        bankrupt=bankrupt,
        last_spike=_number(table.last_spike),
        linked=_linked(table, shape),
        unpaid=_unpaid(table, shape),
    )


def _linked(table: Table, shape: Shape) -> Array:
    """Each city has the least number of those it is joined to by finished routes."""
    ends = [both for route, both in enumerate(table.board.ends) if table.finished >> route & 1]
    return np.array([min(reached(city, ends)) for city in range(shape.cities)], dtype=np.int32)


def _unpaid(table: Table, shape: Shape) -> Array:
    """For each card that has a price, how many routes of its city are not finished."""
    counts = np.zeros((shape.cities, CARDS_A_CITY), dtype=np.int32)
    for route, ends in enumerate(table.board.ends):
        counts[list(ends), 1:] += not table.finished >> route & 1
    return counts.ravel()


def _number(value: int) -> Array:
    return np.array(value, dtype=np.int32)


def _places(tiles: Sequence[int] | Array, where: int) -> list[Space]:
    """The tiles that are there."""
    return [tile for tile, here in enumerate(tiles) if here == where]
