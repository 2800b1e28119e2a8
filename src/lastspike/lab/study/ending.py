"""Figures on game length, endings, and the order of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from lastspike.lab.arena.statistics import Interval, interval, share_interval
from lastspike.rules.outcome import Reason, win_share

from .means import quartiles
from .notes import Note


class Length(NamedTuple):
    """The number of turns in which a tile was laid, by any player."""

    mean: Interval
    quartiles: tuple[float, float, float]
    shortest: int
    longest: int


class Ending(NamedTuple):
    """The share of games that ended for each reason, bankruptcies per game, and the share of games
    with a bankruptcy."""

    reasons: Mapping[Reason, Interval]
    bankruptcies: Interval
    with_bankruptcy: Interval


def length(notes: Sequence[Note]) -> Length:
    turns = [note.turns for note in notes]
    return Length(interval(turns), quartiles(turns), min(turns), max(turns))


def ending(notes: Sequence[Note]) -> Ending:
    bankrupts = [len(note.outcome.bankrupt) for note in notes]
    seats = len(notes[0].outcome.cash)
    # As a share of seats, so that no bankruptcy at all still gives a margin.
    of_seats = share_interval([count / seats for count in bankrupts])
    return Ending(
        reasons={
            reason: share_interval([float(note.outcome.reason == reason) for note in notes])
            for reason in get_args(Reason)
        },
        bankruptcies=Interval(*(seats * end for end in of_seats)),
        with_bankruptcy=share_interval([float(count > 0) for count in bankrupts]),
    )


def wins_in_order(notes: Sequence[Note], players: int) -> tuple[Interval, ...]:
    """The win share of each place in the order of play, first player first."""
    return tuple(
        share_interval(
            [win_share(note.outcome.winners, (note.first + place) % players) for note in notes]
        )
        for place in range(players)
    )
