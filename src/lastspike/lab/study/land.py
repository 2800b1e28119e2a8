"""Figures on land: how often each card is bought, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.lab.arena.statistics import Interval, interval, share_interval
from lastspike.rules.editions.edition import City, Edition
from lastspike.rules.records.holdings import Holding

from .means import ratio
from .notes import Note


class CardFigures(NamedTuple):
    """One card of a city; rank 0 is the free grant, which is taken rather than bought.

    games      the share of games in which it was bought
    bought     total purchases; a card sold to the bank may be bought again
    earned     its share of payouts, per purchase
    returned   that plus what the bank paid for it, minus the price
    lost       the share of purchases that returned less than zero
    The last three are None for a card that was never bought.
    """

    city: str
    rank: int
    price: int
    games: Interval
    bought: int
    earned: Interval | None
    returned: Interval | None
    lost: Interval | None


class CityLand(NamedTuple):
    """A city's priced cards together, per game: cards `bought`, dollars `spent`, and dollars
    `returned` above that; `return_rate` is dollars returned per dollar spent."""

    city: str
    bought: Interval
    spent: Interval
    returned: Interval
    return_rate: Interval | None


def cards(notes: Sequence[Note], edition: Edition) -> tuple[CardFigures, ...]:
    """By city in edition order, then by rank."""
    by_card: dict[tuple[str, int], list[list[Holding]]] = {
        (city.code, rank): [] for city in edition.cities for rank in range(len(city.land))
    }
    for note in notes:
        for games in by_card.values():
            games.append([])
        for holding in note.holdings:
            by_card[holding.city, holding.rank][-1].append(holding)
    prices = {city.code: city.land for city in edition.cities}
    return tuple(
        _of_card(city, rank, prices[city][rank], games) for (city, rank), games in by_card.items()
    )


def land_of_cities(notes: Sequence[Note], edition: Edition) -> tuple[CityLand, ...]:
    """By city, in edition order."""
    return tuple(_of_city(notes, city) for city in edition.cities)


def _of_card(city: str, rank: int, price: int, games: Sequence[list[Holding]]) -> CardFigures:
    bought = [held for held in games if held]
    counts = [len(held) for held in bought]
    returned = [[card.profit for card in held] for held in bought]
    losses = [sum(amount < 0 for amount in amounts) / len(amounts) for amounts in returned]
    return CardFigures(
        city=city,
        rank=rank,
        price=price,
        games=share_interval([float(bool(held)) for held in games]),
        bought=sum(counts),
        earned=ratio([sum(card.earned for card in held) for held in bought], counts),
        returned=ratio([*map(sum, returned)], counts),
        lost=share_interval(losses) if losses else None,
    )


def _of_city(notes: Sequence[Note], city: City) -> CityLand:
    games = [[c for c in note.holdings if c.city == city.code and c.rank > 0] for note in notes]
    spent = [sum(card.cost for card in held) for held in games]
    returned = [sum(card.profit for card in held) for held in games]
    return CityLand(
        city=city.code,
        bought=interval([len(held) for held in games]),
        spent=interval(spent),
        returned=interval(returned),
        return_rate=ratio(returned, spent),
    )
