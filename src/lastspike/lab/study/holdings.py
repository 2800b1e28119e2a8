"""Holdings: a land card from the turn it comes to a player until it goes, and what it earned.

A card's share of a payout is what it added, as in a review (`review/facts.py`): the amount for so
many cards less the amount for one fewer, cards counted in the order in which their holder got them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from lastspike.rules.board import Board, Seat
from lastspike.rules.events import Bankruptcy, Event, GrantTaken, LandBought, LandSold, Payout


class Holding(NamedTuple):
    """One card in one hand. `earned` is its part of the payouts, `fetched` what the bank gave for
    it in a sale; a free grant has the price 0."""

    city: str
    rank: int
    price: int
    earned: int = 0
    fetched: int = 0

    @property
    def returned(self) -> int:
        """What came back of the price, and above it: negative if the card lost money."""
        return self.earned + self.fetched - self.price


def holdings(history: Iterable[Event], board: Board) -> list[Holding]:
    """All holdings of a game, in the order in which they ended; those at its end come last."""
    added = {
        city: [more - less for less, more in pairwise(payouts)]
        for city, payouts in zip(board.city_codes, board.payouts, strict=True)
    }
    held: dict[tuple[Seat, str], list[_Card]] = {}
    ended: list[Holding] = []
    for event in history:
        match event:
            case LandBought(seat, city, rank, price):
                held.setdefault((seat, city), []).append(_Card(city, rank, price))
            case Payout(seat, _, city):
                for card, share in zip(held[seat, city], added[city], strict=False):
                    card.earned += share
            case GrantTaken(seat, city):
                held.setdefault((seat, city), []).append(_Card(city, 0, 0))
            case LandSold(seat, city, rank, amount):
                own = held[seat, city]
                sold = next(card for card in own if card.rank == rank)
                own.remove(sold)
                ended.append(sold.told(amount))
            case Bankruptcy(seat):
                for own in [own for (holder, _), own in held.items() if holder == seat]:
                    ended += [card.told() for card in own]
                    own.clear()
    return ended + [card.told() for own in held.values() for card in own]


class _Card:
    """A card that somebody holds, while the history is read."""

    __slots__ = ("city", "earned", "price", "rank")

    def __init__(self, city: str, rank: int, price: int) -> None:
        self.city, self.rank, self.price = city, rank, price
        self.earned = 0

    def told(self, fetched: int = 0) -> Holding:
        return Holding(self.city, self.rank, self.price, self.earned, fetched)
