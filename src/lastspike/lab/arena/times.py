"""A histogram of turn times, in bins that grow by two percent."""

from __future__ import annotations

import math
from collections import Counter

_SHORTEST = 1e-7
"""In seconds; shorter times count as this."""
_STEP = math.log(1.02)


def time_bin(seconds: float) -> int:
    return math.ceil(math.log(max(seconds, _SHORTEST) / _SHORTEST) / _STEP)


def seconds_in(bins: Counter[int], part: float) -> float:
    """The quantile of the times, to two percent; 0.5 gives the median."""
    wanted = part * bins.total()
    counted = 0
    for place, count in sorted(bins.items()):
        counted += count
        if counted >= wanted:
            return _SHORTEST * math.exp(_STEP * place)
    return 0.0
