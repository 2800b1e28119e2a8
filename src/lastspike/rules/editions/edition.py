"""An edition: all figures of the game as they stand in its file, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")

TERRAINS = ("plain", "hills", "mountain", "bridge", "tunnel")
SPACES_A_ROUTE = 4
CARDS_A_CITY = 5


@dataclass(frozen=True)
class City:
    """`land` prices the five cards, the free grant first; `payouts` is by number of cards held."""

    code: str
    name: str
    names: Mapping[str, str] = field(hash=False)
    at: tuple[float, float]
    land: tuple[int, ...]
    payouts: tuple[int, ...]

    def name_in(self, language: str) -> str:
        return self.names.get(language, self.name)


@dataclass(frozen=True)
class Route:
    """Four spaces from the first end to the second."""

    letter: str
    ends: tuple[str, str]
    costs: tuple[int, ...]
    terrain: tuple[str, ...]


def reached(start: T, ends: Iterable[tuple[T, T]]) -> set[T]:
    """The cities that can be reached from one along routes, given by their ends."""
    routes = list(ends)
    found = {start}
    grown = True
    while grown:
        grown = False
        for both in routes:
            if len(found.intersection(both)) == 1:
                found.update(both)
                grown = True
    return found


@dataclass(frozen=True)
class Edition:
    """The figures of one edition. Make one with `figures.read`, which checks them."""

    id: str
    name: str
    start: str
    finish: str
    last_spike_bonus: int
    hand_size: int
    set_aside: Mapping[int, int] = field(hash=False)
    starting_cash: Mapping[int, int] = field(hash=False)
    printed: tuple[str, ...]
    cities: tuple[City, ...]
    routes: tuple[Route, ...]

    @property
    def player_counts(self) -> tuple[int, ...]:
        return tuple(sorted(self.starting_cash))

    @cached_property
    def tiles(self) -> tuple[str, ...]:
        """The codes of all tiles in edition order: routes as in the file, spaces 1-4 in each."""
        return tuple(
            f"{route.letter}{place}"
            for route in self.routes
            for place in range(1, SPACES_A_ROUTE + 1)
        )

    def city(self, code: str) -> City:
        return next(city for city in self.cities if city.code == code)

    def route(self, letter: str) -> Route:
        return next(route for route in self.routes if route.letter == letter)

    def to_figures(self) -> dict[str, Any]:
        """The keys of the edition's file as JSON takes them: numbers as keys are strings."""
        return {
            "id": self.id,
            "name": self.name,
            "start": self.start,
            "finish": self.finish,
            "last_spike_bonus": self.last_spike_bonus,
            "hand_size": self.hand_size,
            "set_aside": {str(players): tiles for players, tiles in self.set_aside.items()},
            "starting_cash": {str(players): cash for players, cash in self.starting_cash.items()},
            "printed": list(self.printed),
            "cities": [
                {
                    "code": city.code,
                    "name": city.name,
                    "names": dict(city.names),
                    "at": list(city.at),
                    "land": list(city.land),
                    "payouts": list(city.payouts),
                }
                for city in self.cities
            ],
            "routes": [
                {
                    "letter": route.letter,
                    "ends": list(route.ends),
                    "costs": list(route.costs),
                    "terrain": list(route.terrain),
                }
                for route in self.routes
            ],
        }

    def __getstate__(self) -> dict[str, Any]:
        # Derived values are not pickled; unpickling computes them again.
        return {figure.name: getattr(self, figure.name) for figure in fields(self)}
