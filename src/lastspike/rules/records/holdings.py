"""Holdings: each land card from the turn a player gets it until it goes, and what it earned.

A card's share of a payout is what it added: the amount for n cards minus the amount for n - 1, in
the order in which the player got them. So the first card of a city earns what one card pays, the
second what two pay beyond that, and all shares add up to the payout.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal, NamedTuple

from lastspike.rules.board import Board, Seat
from lastspike.rules.events import Bankruptcy, Event, GrantTaken, LandBought, LandSold, Payout

from .turns import events_by_turn

Fate = Literal["kept", "sold", "lost"]


class Holding(NamedTuple):
    """`cost` was paid for the card, 0 for a free grant; `earned` is its share of payouts; `fetched`
    is what its sale brought.

    A card that was sold and bought again is two holdings. `since` and `until` are turns; `until` is
    the one in which the card was sold, or lost by bankruptcy, and None if it was kept."""

    card: str
    seat: Seat
    since: int
    cost: int
    earned: int = 0
    fetched: int = 0
    fate: Fate = "kept"
    until: int | None = None

    @property
    def city(self) -> str:
        return self.card[:-1]

    @property
    def rank(self) -> int:
        return int(self.card[-1])

    @property
    def profit(self) -> int:
        """Negative if the card lost money."""
        return self.earned + self.fetched - self.cost


def holdings(history: Iterable[Event], board: Board) -> list[Holding]:
    """All holdings of a game, in the order in which players got them."""
    added = {
        city: [more - less for less, more in pairwise(payouts)]
        for city, payouts in zip(board.city_codes, board.payouts, strict=True)
    }
    found: list[Holding] = []
    held: dict[tuple[Seat, str], list[int]] = {}
    """By seat and city, where its cards are in `found`."""
    for turn, events in events_by_turn(history):
        for event in events:
            match event:
                case GrantTaken(seat, city):
                    held.setdefault((seat, city), []).append(len(found))
                    found.append(Holding(f"{city}0", seat, turn, 0))
                case LandBought(seat, city, rank, price):
                    held.setdefault((seat, city), []).append(len(found))
                    found.append(Holding(f"{city}{rank}", seat, turn, price))
                case Payout(seat, _, city):
                    for place, share in zip(held[seat, city], added[city], strict=False):
                        found[place] = found[place]._replace(earned=found[place].earned + share)
                case LandSold(seat, city, rank, amount):
                    own = held[seat, city]
                    place = next(place for place in own if found[place].rank == rank)
                    own.remove(place)
                    found[place] = found[place]._replace(fetched=amount, fate="sold", until=turn)
                case Bankruptcy(seat):
                    for own in [own for (holder, _), own in held.items() if holder == seat]:
                        for place in own:
                            found[place] = found[place]._replace(fate="lost", until=turn)
                        own.clear()
    return found
