"""Surveyor: estimates what routes will pay and when the game should end."""

from __future__ import annotations

from lastspike.rules.moves import Move
from lastspike.rules.view import View, table_with_cash

from .explain.explainer import explain
from .explain.reasons import Reason
from .judgement import judge
from .player import ComputerPlayer


class Surveyor(ComputerPlayer):
    """Always makes the move with the best evaluation."""

    level = "surveyor"

    def choose(self, view: View) -> Move:
        legal = view.legal_moves
        if len(legal) == 1:
            return legal[0]
        return max(judge(table_with_cash(view), view.hand, legal))[1]

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:
        return explain(view, moves)
