"""Greenhorn: plays at random, but legally."""

from __future__ import annotations

from random import Random

from lastspike.rules.moves import Move
from lastspike.rules.view import View, legal_in


class Greenhorn:
    """Every legal move is as likely as any other."""

    name = "Greenhorn"

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def choose(self, view: View) -> Move:
        """One move for the viewer, whose turn it must be."""
        return self._random.choice(legal_in(view))
