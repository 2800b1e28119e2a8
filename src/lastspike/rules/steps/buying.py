"""Buying land (B): one card a turn, the cheapest left of an open city."""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.rules.board import NOT_FOR_SALE, Space
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.errors import IllegalMove
from lastspike.rules.events import Event, LandBought, NothingBought
from lastspike.rules.moves import Move
from lastspike.rules.table import BANK, Table, pay, restock


def can_buy(table: Table) -> bool:
    """T6: whether there is any land the player could buy."""
    return min(table.market) <= table.cash[table.turn]


def legal_purchases(table: Table, _hand: Sequence[Space]) -> list[Move]:
    """B1: every open city whose cheapest card cash covers; or none."""
    cash = table.cash[table.turn]
    buys = table.board.buys
    moves = [buys[city] for city, price in enumerate(table.market) if price <= cash]
    moves.append(table.board.passing)
    return moves


def buy(table: Table, move: Move, events: list[Event] | None) -> None:
    """B1: take the cheapest card left and pay its price, or pass."""
    seat = table.turn
    if move.kind == "pass":
        if events is not None:
            events.append(NothingBought(seat))
        return
    city = move.city
    price = table.market[city]
    rank = table.land.index(BANK, city * CARDS_A_CITY) - city * CARDS_A_CITY
    table.land[city * CARDS_A_CITY + rank] = seat
    restock(table, city)
    pay(table, seat, -price)
    if events is not None:
        events.append(LandBought(seat, table.board.city_codes[city], rank, price))


def why_no_purchase(table: Table, move: Move) -> IllegalMove:
    """Which rule forbids buying this, or passing."""
    board = table.board
    if table.phase == "raise":
        chosen = board.codes[table.chosen]
        return IllegalMove("F1", "first raise the money for {tile}", tile=chosen)
    if table.phase == "lay":
        return IllegalMove("T1", "lay a tile first")
    code = board.city_codes[move.city]
    price = table.market[move.city]
    if table.land[move.city * CARDS_A_CITY] == BANK:
        return IllegalMove("B1", "the free land in {city} hasn’t been taken yet", city=code)
    if price == NOT_FOR_SALE:
        return IllegalMove("B1", "no land is left in {city}", city=code)
    return IllegalMove(
        "B1",
        "land in {city} costs {price}, and you have only {cash}",
        city=code,
        price=price,
        cash=table.cash[table.turn],
    )
