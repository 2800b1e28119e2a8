"""Laying track (L): what a tile costs, which tiles may be laid, and the free grant."""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.rules.board import NO_CITY, Space
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.errors import IllegalMove
from lastspike.rules.events import Event, GrantTaken, TrackLaid
from lastspike.rules.moves import Move
from lastspike.rules.table import BANK, Table, pay, restock

from .raising import means


def adjacent(table: Table, space: Space) -> bool:
    """L2: beside a city, or beside track on the same route."""
    return table.track & table.board.near[space] != 0


def laying_cost(table: Table, space: Space) -> int:
    """L3: the tile's cost, doubled where nothing is adjacent."""
    board = table.board
    cost = board.costs[space]
    return cost if table.track & board.near[space] else 2 * cost


def legal_lays(table: Table, hand: Sequence[Space]) -> list[Move]:
    """L4, L5: the payable tiles of the hand; with forced double cost the adjacent ones first."""
    board = table.board
    lays = board.lays
    if table.cash[table.turn] < board.dearest:
        hand = payable(table, hand)
    if table.setup.options.double_cost == "forced":
        track = table.track
        near = board.near
        beside_track = [lays[space] for space in hand if track & near[space]]
        if beside_track:
            return beside_track
    return [lays[space] for space in hand]


def payable(table: Table, hand: Sequence[Space]) -> list[Space]:
    """L4: the tiles that cash, and land where cash is short, can pay for."""
    cash = table.cash[table.turn]
    costs = [laying_cost(table, space) for space in hand]
    if max(costs, default=0) > cash:
        cash = means(table, table.turn)
    return [space for space, cost in zip(hand, costs, strict=True) if cost <= cash]


def can_pay_for_any(table: Table, hand: Sequence[Space]) -> bool:
    """L6: whether the player whose turn begins can go on."""
    cheapest = min(laying_cost(table, space) for space in hand)
    return cheapest <= table.cash[table.turn] or cheapest <= means(table, table.turn)


def lay(table: Table, space: Space, cost: int, events: list[Event] | None) -> bool:
    """L1, L3, L7: pay what the tile costs now, lay it, take the city's free grant. Returns whether
    there was one."""
    board = table.board
    seat = table.turn
    pay(table, seat, -cost)
    if events is not None:
        events.append(TrackLaid(seat, board.codes[space], cost, not adjacent(table, space)))
    table.track |= board.bit[space]
    city = board.beside[space]
    if city == NO_CITY or table.land[city * CARDS_A_CITY] != BANK:
        return False
    table.land[city * CARDS_A_CITY] = seat
    restock(table, city)
    if events is not None:
        events.append(GrantTaken(seat, board.city_codes[city]))
    return True


def why_no_lay(table: Table, hand: Sequence[Space], move: Move) -> IllegalMove:
    """Which rule forbids laying this tile."""
    board = table.board
    tile = move.text
    if table.phase == "raise":
        chosen = board.codes[table.chosen]
        return IllegalMove("F1", "first raise the money for {tile}", tile=chosen)
    if table.phase == "buy":
        return IllegalMove("T1", "you’ve already laid your tile this turn; now buy land or pass")
    if table.track & board.bit[move.space]:
        return IllegalMove("L1", "{tile} is already laid", tile=tile)
    if move.space not in hand:
        return IllegalMove("T1", "{tile} is not in your hand", tile=tile)
    cost = laying_cost(table, move.space)
    most = means(table, table.turn)
    if cost > most:
        return IllegalMove(
            "L4",
            "{tile} costs {cost}; even by selling land, you can raise only {means}",
            tile=tile,
            cost=cost,
            means=most,
        )
    tiles = tuple(lay.text for lay in legal_lays(table, hand))
    return IllegalMove(
        "L5",
        "{tile} would cost double; you must lay a tile next to a city or track: {tiles}",
        tile=tile,
        tiles=tiles,
    )
