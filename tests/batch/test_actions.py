"""The numbering of steps: dense, the same in both directions, and not to be changed unnoticed."""

from __future__ import annotations

import pytest
from hypothesis import given

from lastspike.batch import (
    ACTIONS_VERSION,
    OBSERVATION_VERSION,
    Observation,
    Shape,
    action_count,
    action_of,
    feature_count,
    move_of,
    shape_of,
)
from lastspike.rules.board import board_of
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup
from tests.rules.strategies import other_maps

STANDARD = Shape(routes=12, cities=9, seats=6)


def test_the_standard_map_has_94_steps_and_each_is_one_move() -> None:
    board = board_of(shipped())
    assert action_count(STANDARD) == 94
    moves = [move_of(action, board, STANDARD) for action in range(94)]
    assert sorted(move.text for move in moves) == [move.text for move in board.moves]
    with pytest.raises(IndexError):
        move_of(94, board, STANDARD)


@given(edition=other_maps())
def test_numbers_come_back_as_their_moves_on_any_map(edition: Edition) -> None:
    board = board_of(edition)
    own = shape_of([setup(edition, edition.player_counts[0])])
    for shape in (own, STANDARD):
        actions = [action_of(move, shape) for move in board.moves]
        assert len(set(actions)) == len(actions)
        assert [move_of(action, board, shape) for action in actions] == list(board.moves)
    assert sorted(action_of(move, own) for move in board.moves) == list(range(action_count(own)))


def test_version_1_of_the_numbering() -> None:
    """Whoever changes one of these numbers counts the version up."""
    board = board_of(shipped())
    assert ACTIONS_VERSION == 1
    texts = ("A1", "Z4", "-DEN1", "-YUM4", "+DEN", "+YUM", "pass")
    numbers = [action_of(board.move_of[text], STANDARD) for text in texts]
    assert numbers == [0, 47, 48, 83, 84, 92, 93]


def test_version_1_of_the_observation() -> None:
    """Whoever changes the parts or their lengths counts the version up."""
    assert OBSERVATION_VERSION == 1
    parts = "track costs hands chosen unseen holders market cash tiles playing turn phase counts"
    assert Observation._fields == tuple(parts.split())
    assert feature_count(STANDARD) == 480 + 360 + 9 + 24 + 4 + 3
