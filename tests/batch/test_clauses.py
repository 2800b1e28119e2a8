"""Clauses that random games seldom come to: laid out, and one step through both engines."""

from __future__ import annotations

import numpy as np
import pytest

from lastspike.batch import (
    action_of,
    board_of,
    from_positions,
    legal_actions,
    shape_of,
    step,
    to_positions,
)
from lastspike.rules.position import Position, legal_moves, play
from tests.rules.helpers import layout, reverse


def after_one_step(position: Position, text: str) -> Position:
    """The position after a move, which is the same in both engines, and so are its legal moves."""
    setup = position.table.setup
    move = setup.board.parse(text)
    expected, _ = play(position, move, reverse)
    board, shape = board_of(setup), shape_of([setup])
    remix = np.zeros((1, shape.seats, shape.spaces), dtype=np.int32)
    remix[:, :, list(reverse(list(setup.board.tiles)))] = np.arange(shape.spaces)
    state = from_positions([position], shape)
    state = step(board, state, np.array([action_of(move, shape)]), remix, np)
    (found,) = to_positions([setup], state)
    assert found.table == expected.table
    assert (found.hidden.hands, found.hidden.pool) == (expected.hidden.hands, expected.hidden.pool)
    legal = np.flatnonzero(legal_actions(board, state, np)[0]).tolist()
    assert legal == sorted(action_of(move, shape) for move in legal_moves(expected))
    return found


def test_T5_an_empty_hand_draws_when_its_turn_begins() -> None:
    found = after_one_step(layout("A1", pool="C1 C2 C3"), "A1")
    codes = found.table.board.space_of
    assert found.table.turn == 1
    assert found.hidden.hands == [[codes["C1"]], [codes["C2"]], []]


def test_T5_with_no_tile_to_draw_the_turn_is_skipped() -> None:
    assert after_one_step(layout("A1 B1", pool=""), "A1").table.turn == 0
    assert after_one_step(layout("A1", hands={2: "B1"}, pool=""), "A1").table.turn == 2


def test_T5_K1_a_skipped_turn_then_a_bankruptcy_whose_tile_is_drawn() -> None:
    """Seat 1 is skipped, seat 2 can't pay, seat 0 has no tile and draws the bankrupt's."""
    found = after_one_step(layout("A1", cash=(9000, 9000, 0), hands={2: "V3"}, pool=""), "A1")
    assert found.table.bankrupt == (2,)
    assert found.table.turn == 0
    assert found.hidden.hands[0] == [found.table.board.space_of["V3"]]


def test_K1_K2_one_bankruptcy_after_another_until_one_is_left() -> None:
    found = after_one_step(
        layout("A1 C2", cash=(9000, 0, 0, 0), hands={1: "V2", 2: "V3", 3: "W2"}), "A1"
    )
    assert found.table.bankrupt == (1, 2, 3)
    assert found.table.phase == "over"


def test_E3_nobody_has_a_tile() -> None:
    assert after_one_step(layout("A1", pool=""), "A1").table.phase == "over"


@pytest.mark.parametrize("sales", [["-DEN1", "-DEN3"], ["-DEN3", "-DEN1"]])
def test_F1_F4_cards_are_sold_until_the_tile_is_paid_for(sales: list[str]) -> None:
    position = after_one_step(
        layout("V1 A1", cash=(1000, 9000), land="DEN:.0.0.", hands={1: "C2"}), "V1"
    )
    while position.table.phase == "raise":
        position = after_one_step(position, sales.pop(0))
    assert position.table.track & position.table.board.bit[position.table.board.space_of["V1"]]
    assert not sales


def test_E1_the_last_spike_of_the_rulebook() -> None:
    found = after_one_step(layout("V3 C2", track="A E B Y V1 V2 V4 X F"), "V3")
    assert found.table.last_spike == 0
    assert found.table.phase == "over"
