"""The judges that a review can have, and what their worlds cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from lastspike.bots.player import Judge
from lastspike.bots.speculator import PLAYOUTS, TURNS, Speculator


class Judges(NamedTuple):
    """Makes judges of one level.

    make     from a seed, and the worlds that a hint tries each turn in
    worlds   the worlds of a usual hint
    turns    how many turns a hint compares at most
    a_world  the cost of a turn in one world, in playouts to the end
    """

    make: Callable[[str, int], Judge]
    worlds: int
    turns: int
    a_world: float


def tycoons() -> Judges:
    """Tycoon, who gives the hints. It plays a world only to the mover's next turn."""
    # Both need NumPy, which browsers don't have.
    from lastspike.bots.levels import judge_of_turns
    from lastspike.bots.tycoon.player import USUAL

    return Judges(judge_of_turns, USUAL.worlds, USUAL.turns, 0.5)


def speculators() -> Judges:
    """Speculator, who gives the hints where there is no NumPy. It plays every world to the end."""
    return Judges(_speculator, PLAYOUTS // TURNS, TURNS, 1.0)


def _speculator(seed: str, worlds: int) -> Judge:
    return Speculator(seed, playouts=worlds * TURNS)
