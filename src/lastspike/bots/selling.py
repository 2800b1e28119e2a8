"""Sales within a turn, chosen by Surveyor's evaluation."""

from __future__ import annotations

from lastspike.rules.moves import Move
from lastspike.rules.view import View, preview, table_with_cash

from .judgement import judge
from .player import later_in_turn


def sold(view: View, moves: list[Move]) -> list[Move]:
    """These first moves of a turn, followed by the sales they require."""
    while not (ahead := preview(view, moves)).turn_over and ahead.table.phase == "raise":
        here = later_in_turn(view, moves)
        moves = [*moves, max(judge(table_with_cash(here), here.hand, ahead.legal_moves))[1]]
    return moves
