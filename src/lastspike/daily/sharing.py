"""What people share of a daily game, without spoilers: a square for each turn, and streaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import date, timedelta

from .score import TurnPoints

BETTER, ALIKE, WORSE = "🟩", "⬜", "🟥"


def squares(turns: Iterable[TurnPoints]) -> str:
    """A square for each turn: clearly better than Surveyor's, alike or not clear, clearly worse."""
    return "".join(square(turn) for turn in turns)


def square(turn: TurnPoints) -> str:
    if turn.points > turn.margin:
        return BETTER
    return WORSE if -turn.points > turn.margin else ALIKE


def signed(points: float, number: Callable[[float], str]) -> str:
    """Points with their sign, as `number` writes them."""
    rounded = round(points) or 0
    return f"+{number(rounded)}" if rounded > 0 else number(rounded)


def streak(days: Collection[date], today: date) -> int:
    """The days in a row that end today, or yesterday while today can still be played."""
    day = today if today in days else today - timedelta(days=1)
    length = 0
    while day in days:
        length += 1
        day -= timedelta(days=1)
    return length


def best_streak(days: Collection[date]) -> int:
    """The most days in a row."""
    ends = (day for day in days if day + timedelta(days=1) not in days)
    return max((streak(days, day) for day in ends), default=0)
