"""Playouts: every seat plays Surveyor's moves, in place and without events."""

from __future__ import annotations

from lastspike.rules.moves import Move
from lastspike.rules.position import Position, advance, legal_moves
from lastspike.rules.steps.bankruptcy import Remix

from .judgement import USUAL, Weights, judge


def play_out(position: Position, remix: Remix, weights: Weights = USUAL) -> None:
    """Play to the end of the game. Modifies the position."""
    while legal := legal_moves(position):
        advance(position, quick_choice(position, legal, weights), remix)


def quick_choice(position: Position, legal: list[Move], weights: Weights = USUAL) -> Move:
    """Surveyor's move for the player to move."""
    if len(legal) == 1:
        return legal[0]
    table = position.table
    return max(judge(table, position.hidden.hands[table.turn], legal, weights))[1]
