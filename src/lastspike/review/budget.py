"""How a budget of playouts is shared out, whatever the length of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COURSE, SCREEN, BRIEFLY, CHOOSE = 0.45, 0.12, 0.03, 0.08
"""The parts for the course of the chances, for screening every turn, for a brief judgement of those
that are not looked at closely, and for choosing the best in those that are. The rest judges
these."""

FEWEST_WORLDS = 2
"""A mean of fewer has no error to speak of."""


class Budget(NamedTuple):
    """So many worlds for each turn: on the course of the chances, for screening, for choosing the
    best other turn, and for comparing it with the one played, closely or briefly."""

    course: int
    screen: int
    choose: int
    closely: int
    briefly: int


def split(playouts: int, candidates: Sequence[int], closely: int) -> Budget:
    """The worlds for a game of these turns, given by how many ways to play each are looked at; in
    one that is forced there is one, and nothing is spent on it."""
    looked_at = [count for count in candidates if count > 1]
    few = min(closely, len(looked_at))
    most = sorted(looked_at, reverse=True)[:few]
    rest = 1 - COURSE - SCREEN - BRIEFLY - CHOOSE
    return Budget(
        course=_worlds(COURSE * playouts, 2 * len(candidates)),
        screen=_worlds(SCREEN * playouts, sum(looked_at)),
        choose=_worlds(CHOOSE * playouts, sum(most)),
        closely=_worlds(rest * playouts, 2 * few),
        briefly=_worlds(BRIEFLY * playouts, 2 * (len(looked_at) - few)),
    )


def _worlds(playouts: float, each: int) -> int:
    return max(FEWEST_WORLDS, int(playouts / max(each, 1)))
