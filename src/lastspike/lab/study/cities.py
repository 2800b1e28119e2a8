"""Figures by city: how many of its routes are finished, and what it pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.lab.arena.statistics import Interval, interval
from lastspike.rules.editions.edition import City, Edition

from .notes import Note


class CityFigures(NamedTuple):
    """`routes` end here; `finished` is the mean number finished per game, and `games_by_finished`
    the share of games with none, one, two and so on. `paid` is dollars per game to all holders."""

    city: str
    routes: int
    finished: Interval
    games_by_finished: tuple[float, ...]
    paid: Interval


def cities(notes: Sequence[Note], edition: Edition) -> tuple[CityFigures, ...]:
    """By city, in edition order."""
    return tuple(_of_city(notes, edition, city) for city in edition.cities)


def _of_city(notes: Sequence[Note], edition: Edition, city: City) -> CityFigures:
    letters = {route.letter for route in edition.routes if city.code in route.ends}
    finished = [len(letters.intersection(note.routes)) for note in notes]
    paid = [sum(p.amount for p in note.payouts if p.city == city.code) for note in notes]
    return CityFigures(
        city=city.code,
        routes=len(letters),
        finished=interval(finished),
        games_by_finished=tuple(
            finished.count(count) / len(notes) for count in range(len(letters) + 1)
        ),
        paid=interval(paid),
    )
