"""How long turns took, counted in bins that grow by two per cent, so that sums stay small."""

from __future__ import annotations

import math
from collections import Counter

_SHORTEST = 1e-7
"""Seconds; what is shorter counts as this."""
_STEP = math.log(1.02)


def time_bin(seconds: float) -> int:
    return math.ceil(math.log(max(seconds, _SHORTEST) / _SHORTEST) / _STEP)


def seconds_in(bins: Counter[int], part: float) -> float:
    """What this part of the turns stayed below, to two per cent: a half gives the median."""
    wanted = part * bins.total()
    counted = 0
    for place, count in sorted(bins.items()):
        counted += count
        if counted >= wanted:
            return _SHORTEST * math.exp(_STEP * place)
    return 0.0
