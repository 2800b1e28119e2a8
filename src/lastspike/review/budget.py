"""Splits a budget of playouts over the stages of a review."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.bots.tycoon.player import USUAL

CHANCES, HINTS = 0.5, 0.25
"""The fractions of the budget for win chances, and at most for asking the hint again at every turn.
The rest is for comparing turns."""

A_WORLD = 0.5
"""A world played to the mover's next turn costs this much of a playout to the end."""

FEWEST_WORLDS = 2
"""The fewest from which a standard error can be computed."""


class Budget(NamedTuple):
    """Worlds per turn for each stage: win chances, the hint, and comparing it with the turn played.

    `cost` is the cost in playouts of a turn that is judged.
    """

    chances: int
    hint: int
    lead: int
    cost: int


def split(playouts: int, turns: int, unforced: int) -> Budget:
    """The worlds for a game with this many turns, of which some were free choices."""
    hint = min(USUAL.worlds, _worlds(HINTS * playouts / A_WORLD, USUAL.turns * unforced))
    spent = CHANCES * playouts + A_WORLD * hint * USUAL.turns * unforced
    lead = _worlds((playouts - spent) / A_WORLD, 2 * unforced)
    cost = int(A_WORLD * (hint * USUAL.turns + 2 * lead))
    return Budget(_worlds(CHANCES * playouts, 2 * turns), hint, lead, cost)


def _worlds(playouts: float, each: int) -> int:
    return max(FEWEST_WORLDS, int(playouts / max(each, 1)))
