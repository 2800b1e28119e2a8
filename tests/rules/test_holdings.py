"""A card from the turn it comes until it goes: what it earned, fetched and cost."""

from __future__ import annotations

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    GrantTaken,
    LandBought,
    LandSold,
    Payout,
    TileChosen,
    TrackLaid,
    money,
)
from lastspike.rules.records.holdings import Holding, holdings

from .helpers import random_game, uneven

UNEVEN = board_of(uneven())
"""Denver pays 5,000 for a card and 11,000 for two."""


def test_a_card_earns_what_it_added_to_a_payout() -> None:
    """In the order in which a player got them: the first, then the second, and so on."""
    history: list[Event] = [
        LandBought(0, "DEN", 2, 3000),
        GrantTaken(0, "DEN"),
        LandBought(1, "DEN", 1, 2000),
        LandBought(0, "OMA", 1, 2000),
        Payout(0, "V", "DEN", 2, 11000),
        Payout(1, "V", "DEN", 1, 5000),
        LandSold(0, "DEN", 2, 1000),
        Payout(0, "W", "DEN", 1, 5000),
    ]
    assert holdings(history, UNEVEN) == [
        Holding("DEN2", 0, 0, 3000, 5000, 1000, "sold", 0),
        Holding("DEN0", 0, 0, 0, 6000 + 5000),
        Holding("DEN1", 1, 0, 2000, 5000),
        Holding("OMA1", 0, 0, 2000),
    ]


def test_a_card_that_is_sold_and_bought_again_is_held_twice() -> None:
    history: list[Event] = [
        LandBought(0, "DEN", 4, 5000),
        TileChosen(0, "V1", 9000),
        LandSold(0, "DEN", 4, 3000),
        TrackLaid(0, "V1", 9000, False),
        TrackLaid(1, "V2", 1000, False),
        LandBought(1, "DEN", 4, 5000),
        Payout(1, "V", "DEN", 1, 5000),
        Payout(1, "W", "DEN", 1, 5000),
    ]
    sold, held = holdings(history, UNEVEN)
    assert sold == Holding("DEN4", 0, 0, 5000, 0, 3000, "sold", 1)
    assert held == Holding("DEN4", 1, 2, 5000, 10000)
    assert (sold.profit, held.profit) == (-2000, 5000)


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
    assert holdings(history, UNEVEN) == [
        Holding("OMA0", 0, 0, 0, fate="lost", until=0),
        Holding("DEN1", 0, 0, 2000, fate="lost", until=0),
        Holding("OMA1", 1, 0, 2000, 6000),
        Holding("DEN1", 1, 0, 2000, 5000),
    ]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_all_cards_together_return_what_land_brought_in_whole_games(players: int) -> None:
    seen: set[type[Event]] = set()
    for number in range(30):
        game = random_game(uneven(), players, f"holdings/{number}")
        held = holdings(game.history, game.setup.board)
        land = [e for e in game.history if isinstance(e, LandBought | LandSold | Payout)]
        assert sum(card.profit for card in held) == sum(map(money, land))
        assert len(held) == sum(isinstance(e, LandBought | GrantTaken) for e in game.history)
        seen.update(map(type, game.history))
    assert {LandSold, Bankruptcy, Payout} <= seen
