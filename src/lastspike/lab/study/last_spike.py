"""Figures on the last spike: how often its driver wins, and what the bonus contributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.lab.arena.statistics import Interval, interval, share_interval
from lastspike.rules.board import Seat
from lastspike.rules.outcome import Outcome, win_share

from .notes import Note


class LastSpikeFigures(NamedTuple):
    """Over the `games` that had a last spike.

    won            the driver's win share
    won_without    the same if the games were ranked without the bonus
    worth          the difference
    decided        the share of games whose winners would differ without the bonus
    """

    games: int
    won: Interval
    won_without: Interval
    worth: Interval
    decided: Interval


def last_spike(notes: Sequence[Note], bonus: int) -> LastSpikeFigures | None:
    """None if no game had a last spike."""
    outcomes = [note.outcome for note in notes if note.outcome.last_spike is not None]
    if not outcomes:
        return None
    without = [winners_without(outcome, bonus) for outcome in outcomes]
    drivers = [outcome.last_spike for outcome in outcomes if outcome.last_spike is not None]
    won = [win_share(o.winners, driver) for o, driver in zip(outcomes, drivers, strict=True)]
    won_without = [win_share(*pair) for pair in zip(without, drivers, strict=True)]
    return LastSpikeFigures(
        games=len(outcomes),
        won=share_interval(won),
        won_without=share_interval(won_without),
        worth=interval([a - b for a, b in zip(won, won_without, strict=True)]),
        decided=share_interval(
            [float(o.winners != winners) for o, winners in zip(outcomes, without, strict=True)]
        ),
    )


def winners_without(outcome: Outcome, bonus: int) -> tuple[Seat, ...]:
    """E2: the winners if the last spike had no bonus, with the same moves."""
    standing = {
        seat: (cash - bonus * (seat == outcome.last_spike), outcome.land[seat])
        for seat, cash in enumerate(outcome.cash)
        if seat not in outcome.bankrupt
    }
    best = max(standing.values())
    return tuple(seat for seat, own in standing.items() if own == best)
