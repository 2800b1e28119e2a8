"""How a budget of playouts is shared out, whatever the length of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

CHANCES, SCREEN, AGAIN, BRIEFLY = 0.42, 0.12, 0.13, 0.03
"""The parts of the budget for the win chances, for screening every turn, for screening the likelier
ones again, and for brief judgements. The rest is for the turns that are judged closely."""

FEWEST_WORLDS = 2
"""A mean of fewer has no error to speak of."""


class Budget(NamedTuple):
    """Worlds for each turn: for the win chances, for screening, for screening again, and for
    comparing the best other turn with the one played, closely or briefly."""

    chances: int
    screen: int
    again: int
    closely: int
    briefly: int


def split(playouts: int, candidates: Sequence[int], again: int, closely: int) -> Budget:
    """The worlds for a game of these turns, given by how many ways to play each are looked at; in
    one that is forced there is one, and nothing is spent on it. So many are screened again and
    looked at closely."""
    looked_at = [count for count in candidates if count > 1]
    few = min(closely, len(looked_at))
    most = sorted(looked_at, reverse=True)[:again]
    rest = 1 - CHANCES - SCREEN - AGAIN - BRIEFLY
    return Budget(
        chances=_worlds(CHANCES * playouts, 2 * len(candidates)),
        screen=_worlds(SCREEN * playouts, sum(looked_at)),
        again=_worlds(AGAIN * playouts, sum(most)),
        closely=_worlds(rest * playouts, 2 * few),
        briefly=_worlds(BRIEFLY * playouts, 2 * (len(looked_at) - few)),
    )


def _worlds(playouts: float, each: int) -> int:
    return max(FEWEST_WORLDS, int(playouts / max(each, 1)))
