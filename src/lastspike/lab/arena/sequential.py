"""Sequential testing: play until the question is decided, as engine testers do with SPRT.

Two tests run side by side, each with a normal likelihood ratio on the means of deals. One asks
whether the player's win share is that much above the fair share, the other whether it is as much
below it. Between equal players, a difference is found in at most five matches of 100.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import Literal

WRONG, MISSED = 0.025, 0.05
"""The probability of finding a difference on one side that isn't there, and of missing one that
is."""
FOUND, REFUTED = math.log((1 - MISSED) / WRONG), math.log(MISSED / (1 - WRONG))
"""Wald's limits of the logarithm of the likelihood ratio."""
FEWEST_DEALS = 10
"""With fewer deals, their spread is not known well enough for a verdict."""

Decision = Literal["clearly stronger", "clearly weaker", "no clear difference"]


def decision(shares: Sequence[float], fair: float, difference: float) -> Decision | None:
    """What the shares, one per deal, have decided so far; None as long as the match should go on.

    With "no clear difference" the player is neither stronger nor weaker by `difference`.
    """
    if len(shares) < FEWEST_DEALS:
        return None
    # A win and a loss more, so that there is a spread when all deals ended alike.
    spread = variance([*shares, 0.0, 1.0])
    ahead = fmean(shares) - fair
    each = len(shares) * difference / spread
    stronger, weaker = each * (ahead - difference / 2), each * (-ahead - difference / 2)
    if stronger >= FOUND:
        return "clearly stronger"
    if weaker >= FOUND:
        return "clearly weaker"
    return "no clear difference" if max(stronger, weaker) <= REFUTED else None
