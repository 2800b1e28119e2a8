"""Raising money (F): selling land to the bank to pay for a chosen tile."""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.rules.board import Card, Seat, Space
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.errors import IllegalMove
from lastspike.rules.events import Event, LandSold
from lastspike.rules.moves import Move, sell_text
from lastspike.rules.table import BANK, Table, pay, restock


def sellable(table: Table, seat: Seat) -> list[Card]:
    """F3: the seat's cards that the bank buys: no free grant, none of a city with all routes
    finished."""
    finished = table.finished
    routes_of_city = table.board.routes_of_city
    return [
        card
        for card, holder in enumerate(table.land)
        if holder == seat
        and card % CARDS_A_CITY
        and routes_of_city[card // CARDS_A_CITY] & ~finished
    ]


def means(table: Table, seat: Seat) -> int:
    """L4: cash plus what the seat's land would fetch."""
    fetches = table.board.fetches
    return table.cash[seat] + sum(fetches[card] for card in sellable(table, seat))


def legal_sales(table: Table, _hand: Sequence[Space]) -> list[Move]:
    """F1, F4: any card that the bank buys, one at a time."""
    board = table.board
    return sorted(
        board.move_of[sell_text(board.city_codes[card // CARDS_A_CITY], card % CARDS_A_CITY)]
        for card in sellable(table, table.turn)
    )


def sell(table: Table, move: Move, events: list[Event] | None) -> None:
    """F2, F4: the bank pays half; the card goes back to its city's pile at its own rank."""
    board = table.board
    card = move.city * CARDS_A_CITY + move.rank
    amount = board.fetches[card]
    table.land[card] = BANK
    restock(table, move.city)
    pay(table, table.turn, amount)
    if events is not None:
        events.append(LandSold(table.turn, board.city_codes[move.city], move.rank, amount))


def why_no_sale(table: Table, move: Move) -> IllegalMove:
    """Which rule forbids this sale."""
    board = table.board
    if table.phase != "raise":
        return IllegalMove("F1", "you can sell land only to pay for a tile you’ve chosen")
    city = board.city_codes[move.city]
    if table.land[move.city * CARDS_A_CITY + move.rank] != table.turn:
        return IllegalMove("F4", "you don’t hold {card}", card=f"{city}{move.rank}")
    return IllegalMove(
        "F3", "the bank doesn’t buy land in {city}: all its routes are finished", city=city
    )
