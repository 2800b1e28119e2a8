"""Each level beats the one below: by few deals at every run, by the full figures in the soak."""

from __future__ import annotations

import os
from typing import Any

import pytest

from lastspike.lab.arena.match import Settings, play_match
from lastspike.lab.arena.statistics import Interval, summary
from lastspike.rules.table import Options

from .helpers import settings

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"

LEVELS = [("clerk", "greenhorn"), ("surveyor", "clerk"), ("speculator", "surveyor")]
"""Each above the one below."""


def share(match: Settings) -> Interval:
    """The challenger's share of the wins."""
    (duel,) = summary(match, list(play_match(match, jobs=os.cpu_count() or 1 if SOAK else 1)))
    return Interval(**duel["win_share"])


@pytest.mark.parametrize(("better", "worse"), LEVELS[:2])
def test_each_level_beats_the_one_below(better: str, worse: str) -> None:
    assert share(settings(better, worse, deals=40, seed="strength")).low > 0.25


def test_what_the_net_learned_beats_a_surveyor() -> None:
    assert share(settings("tycoon:0", "surveyor", deals=30, seed="strength")).low > 0.25


def test_the_weaker_one_does_not() -> None:
    assert share(settings("greenhorn", "clerk", deals=20, seed="strength")).high < 0.25


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
@pytest.mark.parametrize(
    ("better", "worse", "deals", "least"),
    [
        ("clerk", "greenhorn", 500, 0.52),
        ("surveyor", "clerk", 500, 0.65),
        ("speculator", "surveyor", 300, 0.32),
        ("tycoon", "surveyor", 300, 0.40),
        ("tycoon", "speculator", 300, 0.28),
    ],
)
def test_each_level_beats_the_one_below_by_far(
    better: str, worse: str, deals: int, least: float
) -> None:
    assert share(settings(better, worse, deals=deals, seed="soak")).low >= least


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
@pytest.mark.parametrize(
    "table",
    [
        {"players": 2},
        {"players": 3},
        {"players": 5},
        {"players": 6},
        {"options": Options(double_cost="open")},
    ],
    ids=["2 players", "3 players", "5 players", "6 players", "double cost open"],
)
@pytest.mark.parametrize(("better", "worse"), LEVELS)
def test_at_every_table(better: str, worse: str, table: dict[str, Any]) -> None:
    match = settings(better, worse, deals=100, seed="soak", **table)
    assert share(match).low > 1 / match.players


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
def test_a_surveyor_among_tycoons_seldom_wins() -> None:
    assert share(settings("surveyor", "tycoon", deals=300, seed="soak")).high <= 0.16


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
@pytest.mark.parametrize("players", [2, 3, 5, 6])
@pytest.mark.parametrize(("name", "times"), [("tycoon", 1.25), ("tycoon:0", 1.0)])
def test_tycoon_among_surveyors_at_every_table(name: str, times: float, players: int) -> None:
    match = settings(name, "surveyor", deals=300, seed="soak", players=players)
    assert share(match).low > times / players


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
def test_twice_the_playouts_are_not_weaker() -> None:
    assert share(settings("speculator:240", "speculator:120", deals=60, seed="soak")).high >= 0.25
