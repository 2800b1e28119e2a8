"""Opponents that play in many games at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lastspike import batch
from lastspike.batch.arrays import Array
from lastspike.batch.steps.turn import end_turn
from lastspike.batch.turns import lay_each
from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.surveyor import Surveyor
from lastspike.bots.tycoon.lookahead import make, tiles_in_hand
from lastspike.bots.tycoon.outlook import map_of
from lastspike.bots.tycoon.surveyor import sale_by, surveyors_turn
from lastspike.rules.table import Setup

Moves = Callable[[batch.State, Array, np.random.Generator], batch.State]
"""Plays on in every game, by a move or a turn of the player to move. The second argument is the
remix."""


def moves_of(level: str, setup: Setup) -> Moves:
    """How a level plays. `ValueError` if it plays in single games only."""
    if level not in _MAKERS:
        known = ", ".join(_MAKERS)
        raise ValueError(
            f"{level} plays in single games only; choose from {known}, "
            "or pass vectorization_mode='sync'"
        )
    return _MAKERS[level](setup)


def _at_random(setup: Setup) -> Moves:
    board = batch.board_of(setup)

    def move(state: batch.State, remix: Array, rng: np.random.Generator) -> batch.State:
        action = batch.random_actions(batch.legal_actions(board, state, np), rng, np)
        return batch.step(board, state, action, remix, np)

    return move


def _as_surveyor(setup: Setup) -> Moves:
    """Whole turns: those of Surveyor, apart from rounding of 32-bit floats."""
    table = map_of(setup)

    def turn(state: batch.State, remix: Array, _rng: np.random.Generator) -> batch.State:
        laid = lay_each(table.board, state, tiles_in_hand(table), sale_by(table, np), np)
        index = surveyors_turn(table, state, laid, np)
        after = make(table.board, state, laid, index, np)
        return end_turn(table.board, after, remix, ~after.over, np)

    return turn


_MAKERS: dict[str, Callable[[Setup], Moves]] = {
    Greenhorn.level: _at_random,
    Surveyor.level: _as_surveyor,
}
