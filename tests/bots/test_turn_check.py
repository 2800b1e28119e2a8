"""The one check of a computer player's turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lastspike.bots.surveyor import Surveyor
from lastspike.bots.turn_check import fallback_player, legal_moves_of, whole_turn
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.moves import Move
from lastspike.rules.view import View
from tests.bots.helpers import new_game


def a_turn_of_two_moves() -> tuple[View, list[Move]]:
    game = new_game(3)
    while True:
        assert game.turn is not None
        view = game.view(game.turn)
        turn = Surveyor("").turn(view)
        if len(turn) == 2:
            return view, turn
        for move in turn:
            game.play(move)


VIEW, TURN = a_turn_of_two_moves()


def test_a_whole_turn_may_be_given_as_moves_or_as_texts() -> None:
    assert whole_turn(VIEW, TURN, "odd") == TURN
    assert whole_turn(VIEW, [move.text for move in TURN], "odd") == TURN


def test_T6_a_pass_after_the_end_of_the_turn_does_no_harm() -> None:
    assert whole_turn(VIEW, [*TURN, "pass", "pass"], "odd") == TURN
    assert whole_turn(VIEW, [*TURN, VIEW.table.board.passing], "odd") == TURN


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "odd left its turn unfinished: -"),
        (TURN[:-1], f"odd left its turn unfinished: {TURN[0].text}"),
        ([TURN[0], TURN[0]], f"odd chose {TURN[0].text}, which can’t be played: "),
        ([*TURN, TURN[0]], f"odd chose {TURN[0].text}, which can’t be played: "),
        (["Q9"], "odd chose Q9, which can’t be played: 'Q9' isn’t a move"),
        ([None], "odd answered None instead of a move"),
    ],
)
def test_a_turn_that_is_not_whole_or_not_legal_is_refused(
    answers: list[object], reason: str
) -> None:
    with pytest.raises(LastSpikeError) as caught:
        whole_turn(VIEW, answers, "odd")
    assert str(caught.value).startswith(reason)


def test_the_next_answer_is_asked_for_after_the_check() -> None:
    def answers() -> Iterator[object]:
        yield "Q9"
        pytest.fail("it was asked again after a move that is none")

    with pytest.raises(LastSpikeError, match="Q9"):
        list(legal_moves_of(VIEW, answers(), "odd"))


def test_the_fallback_player_makes_whole_turns() -> None:
    assert whole_turn(VIEW, fallback_player("seed").turn(VIEW), "fallback")
