"""Greenhorn: plays random legal moves."""

from __future__ import annotations

from lastspike.rules.moves import Move
from lastspike.rules.view import View

from .player import ComputerPlayer


class Greenhorn(ComputerPlayer):
    """All legal moves are equally likely."""

    level = "greenhorn"

    def choose(self, view: View) -> Move:
        return self.random.choice(view.legal_moves)
