"""Sequential tests are seldom wrong, and end early where there is much to see."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean

import pytest

from lastspike.lab.arena.sequential import FEWEST_DEALS, decision
from tests.rules.helpers import SOAK

DIFFERENCE = 0.1
MATCHES = 1000 if SOAK else 120
MOST_WRONG = 0.05 * MATCHES + 3 * sqrt(0.0475 * MATCHES)


def decided(random: Random, chance: float, fair: float, seats: int) -> tuple[str, int]:
    """A match of deals that have something in common: what it decides, and after how many."""
    shares: list[float] = []
    while True:
        spread = random.uniform(-0.15, 0.15)
        shares.append(fmean(random.random() < chance + spread for _ in range(seats)))
        if found := decision(shares, fair, DIFFERENCE):
            return found, len(shares)


@pytest.mark.parametrize(("fair", "seats"), [(0.5, 2), (0.25, 4)])
def test_equal_players_are_seldom_told_apart(fair: float, seats: int) -> None:
    random = Random("equal")
    found = [decided(random, fair, fair, seats)[0] for _ in range(MATCHES)]
    assert found.count("no clear difference") >= MATCHES - MOST_WRONG
    assert {"clearly stronger", "clearly weaker"} & {*found}  # it is a test, not a rule


@pytest.mark.parametrize(("fair", "seats"), [(0.5, 2), (0.25, 4)])
@pytest.mark.parametrize("side", [1, -1])
def test_the_difference_asked_for_is_found(fair: float, seats: int, side: int) -> None:
    random = Random("different")
    wanted = "clearly stronger" if side > 0 else "clearly weaker"
    found = [decided(random, fair + side * DIFFERENCE, fair, seats) for _ in range(MATCHES)]
    assert sum(told == wanted for told, _ in found) >= MATCHES - MOST_WRONG
    greater = [decided(random, fair + 2 * side * 0.1, fair, seats)[1] for _ in range(50)]
    assert fmean(greater) < fmean(deals for _, deals in found) / 1.5


def test_nothing_is_decided_by_few_deals_or_without_spread_alone() -> None:
    assert decision([1.0] * (FEWEST_DEALS - 1), 0.5, 0.3) is None
    assert decision([1.0] * FEWEST_DEALS, 0.5, 0.3) == "clearly stronger"
    assert decision([0.0] * FEWEST_DEALS, 0.5, 0.3) == "clearly weaker"
    assert decision([0.5] * FEWEST_DEALS, 0.5, 0.01) is None
