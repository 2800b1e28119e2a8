"""Bankruptcy (K): what becomes of the tiles, cash and land of a player who can't go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastspike.rules.board import Space
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.events import Bankruptcy, Event, PoolMixed
from lastspike.rules.hidden import Hidden
from lastspike.rules.table import BANK, OUT, Table, pay, restock

Remix = Callable[[list[Space]], Sequence[Space]]
"""Mixes the pool again: takes its tiles in edition order, returns them in drawing order."""


def go_bankrupt(table: Table, hidden: Hidden, remix: Remix, events: list[Event] | None) -> None:
    """K1: the player whose turn it is, is out. Does not pass the turn."""
    board = table.board
    seat = table.turn
    cash = table.cash[seat]
    pay(table, seat, -cash)
    land = [card for card, holder in enumerate(table.land) if holder == seat]
    priced = [card for card in land if card % CARDS_A_CITY]
    grants = [card for card in land if not card % CARDS_A_CITY]
    for card in priced:
        table.land[card] = BANK
    for card in grants:
        table.land[card] = OUT
    for city in {card // CARDS_A_CITY for card in land}:
        restock(table, city)
    hand = hidden.hands[seat]
    hidden.hands[seat] = []
    tiles = {*hidden.pool, *hand}
    hidden.pool = list(remix([tile for tile in board.tiles if tile in tiles]))
    table.bankrupt = (*table.bankrupt, seat)
    if events is not None:
        events.append(
            Bankruptcy(
                seat,
                cash,
                tuple(board.card_text(card) for card in priced),
                tuple(board.city_codes[card // CARDS_A_CITY] for card in grants),
                len(hand),
            )
        )
        events.append(PoolMixed(len(hidden.pool)))
