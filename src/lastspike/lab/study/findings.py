"""All figures of a study for one number of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.lab.arena.game_runner import Faults
from lastspike.lab.arena.statistics import Interval
from lastspike.rules.editions.edition import Edition

from .cities import CityFigures, cities
from .ending import Ending, Length, ending, length, wins_in_order
from .land import CardFigures, CityLand, cards, land_of_cities
from .last_spike import LastSpikeFigures, last_spike
from .notes import Note
from .routes import RouteFigures, routes, routes_finished


class Findings(NamedTuple):
    """Each field's type says what it holds. If `faults` is above 0, random moves replaced some of
    the player's, so the figures are not that player's alone."""

    players: int
    games: int
    faults: int
    first_fault: str
    length: Length
    ending: Ending
    fair_share: float
    wins_in_order: tuple[Interval, ...]
    last_spike: LastSpikeFigures | None
    routes_finished: Interval
    routes: tuple[RouteFigures, ...]
    cities: tuple[CityFigures, ...]
    land: tuple[CityLand, ...]
    cards: tuple[CardFigures, ...]


def findings(edition: Edition, players: int, notes: Sequence[Note]) -> Findings:
    """The figures of these games, all for this number of players."""
    faults = sum((note.faults for note in notes), Faults())
    return Findings(
        players=players,
        games=len(notes),
        faults=faults.count,
        first_fault=faults.first,
        length=length(notes),
        ending=ending(notes),
        fair_share=1 / players,
        wins_in_order=wins_in_order(notes, players),
        last_spike=last_spike(notes, edition.last_spike_bonus),
        routes_finished=routes_finished(notes),
        routes=routes(notes, edition),
        cities=cities(notes, edition),
        land=land_of_cities(notes, edition),
        cards=cards(notes, edition),
    )
