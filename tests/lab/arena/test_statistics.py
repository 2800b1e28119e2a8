"""Figures by hand, and intervals that hold what they promise."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from statistics import fmean, stdev, variance

import pytest

from lastspike.lab.arena.game_runner import Fault
from lastspike.lab.arena.match import Deal, duels, line_ups
from lastspike.lab.arena.statistics import (
    Interval,
    faults,
    first_player_advantage,
    interval,
    judged,
    never_ran,
    share_interval,
    student,
    summary,
    timings,
    verdict,
    win_shares,
    without_luck,
)
from lastspike.lab.arena.times import seconds_in, time_bin

from .helpers import deal, result, settings


@pytest.mark.parametrize(
    ("freedom", "reach"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (5, 2.5706),
        (9, 2.2622),
        (10, 2.2281),
        (29, 2.0452),
        (30, 2.0423),
        (100, 1.9840),
        (499, 1.9647),
        (2000, 1.9612),
        (5000, 1.9604),
    ],
)
def test_students_t_is_that_of_the_tables(freedom: int, reach: float) -> None:
    assert student(freedom) == pytest.approx(reach, abs=0.0006)


def test_an_interval_by_hand() -> None:
    """Deals 0.25, 0.5, 0.75: mean 0.5, standard error 0.25 / sqrt(3), and t of two degrees."""
    margin = 4.3027 * 0.25 / math.sqrt(3)
    found = interval([0.25, 0.5, 0.75])
    assert found == pytest.approx((0.5, 0.5 - margin, 0.5 + margin), abs=1e-4)
    assert share_interval([0.25, 0.5, 0.75]) == (0.5, 0.0, 1.0)
    assert found.margin == pytest.approx(margin, abs=1e-4)


def test_one_deal_says_nothing_of_the_others() -> None:
    assert interval([0.5]) == (0.5, -math.inf, math.inf)
    assert interval([0.5]).to_json() == {"mean": 0.5, "low": None, "high": None}
    assert share_interval([1.0]) == (1.0, 0.0, 1.0)
    assert share_interval([0.0]) == (0.0, 0.0, 1.0)


def test_winning_everything_is_not_certainty() -> None:
    """0.025 ** (1 / 10): a share of 69 % would still win ten deals of ten once in forty times."""
    assert share_interval([1.0] * 10) == pytest.approx((1.0, 0.6915, 1.0), abs=1e-4)
    assert share_interval([0.0] * 10) == pytest.approx((0.0, 0.0, 0.3085), abs=1e-4)


def test_verdicts() -> None:
    assert verdict(Interval(0.4, 0.26, 0.54), 0.25) == "clearly stronger"
    assert verdict(Interval(0.4, 0.25, 0.55), 0.25) == "no clear difference"
    assert verdict(Interval(0.1, 0.0, 0.25), 0.25) == "no clear difference"
    assert verdict(Interval(0.1, 0.0, 0.24), 0.25) == "clearly weaker"


@pytest.mark.parametrize("deals", [8, 60])
def test_intervals_hold_the_truth_95_times_of_100(deals: int) -> None:
    """Deals differ in how good they are for the player, the games of one are alike in that."""
    random = Random("coverage")
    seats, runs, truth = 4, 2000, 0.6
    held = held_by_games = 0
    for _ in range(runs):
        means = []
        for _ in range(deals):
            chance = random.betavariate(1.8, 1.2)
            means.append(fmean(random.random() < chance for _ in range(seats)))
        found = share_interval(means)
        held += found.low <= truth <= found.high
        # As if all games were independent:
        margin = 1.96 * math.sqrt(found.mean * (1 - found.mean) / (deals * seats))
        held_by_games += abs(found.mean - truth) <= margin
    assert 0.935 <= held / runs <= 0.965
    assert held_by_games / runs < 0.88


def test_the_figures_of_a_match_by_hand() -> None:
    """Two deals of two players, in both seats each; the challenger is number 0."""
    match = settings("clerk", "greenhorn", players=2, deals=2)
    first = deal(
        0,
        result((1, 2), (0, 1), cash=(90, 50), turns=30, last_spike=0, first=0),
        result((1, 2), (1, 0), cash=(80, 60), turns=40, last_spike=1, first=0),
    )
    second = deal(
        1,
        result((1, 1), (0, 1), cash=(70, 70), turns=50, last_spike=1, first=1),
        result(
            (2, 1),
            (1, 0),
            cash=(0, 40),
            turns=20,
            last_spike=None,
            reason="last player",
            bankrupt=(0,),
            first=1,
        ),
    )
    (found,) = summary(match, [first, second])
    assert (found["player"], found["others"]) == ("clerk", ["greenhorn"])
    assert (found["deals"], found["games"], found["fair_share"]) == (2, 4, 0.5)
    # Deal 0: won, lost. Deal 1: shared, won.
    assert found["win_share_by_deal"] == [0.5, 0.75]
    margin = 12.7062 * (0.25 / math.sqrt(2)) / math.sqrt(2)
    assert margin > 1
    assert found["win_share"] == {"mean": 0.625, "low": 0.0, "high": 1.0}
    assert (found["verdict"], found["why_none"]) == ("no verdict", "too few deals")
    # Seat 0: won and shared. Seat 1: lost and won.
    assert found["win_share_by_seat"] == [0.75, 0.5]
    # Whoever began: won, won; shared, won.
    assert found["wins_in_order_of_play"] == [0.875, 0.125]
    assert found["first_player_advantage"] == {"mean": 0.375, "low": -0.5, "high": 0.5}
    assert found["turns"] == {"mean": 35, "shortest": 20, "longest": 50}
    assert found["shared_wins"] == 1
    assert found["ended"] == {"last spike": 3, "last player": 1, "no tiles left": 0}
    assert found["of_player"] == {
        "mean_cash": (90 + 60 + 70 + 40) / 4,
        "bankruptcies": 0,
        "last_spikes": 2,
        "last_spikes_that_won": 1,
    }
    assert found["of_others"] == {
        "mean_cash": (50 + 80 + 70 + 0) / 4,
        "bankruptcies": 1,
        "last_spikes": 1,
        "last_spikes_that_won": 1,
    }


def test_the_first_players_advantage_by_hand() -> None:
    """Of three players who begins wins in no deal, in one of three, or in all."""
    lost, won = result((2, 1, 3), (0, 1, 2)), result((1, 2, 3), (0, 1, 2))
    never = first_player_advantage([[lost]] * 10, 3)
    assert never == pytest.approx((-1 / 3, -1 / 3, 0.3085 - 1 / 3), abs=1e-4)
    always = first_player_advantage([[won]] * 10, 3)
    assert always == pytest.approx((2 / 3, 0.6915 - 1 / 3, 2 / 3), abs=1e-4)
    margin = 1.9842 * math.sqrt(2 / 9 * 99 / 98 / 99)
    some = first_player_advantage([[won], [lost], [lost]] * 33, 3)
    assert some == pytest.approx((0, -margin, margin), abs=1e-3)
    assert first_player_advantage([[won]], 3)[1:] == (-math.inf, math.inf)


def test_a_win_shared_by_three_is_a_third() -> None:
    game = result((1, 1, 4, 1), (0, 1, 1, 1))
    assert [game.share(seat) for seat in range(4)] == [1 / 3, 1 / 3, 0, 1 / 3]


def test_the_reverse_has_figures_of_its_own() -> None:
    match = settings("clerk", "greenhorn", players=3, deals=1, reverse=True)
    won = (1, 2, 3)
    games = [result(won, line_up) for line_up in line_ups(match, 0)]
    games[3] = result((2, 1, 3), (1, 0, 0))
    forward, reverse = summary(match, [deal(0, *games)])
    assert (forward["player"], forward["win_share"]["mean"]) == ("clerk", pytest.approx(1 / 3))
    assert (reverse["player"], reverse["others"]) == ("greenhorn", ["clerk"])
    assert reverse["win_share"]["mean"] == 0.0
    assert reverse["win_share_by_seat"] == [0.0, 0.0, 0.0]


def test_a_verdict_needs_deals_spread_and_players_that_ran() -> None:
    match = settings("clerk", "greenhorn", players=2, deals=10)
    (duel,) = duels(match)
    won, lost = result((1, 2), (0, 1)), result((2, 1), (0, 1))
    win = deal(0, won, result((2, 1), (1, 0)))
    half = deal(1, won, result((1, 2), (1, 0)))
    defeat = deal(2, lost, result((1, 2), (1, 0)))

    def judge(*deals: Deal) -> tuple[str, str | None]:
        shares = win_shares(duel, deals)
        return judged(match, duel, deals, shares, share_interval(shares))

    assert judge(*[win] * 9) == ("no verdict", "too few deals")
    assert judge(*[win] * 10) == ("clearly stronger", None)
    assert judge(*[defeat] * 10) == ("clearly weaker", None)
    assert judge(*[half] * 50) == ("no verdict", "no spread")
    assert judge(*[half] * 49, win) == ("no clear difference", None)
    idle = [
        Deal(n, tuple(game._replace(own_turns=own) for game, own in zip(win.games, turns)), ())  # noqa: B905
        for n, turns in enumerate([((0, 9), (9, 0))] * 10)
    ]
    assert judge(*idle) == ("no verdict", "never ran")
    assert never_ran(match, duel, idle) == ["clerk"]
    assert judge(*idle[1:], win) == ("clearly stronger", None)  # it did run, in one deal


def test_shares_without_luck_by_hand() -> None:
    """Each factor comes from the other deals: here the last deal's is the slope of the first three,
    which lie on a line of slope two."""
    shares, lucks = [0.2, 0.4, 0.6, 0.9], [-0.1, 0.0, 0.1, 0.05]
    assert without_luck(shares, lucks)[3] == pytest.approx(0.9 - 2 * 0.05)
    assert without_luck(shares, [0.0] * 4) == shares
    assert without_luck(shares[:2], lucks[:2]) == shares[:2]


@pytest.mark.parametrize("deals", [12, 60])
def test_removing_luck_is_unbiased_and_its_intervals_hold_the_truth(deals: int) -> None:
    """In 1,000 simulated matches: shares of games with luck in them, and an estimate of that luck
    with an error and a wrong scale."""
    random = Random("luck")
    held, means, plain, left = 0, [], [], []
    for _ in range(1000):
        shares, lucks = [], []
        for _ in range(deals):
            luck = random.choice([-0.25, 0.25])
            shares.append(fmean(random.random() < 0.5 + luck for _ in range(2)))
            lucks.append(0.4 * luck + random.gauss(0, 0.05))
        values = without_luck(shares, lucks)
        found = interval(values)
        held += found.low <= 0.5 <= found.high
        means.append(found.mean)
        plain.append(fmean(shares))
        left.append(found.mean - plain[-1])
    assert 0.94 <= held / 1000 <= 0.96
    assert abs(fmean(means) - 0.5) < 3 * stdev(means) / math.sqrt(1000)
    assert variance(means) < 0.8 * variance(plain)
    assert abs(fmean(left)) < 3 * stdev(left) / math.sqrt(1000)


def test_faults_are_counted_by_player_with_the_first() -> None:
    match = settings("clerk", "greenhorn", players=2, deals=2)
    good = result((1, 2), (0, 1))
    bad = result((1, 2), (1, 0), faults=(Fault(0, "slept"), Fault(0, "slept again")))
    found = faults(match, [deal(0, good, good), deal(1, good, bad)])
    first = {"deal": 1, "arrangement": 1, "seat": 0, "what": "slept"}
    assert found == {"greenhorn": {"count": 2, "first": first}}


def test_times_by_name_to_two_per_cent() -> None:
    match = settings("clerk", "greenhorn", "clerk", players=2, deals=2)
    clerks = [Counter(map(time_bin, [0.001] * 49)), Counter(map(time_bin, [0.004] * 50))]
    slow = Counter(map(time_bin, [0.1]))
    deals = [
        Deal(0, (), (clerks[0], Counter(map(time_bin, [0.0, 1e-9])), slow)),
        Deal(1, (), (clerks[1], Counter(), Counter())),
    ]
    found = timings(match, deals)
    assert list(found) == ["clerk", "greenhorn"]
    assert found["clerk"]["turns"] == 100
    assert found["clerk"]["median"] == pytest.approx(0.004, rel=0.021)
    assert found["clerk"]["percentile_99"] == pytest.approx(0.004, rel=0.021)
    assert seconds_in(clerks[0] + clerks[1] + slow, 0.49) == pytest.approx(0.001, rel=0.021)
    assert seconds_in(clerks[0] + clerks[1] + slow, 1.0) == pytest.approx(0.1, rel=0.021)
    assert found["greenhorn"]["median"] == pytest.approx(1e-7)
    assert seconds_in(Counter(), 0.5) == 0
