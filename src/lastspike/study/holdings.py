"""Holdings: a land card from the turn it comes to a player until it goes, and what it earned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lastspike.rules.board import Seat
from lastspike.rules.events import Bankruptcy, Event, GrantTaken, LandBought, LandSold, Payout


class Holding(NamedTuple):
    """One card in one hand. `earned` is its part of the payouts, `fetched` what the bank gave for
    it in a sale; a free grant has the price 0."""

    city: str
    rank: int
    price: int
    earned: float = 0.0
    fetched: int = 0

    @property
    def returned(self) -> float:
        """What came back of the price, and above it: negative if the card lost money."""
        return self.earned + self.fetched - self.price


def holdings(history: Iterable[Event]) -> list[Holding]:
    """All holdings of a game, in the order in which they ended; those at its end come last.

    The cards that a player has in a city share each payout alike, so all shares together are what
    was paid, whatever the edition pays for one card more.
    """
    held: dict[tuple[Seat, str], list[Holding]] = {}
    ended: list[Holding] = []
    for event in history:
        match event:
            case GrantTaken(seat, city):
                held.setdefault((seat, city), []).append(Holding(city, 0, 0))
            case LandBought(seat, city, rank, price):
                held.setdefault((seat, city), []).append(Holding(city, rank, price))
            case Payout(seat, _, city, cards, amount):
                own = held[seat, city]
                own[:] = [card._replace(earned=card.earned + amount / cards) for card in own]
            case LandSold(seat, city, rank, amount):
                own = held[seat, city]
                sold = next(card for card in own if card.rank == rank)
                own.remove(sold)
                ended.append(sold._replace(fetched=amount))
            case Bankruptcy(seat):
                for own in [own for (holder, _), own in held.items() if holder == seat]:
                    ended += own
                    own.clear()
    return ended + [card for own in held.values() for card in own]
