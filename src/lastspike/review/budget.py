"""Splits a budget of playouts over the stages of a review."""

from __future__ import annotations

from typing import NamedTuple

from .judges import Judges, tycoons

CHANCES, HINTS = 0.5, 0.25
"""The fractions of the budget for win chances, and at most for asking the hint again at every turn.
The rest is for comparing turns."""

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


def split(playouts: int, turns: int, unforced: int, judges: Judges | None = None) -> Budget:
    """The worlds for a game with this many turns, of which some were free choices."""
    judges = judges or tycoons()
    a_hint = judges.a_world * judges.turns
    hint = min(judges.worlds, _worlds(HINTS * playouts / a_hint, unforced))
    spent = CHANCES * playouts + a_hint * hint * unforced
    lead = _worlds((playouts - spent) / judges.a_world, 2 * unforced)
    cost = int(a_hint * hint + judges.a_world * 2 * lead)
    return Budget(_worlds(CHANCES * playouts, 2 * turns), hint, lead, cost)


def _worlds(playouts: float, each: int) -> int:
    return max(FEWEST_WORLDS, int(playouts / max(each, 1)))
