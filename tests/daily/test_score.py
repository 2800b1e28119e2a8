"""The luck-free score: 0 for Surveyor, less for a bad turn, the same for the same turns."""

from __future__ import annotations

import math
from datetime import date

import pytest

from lastspike.daily.chain import PUBLIC
from lastspike.daily.deal import SEAT, daily_game
from lastspike.daily.score import Points, Score, TurnPoints, mean_points, score_game
from lastspike.daily.sharing import best_streak, squares, streak
from lastspike.daily.tycoon import computers_game, mean_of

LINK = PUBLIC.link(date(2026, 11, 19))
WORLDS = 1


@pytest.fixture(scope="module")
def clerks() -> Score:
    return score_game(computers_game(LINK, "clerk", ""), "score", WORLDS)


def test_surveyor_scores_nothing_whatever_it_is_dealt() -> None:
    for day in (3, 4, 5):
        link = PUBLIC.link(date(2026, 11, day))
        score = score_game(computers_game(link, "surveyor", ""), "score", WORLDS)
        assert score.score == Points(0.0, 0.0)
        assert len(score.turns) >= 8
        assert score.costliest is None


def test_a_score_is_the_sum_of_the_turns(clerks: Score) -> None:
    assert clerks.score.points == pytest.approx(sum(turn.points for turn in clerks.turns))
    widest = math.hypot(*(turn.margin for turn in clerks.turns))
    assert max(turn.margin for turn in clerks.turns) / 1.35 < clerks.score.margin <= widest
    differing = [turn for turn in clerks.turns if turn.margin]
    assert 3 <= len(differing) < len(clerks.turns)
    assert {turn.points for turn in clerks.turns if turn not in differing} == {0.0}


def test_the_same_game_scores_the_same_and_a_turn_depends_on_no_later_one(clerks: Score) -> None:
    """Two people who begin alike get the same points for it."""
    assert score_game(computers_game(LINK, "clerk", ""), "score", WORLDS) == clerks
    begun = computers_game(LINK, "clerk", "").moves
    turns = [turn.turn for turn in clerks.turns if turn.margin]
    game = daily_game(LINK)
    for move in begun:
        at = game.position.table
        if game.turn == SEAT and at.phase == "lay" and at.turns + 1 > turns[1]:
            break
        game.play(move)
    while game.turn is not None:
        game.play(game.legal_moves[0])
    other = score_game(game, "score", WORLDS)
    shared = [turn for turn in clerks.turns if turn.turn <= turns[1]]
    assert other.turns[: len(shared)] == shared
    assert other != clerks


def test_another_seed_measures_in_other_worlds(clerks: Score) -> None:
    again = score_game(computers_game(LINK, "clerk", ""), "other", WORLDS)
    assert again.score != clerks.score
    assert again.rank == clerks.rank
    assert again.cash == clerks.cash


def test_only_a_turn_that_clearly_cost_something_is_the_costliest() -> None:
    clear, unclear = TurnPoints(9, -8.0, 3.0), TurnPoints(13, -9.0, 12.0)
    assert _score(clear, TurnPoints(5, 4.0, 1.0)).costliest == clear
    assert _score(unclear).costliest is None
    assert _score().costliest is None


def test_a_mean_has_the_spread_of_its_days() -> None:
    assert mean_points([4.0]) == Points(4.0, math.inf)
    mean = mean_points([1.0, 2.0, 3.0])
    assert mean.points == pytest.approx(2.0)
    assert mean.margin == pytest.approx(4.303 / math.sqrt(3), rel=1e-3)  # Student's t, 2 degrees


def test_tycoons_games_have_a_mean() -> None:
    found = mean_of([_score(TurnPoints(1, 4.0, 1.0)), _score(TurnPoints(1, 8.0, 1.0))])
    assert (found.games, found.share, found.cash, found.score.points) == (2, 0.5, 50_000, 6.0)


def test_squares_tell_what_is_clear() -> None:
    turns = [(0.0, 0.0), (3.0, 1.0), (3.0, 4.0), (-3.0, 1.0), (-3.0, 4.0)]
    assert squares(TurnPoints(1, *each) for each in turns) == "⬜🟩⬜🟥⬜"


def test_a_streak_lasts_until_a_day_is_over_without_a_game() -> None:
    days = {date(2026, 11, n) for n in (1, 2, 3, 4, 8, 9)}
    assert streak(days, date(2026, 11, 9)) == 2
    assert streak(days, date(2026, 11, 10)) == 2
    assert streak(days, date(2026, 11, 11)) == 0
    assert best_streak(days) == 4
    assert best_streak(set()) == 0


def _score(*turns: TurnPoints) -> Score:
    points = sum(turn.points for turn in turns)
    return Score(Points(points, 1.0), list(turns), 0.5, 1, 50_000)
