"""Means with their standard errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec


class Estimate(msgspec.Struct, frozen=True):
    """A mean and its standard error."""

    mean: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether it is positive and at least twice its error."""
        return self.mean > 0 and self.mean >= 2 * self.error


def estimate(found: Sequence[float]) -> Estimate:
    """The mean over worlds of win shares, or of their differences.

    The error includes one extra world with the opposite result; without it, equal results would
    have an error of zero.
    """
    count = len(found)
    if not count:
        return Estimate(0.0, 1.0)
    mean = math.fsum(found) / count
    squares = math.fsum((value - mean) ** 2 for value in found)
    return Estimate(mean, math.sqrt((squares + 1) / (count * (count + 1))))
