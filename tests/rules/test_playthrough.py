"""Whole games: the golden ones as they were, and the playout path beside the one with events."""

from __future__ import annotations

from random import Random

import pytest

from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.position import advance, legal_moves, play, start
from lastspike.rules.records.shuffle import Stream, deal, seed_of_series
from lastspike.rules.table import setup

from .helpers import reverse, small_map
from .playthrough import GAMES, GOLDEN, playthrough

POOR = small_map("A:EST-MID", "B:MID-WST", "C:EST-WST", cash={3: 2000, 4: 1000}, hand_size=2)


@pytest.mark.parametrize("name", GAMES)
def test_golden_playthrough(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert playthrough(name).splitlines() == golden.splitlines()


def test_golden_playthroughs_show_every_kind_of_event_but_a_skipped_turn() -> None:
    told = "".join((GOLDEN / f"{name}.txt").read_text("utf-8") for name in GAMES)
    for kind in (
        *("FirstPlayer", "TileChosen", "LandSold", "TrackLaid", "GrantTaken", "LastSpike"),
        *("RouteFinished", "Payout", "LandBought", "NothingBought", "TileDrawn", "Bankruptcy"),
        *("PoolMixed", "GameOver"),
    ):
        assert f"    {kind}(" in told


@pytest.mark.parametrize(
    ("edition", "players"),
    [(shipped(), 2), (shipped(), 6), (POOR, 3), (POOR, 4)],
    ids=["2", "6", "poor-3", "poor-4"],
)
def test_playouts_go_where_the_game_with_events_goes(edition: Edition, players: int) -> None:
    table = setup(edition, players)
    for number in range(10):
        rng = Random(number)
        dealt = deal(table, Stream(seed_of_series("playout", number)))
        position, _ = start(table, dealt, reverse)
        playout = position.copy()
        while legal := legal_moves(position):
            move = rng.choice(legal)
            position, _ = play(position, move, reverse)
            advance(playout, move, reverse)
            assert playout == position
