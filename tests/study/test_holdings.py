"""A card from the turn it comes until it goes: what it earned, fetched and cost."""

from __future__ import annotations

import pytest

from lastspike.arena.series import play_game
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    GrantTaken,
    LandBought,
    LandSold,
    Payout,
    money,
)
from lastspike.rules.table import setup
from lastspike.study.holdings import Holding, holdings

from .helpers import poor


def test_cards_of_a_city_share_a_payout_alike() -> None:
    history: list[Event] = [
        GrantTaken(0, "DEN"),
        LandBought(1, "DEN", 1, 2000),
        LandBought(0, "DEN", 2, 3000),
        LandBought(0, "OMA", 1, 2000),
        Payout(0, "V", "DEN", 2, 11000),
        Payout(1, "V", "DEN", 1, 5000),
    ]
    assert sorted(holdings(history)) == [
        Holding("DEN", 0, 0, 5500.0),
        Holding("DEN", 1, 2000, 5000.0),
        Holding("DEN", 2, 3000, 5500.0),
        Holding("OMA", 1, 2000, 0.0),
    ]


def test_a_card_that_is_sold_and_bought_again_is_held_twice() -> None:
    history: list[Event] = [
        LandBought(0, "DEN", 4, 5000),
        LandSold(0, "DEN", 4, 3000),
        LandBought(1, "DEN", 4, 5000),
        Payout(1, "V", "DEN", 1, 5000),
        Payout(1, "W", "DEN", 1, 5000),
    ]
    sold, held = holdings(history)
    assert sold == Holding("DEN", 4, 5000, 0.0, 3000)
    assert held == Holding("DEN", 4, 5000, 10000.0, 0)
    assert (sold.returned, held.returned) == (-2000, 5000)


def test_a_bankrupt_holds_nothing_from_there_on() -> None:
    history: list[Event] = [
        GrantTaken(0, "OMA"),
        LandBought(0, "DEN", 1, 2000),
        LandBought(1, "OMA", 1, 2000),
        Bankruptcy(0, 0, ("DEN1",), ("OMA",), 4),
        LandBought(1, "DEN", 1, 2000),
        Payout(1, "D", "DEN", 1, 5000),
        Payout(1, "D", "OMA", 1, 6000),
    ]
    assert sorted(holdings(history)) == [
        Holding("DEN", 1, 2000, 0.0),
        Holding("DEN", 1, 2000, 5000.0),
        Holding("OMA", 0, 0, 0.0),
        Holding("OMA", 1, 2000, 6000.0),
    ]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_all_cards_together_return_what_land_brought_in_whole_games(players: int) -> None:
    table = setup(poor(), players)
    seen: set[type[Event]] = set()
    for number in range(30):
        game, _ = play_game(table, "holdings", number)
        held = holdings(game.history)
        land = [e for e in game.history if isinstance(e, LandBought | LandSold | Payout)]
        assert sum(card.returned for card in held) == pytest.approx(sum(map(money, land)))
        assert len(held) == sum(isinstance(e, LandBought | GrantTaken) for e in game.history)
        seen.update(map(type, game.history))
    assert {LandSold, Bankruptcy, Payout} <= seen
