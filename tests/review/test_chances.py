"""The chances of the chances: where it begins and ends, and what luck and play make of it."""

from __future__ import annotations

from random import Random

import pytest

from lastspike.review import Review, review
from lastspike.review.chances import World, in_world
from lastspike.review.policy import Fortune, likely_choice, new_fortune, play_on, shares_of_win
from lastspike.rules.position import legal_moves
from lastspike.rules.records.turns import turns_of
from lastspike.rules.view import view_of
from tests.rules.helpers import after, layout

from .helpers import conformance_games, new_game, quick_game


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return review(quick_game(), "course", 2000)


def test_chances_add_up_to_one_at_every_moment(reviewed: Review) -> None:
    assert len(reviewed.chances) == len(reviewed.turns) + 1
    for moment in reviewed.chances:
        assert sum(moment.chances) == pytest.approx(1)
        assert moment.moved is None or sum(moment.moved) == pytest.approx(1)


def test_the_course_ends_with_the_result_and_is_sure_of_it(reviewed: Review) -> None:
    last = reviewed.chances[-1]
    winners = reviewed.result["winners"]
    assert [seat for seat, chance in enumerate(last.chances) if chance] == winners
    assert last.error == 0


def test_luck_and_play_add_up_to_the_result_and_cancel_between_players(reviewed: Review) -> None:
    for luck in reviewed.luck:
        parts = (luck.deal, luck.draws, luck.own_play, luck.others_play)
        assert luck.fair + sum(part.mean for part in parts) == pytest.approx(luck.result)
        assert luck.luck.mean == pytest.approx(luck.deal.mean + luck.draws.mean)
    assert sum(luck.deal.mean for luck in reviewed.luck) == pytest.approx(0)
    assert sum(luck.draws.mean for luck in reviewed.luck) == pytest.approx(0)
    play = sum(luck.own_play.mean + luck.others_play.mean for luck in reviewed.luck)
    assert play == pytest.approx(0)


def test_the_turns_that_decided_moved_most(reviewed: Review) -> None:
    def moved(turn: int) -> float:
        before, after = reviewed.chances[turn - 1].chances, reviewed.chances[turn].chances
        return sum(abs(a - b) for a, b in zip(before, after, strict=True)) / 2

    numbers = [turn.number for turn in reviewed.turns]
    most = sorted((moved(number) for number in numbers), reverse=True)[:3]
    assert [turn.moved for turn in reviewed.deciding] == pytest.approx(most)
    assert [moved(turn.turn) for turn in reviewed.deciding] == pytest.approx(most)


def test_a_world_keeps_the_hands_and_orders_the_rest() -> None:
    for players in (2, 4):
        position = new_game(players, "a world").position
        hidden = position.hidden
        order = tuple(Random(players).sample(range(48), 48))
        there = in_world(position, World(order, Fortune(0, 0))).hidden
        assert there.hands == hidden.hands
        assert sorted((*there.pool, *there.aside)) == sorted((*hidden.pool, *hidden.aside))
        assert (len(there.pool), len(there.aside)) == (len(hidden.pool), len(hidden.aside))
        places = [order[tile] for tile in (*there.pool, *there.aside)]
        assert places == sorted(places)


def test_who_is_sure_to_win_is_said_to() -> None:
    """The last spike lies in the hand and wins: nobody is blurred enough to leave it there."""
    position = layout("C1 D1 V3 Z1", track="A E B Y F X V1 V2 V4", cash=(90_000, 35_000, 40_000))
    for number in range(30):
        fortune = new_fortune(Random(number))
        assert shares_of_win(play_on(position.copy(), fortune)) == (1.0, 0.0, 0.0)


def test_a_policy_is_blurred_and_a_fortune_is_not() -> None:
    position = new_game(4, "blur").position
    ends = {
        tuple(play_on(position.copy(), new_fortune(Random(number))).cash) for number in range(5)
    }
    assert len(ends) == 5
    again = {tuple(play_on(position.copy(), Fortune(7, 7)).cash) for _ in range(5)}
    assert len(again) == 1


def test_sales_are_not_blurred() -> None:
    """Of Omaha all but one route is finished, of Denver none: everybody sells Omaha."""
    land = "OMA:1.0.. DEN:1.0.."
    cash = (4_000, 30_000, 30_000)
    position = after(layout("V2", track="A C D1 D2 V1", cash=cash, land=land), "V2")
    for number in range(20):
        sold = likely_choice(position, legal_moves(position), new_fortune(Random(number)))
        assert sold.text == "-OMA2"


def test_turns_hold_what_their_players_saw() -> None:
    record = quick_game()
    for turn in turns_of(record.game).turns:
        assert turn.view.seat == turn.seat
        assert [hand is not None for hand in turn.view.hands] == [
            seat == turn.seat for seat in range(4)
        ]
        assert turn.view.table == view_of(turn.before, turn.seat).table


def test_turns_put_together_are_the_game() -> None:
    for _, record in conformance_games():
        played = turns_of(record.game)
        moves = [move for turn in played.turns for move in turn.moves]
        events = [event for turn in played.turns for event in turn.events]
        assert moves == record.game.moves
        assert [*played.dealt, *events] == record.game.history
