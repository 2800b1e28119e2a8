"""Players of other packages: whatever they raise or return, the game goes on by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

import pytest

from lastspike.bots.explain.reasons import MoneyLeft, Reason
from lastspike.bots.external.guard import Guarded
from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.player import ComputerPlayer
from lastspike.bots.surveyor import Surveyor
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.moves import Move
from lastspike.rules.view import View
from tests.bots.helpers import new_game, one_view, play_to_the_end


class Unprintable(Exception):
    def __repr__(self) -> str:
        raise RuntimeError("not even that")


class Odd(ComputerPlayer):
    """Answers turns as it is told to, and single moves with the first move of such a turn."""

    level = "odd"

    def __init__(self, answer: Callable[[View], Any]) -> None:
        super().__init__("")
        self.answer = answer
        self.asked = 0

    def turn(self, view: View) -> Any:
        self.asked += 1
        return self.answer(view)

    def choose(self, view: View) -> Any:
        answer = self.turn(view)
        return answer[0] if isinstance(answer, list) and answer else answer


def raising(error: BaseException) -> Callable[[View], Any]:
    def answer(view: View) -> Any:
        raise error

    return answer


def another_tile(view: View) -> list[Move]:
    legal = view.legal_moves
    return [next(lay for lay in view.table.board.lays if lay not in legal)]


def spoiling(view: View) -> list[Move]:
    """Makes itself rich and lays what it could not pay for."""
    view.table.cash = [10**9] * len(view.table.cash)
    view.table.track = (1 << 49) - 1
    return another_tile(view)


def endless(view: View) -> Iterator[Move]:
    return repeat(view.table.board.passing)


BAD: dict[str, tuple[Callable[[View], Any], str]] = {
    "raises": (raising(ValueError("no\nsteam")), "odd failed: test_guard.py:%: ValueError('no\\"),
    "exits": (raising(SystemExit(3)), "odd failed: test_guard.py:%: SystemExit(3)"),
    "unprintable": (raising(Unprintable()), "odd failed: test_guard.py:%: Unprintable"),
    "none": (lambda _: None, "odd "),
    "number": (lambda _: [7], "odd answered 7 instead of a move"),
    "empty": (lambda _: [], "odd "),
    "illegal": (another_tile, "odd chose A"),
    "unknown": (lambda _: ["Q9"], "odd chose Q9, which can’t be played: 'Q9' isn’t a move in"),
    "spoiling": (spoiling, "odd chose A"),
    "endless": (endless, "odd "),
}


@pytest.mark.parametrize("by_turns", [True, False])
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_player_loses_its_moves_and_nothing_else(kind: str, by_turns: bool) -> None:
    answer, message = BAD[kind]
    odd = Odd(answer)
    guarded = Guarded(odd, "seed", level="odd")
    told: list[LastSpikeError] = []
    guarded.tell = told.append
    asked = play_to_the_end(
        new_game(3), [guarded, Greenhorn("1"), Greenhorn("2")], by_turns=by_turns
    )
    assert asked > 6
    assert odd.asked == len(guarded.faults) == 3
    assert guarded.given_up
    begin, _, end = message.partition("%")
    for fault in map(str, guarded.faults):
        assert fault.startswith(begin)
        assert end in fault
        assert "\n" not in fault
    assert [*map(str, told)] == [
        *map(str, guarded.faults),
        "odd is replaced by a Greenhorn for the rest of the game",
    ]


def test_an_unfinished_turn_is_finished_and_told() -> None:
    def tile_only(view: View) -> list[Move]:
        return view.legal_moves[:1]

    guarded = Guarded(Odd(tile_only), "seed", level="odd", patience=1000)
    game = new_game(3)
    play_to_the_end(game, [guarded, Greenhorn("1"), Greenhorn("2")])
    assert guarded.faults
    for fault in guarded.faults:
        assert str(fault).startswith("odd left its turn unfinished: ")


def test_a_good_player_plays_as_without_the_guard() -> None:
    def moves(first: ComputerPlayer) -> list[Move]:
        game = new_game(2)
        play_to_the_end(game, [first, Greenhorn("1")])
        return game.moves

    guarded = Guarded(Surveyor("seed"), "seed", level="mine")
    assert moves(guarded) == moves(Surveyor("seed"))
    assert guarded.faults == []
    assert not guarded.given_up


def test_texts_and_tuples_will_do() -> None:
    game, seat = one_view()
    guarded = Guarded(Odd(lambda view: (view.legal_moves[0].text,)), "seed", level="odd")
    assert guarded.turn(game.view(seat))[0] == game.legal_moves[0]
    assert guarded.faults == []


def test_a_turn_that_never_stops_passing_is_stopped() -> None:
    game, seat = one_view()
    guarded = Guarded(
        Odd(lambda view: chain(Greenhorn("1").turn(view), endless(view))), "seed", level="odd"
    )
    assert guarded.turn(game.view(seat)) == Greenhorn("1").turn(game.view(seat))
    assert guarded.faults == []


def test_the_person_at_the_keyboard_can_still_stop_it() -> None:
    game, seat = one_view()
    guarded = Guarded(Odd(raising(KeyboardInterrupt())), "seed", level="odd")
    with pytest.raises(KeyboardInterrupt):
        guarded.turn(game.view(seat))


class Talkative(Greenhorn):
    def __init__(self, told: object) -> None:
        super().__init__("seed")
        self.told = told

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:
        moves.clear()
        return self.told  # type: ignore[return-value]

    def close(self) -> None:
        raise OSError("the door is stuck")


def test_reasons_are_passed_on_and_what_is_none_left_out() -> None:
    game, seat = one_view()
    view = game.view(seat)
    moves = Greenhorn("seed").turn(view)
    guarded = Guarded(Talkative([MoneyLeft(5000), "because"]), "seed", level="odd")
    assert guarded.reasons(view, moves) == (MoneyLeft(5000),)
    assert moves, "the list is its owner's"
    assert guarded.faults == []
    assert Guarded(Talkative(None), "seed", level="odd").reasons(view, moves) == ()


def test_who_can_t_be_closed_is_told_and_left_alone() -> None:
    game, seat = one_view()
    guarded = Guarded(Talkative(()), "seed", level="odd")
    guarded.close()
    guarded.close()
    assert len(guarded.faults) == 1
    assert "OSError('the door is stuck')" in str(guarded.faults[0])
    assert not guarded.asked
    assert guarded.choose(game.view(seat)) in game.legal_moves
