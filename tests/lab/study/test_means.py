"""Ratios clustered by game, and quartiles."""

from __future__ import annotations

import math
from random import Random

import pytest

from lastspike.lab.arena.statistics import interval
from lastspike.lab.study.means import quartiles, ratio


def test_a_ratio_is_all_amounts_by_all_counts() -> None:
    found = ratio([10.0, 2.0, 0.0], [4, 1, 0])
    assert found is not None
    assert found.mean == pytest.approx(12 / 5)


def test_where_every_game_counts_one_a_ratio_is_a_mean() -> None:
    amounts = [3.0, 5.0, 4.0, 9.0]
    assert ratio(amounts, [1, 1, 1, 1]) == pytest.approx(interval(amounts))


def test_games_without_a_count_make_nobody_surer() -> None:
    assert ratio([3.0, 5.0, 0.0, 0.0], [1, 1, 0, 0]) == ratio([3.0, 5.0], [1, 1])


def test_one_game_alone_says_nothing_of_the_interval_and_none_nothing_at_all() -> None:
    assert ratio([6.0, 0.0], [3, 0]) == (2.0, -math.inf, math.inf)
    assert ratio([0.0, 0.0], [0, 0]) is None


def test_the_interval_holds_the_true_ratio_as_often_as_it_says() -> None:
    """Games differ by luck that all cards of a game share, so cards are not independent."""
    random = Random("ratio")
    held = 0
    for _ in range(400):
        counts = [random.randint(1, 4) for _ in range(60)]
        amounts = [count * random.gauss(5, 2) + random.gauss(0, 1) for count in counts]
        found = ratio(amounts, counts)
        assert found is not None
        held += found.low <= 5 <= found.high
    assert 0.92 < held / 400 < 0.98


def test_quartiles_lie_between_neighbours() -> None:
    assert quartiles([5, 1, 2, 4, 3]) == (2, 3, 4)
    assert quartiles([4, 1, 2, 3]) == (1.75, 2.5, 3.25)
    assert quartiles([7]) == (7, 7, 7)
