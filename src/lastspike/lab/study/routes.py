"""Figures by route: how often it is finished, and how often by the last spike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.lab.arena.statistics import Interval, interval, share_interval
from lastspike.rules.editions.edition import Edition

from .notes import Note


class RouteFigures(NamedTuple):
    """The share of games in which the route was finished, and in which the last spike did it."""

    route: str
    ends: tuple[str, str]
    finished: Interval
    by_last_spike: Interval


def routes(notes: Sequence[Note], edition: Edition) -> tuple[RouteFigures, ...]:
    """By route, in edition order."""
    return tuple(
        RouteFigures(
            route.letter,
            route.ends,
            share_interval([float(route.letter in note.routes) for note in notes]),
            share_interval([float(_last_spike(note) == route.letter) for note in notes]),
        )
        for route in edition.routes
    )


def routes_finished(notes: Sequence[Note]) -> Interval:
    """The mean number of finished routes per game."""
    return interval([len(note.routes) for note in notes])


def _last_spike(note: Note) -> str | None:
    """E1: the route that the last spike finished, the game's last one."""
    return note.routes[-1] if note.outcome.last_spike is not None else None
