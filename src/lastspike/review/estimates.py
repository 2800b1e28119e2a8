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
        """Whether it is above zero by twice its error: anything less is not told."""
        return self.mean > 0 and self.mean >= 2 * self.error


def estimate(found: Sequence[float]) -> Estimate:
    """The mean of what was found in each world, of shares of a win or differences of them.

    To what was found the error adds one world that went the other way: where all went alike there
    may well be others, and no error would claim that there are none.
    """
    count = len(found)
    if not count:
        return Estimate(0.0, 1.0)
    mean = math.fsum(found) / count
    squares = math.fsum((value - mean) ** 2 for value in found)
    return Estimate(mean, math.sqrt((squares + 1) / (count * (count + 1))))
