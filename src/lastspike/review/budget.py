"""Splits a budget of playouts over the stages of a review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

CHANCES, SCREEN, AGAIN, BRIEFLY = 0.42, 0.12, 0.13, 0.03
"""The fractions of the budget for win chances, screening every turn, screening the likeliest turns
again, and brief judgements. The rest is for close judgements."""

FEWEST_WORLDS = 2
"""The fewest from which a standard error can be computed."""


class Budget(NamedTuple):
    """Worlds per turn for each stage: win chances, screening, screening again, and comparing the
    best other turn with the one played, closely or briefly."""

    chances: int
    screen: int
    again: int
    closely: int
    briefly: int


def split(playouts: int, candidates: Sequence[int], again: int, closely: int) -> Budget:
    """The worlds for a game whose turns have these numbers of candidates; a forced turn has one and
    costs nothing. `again` and `closely` are numbers of turns."""
    unforced = [count for count in candidates if count > 1]
    few = min(closely, len(unforced))
    most = sorted(unforced, reverse=True)[:again]
    rest = 1 - CHANCES - SCREEN - AGAIN - BRIEFLY
    return Budget(
        chances=_worlds(CHANCES * playouts, 2 * len(candidates)),
        screen=_worlds(SCREEN * playouts, sum(unforced)),
        again=_worlds(AGAIN * playouts, sum(most)),
        closely=_worlds(rest * playouts, 2 * few),
        briefly=_worlds(BRIEFLY * playouts, 2 * (len(unforced) - few)),
    )


def _worlds(playouts: float, each: int) -> int:
    return max(FEWEST_WORLDS, int(playouts / max(each, 1)))
