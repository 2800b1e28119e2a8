"""Text charts: bars with intervals on a common scale."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from lastspike.lab.arena.statistics import Interval

WIDTH = 28
"""The most columns of a bar."""


class Scale(NamedTuple):
    """The values of a chart's first and last columns."""

    low: float
    high: float
    width: int = WIDTH

    def column(self, value: float) -> int:
        part = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(min(max(part, 0.0), 1.0) * (self.width - 1))


def scale_of(figures: Iterable[Interval], *also: float) -> Scale:
    """A scale that includes zero, these intervals, and these values."""
    values = [value for figure in figures for value in figure if math.isfinite(value)]
    ends = [0.0, *values, *also]
    return Scale(min(ends), max(ends))


def drawn(figure: Interval | None, scale: Scale, mark: float | None = None) -> str:
    """A bar from zero to the mean, with its interval; `mark` is a vertical line. No figure, no
    bar."""
    line = [" "] * scale.width
    if figure is not None:
        zero, mean = scale.column(0.0), scale.column(figure.mean)
        begin, end = sorted((zero, mean))
        line[begin : end + 1] = "█" * (end + 1 - begin)
    if figure is not None and math.isfinite(figure.low) and math.isfinite(figure.high):
        begin, end = scale.column(figure.low), scale.column(figure.high)
        line[begin : end + 1] = "─" * (end + 1 - begin)
        line[begin], line[end] = "├", "┤"
    if mark is not None:
        line[scale.column(mark)] = "┊"
    if figure is not None:
        line[scale.column(figure.mean)] = "●"
    return "".join(line).rstrip()
