"""Ratios and quartiles over games: games are independent, events within one are not."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from lastspike.lab.arena.statistics import Interval, interval


def ratio(amounts: Sequence[float], counts: Sequence[float]) -> Interval | None:
    """The sum of amounts over the sum of counts, both given by game: dollars per card, say.

    Games with a count of 0 are left out; None if that leaves none. The interval is that of each
    game's deviation from the common ratio.
    """
    pairs = [(amount, count) for amount, count in zip(amounts, counts, strict=True) if count]
    if not pairs:
        return None
    mean_count = fmean(count for _, count in pairs)
    mean = fmean(amount for amount, _ in pairs) / mean_count
    _, low, high = interval([(amount - mean * count) / mean_count for amount, count in pairs])
    return Interval(mean, mean + low, mean + high)


def quartiles(values: Sequence[int]) -> tuple[float, float, float]:
    """The three quartiles, interpolated."""
    ordered = sorted(values)

    def at(part: float) -> float:
        place = part * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (place - below) * (ordered[above] - ordered[below])

    return at(0.25), at(0.5), at(0.75)
