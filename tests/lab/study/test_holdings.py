"""A card from the turn it comes until it goes: what it earned, fetched and cost."""

from __future__ import annotations

import pytest

from lastspike.lab.arena.series import play_game
from lastspike.lab.study.holdings import Holding, holdings
from lastspike.review.facts import facts_of
from lastspike.review.turns import played_turns
from lastspike.rules.board import board_of
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

from .helpers import uneven

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
    assert sorted(holdings(history, UNEVEN)) == [
        Holding("DEN", 0, 0, 6000 + 5000),
        Holding("DEN", 1, 2000, 5000),
        Holding("DEN", 2, 3000, 5000, 1000),
        Holding("OMA", 1, 2000),
    ]


def test_a_card_that_is_sold_and_bought_again_is_held_twice() -> None:
    history: list[Event] = [
        LandBought(0, "DEN", 4, 5000),
        LandSold(0, "DEN", 4, 3000),
        LandBought(1, "DEN", 4, 5000),
        Payout(1, "V", "DEN", 1, 5000),
        Payout(1, "W", "DEN", 1, 5000),
    ]
    sold, held = holdings(history, UNEVEN)
    assert sold == Holding("DEN", 4, 5000, 0, 3000)
    assert held == Holding("DEN", 4, 5000, 10000, 0)
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
    assert sorted(holdings(history, UNEVEN)) == [
        Holding("DEN", 1, 2000, 0),
        Holding("DEN", 1, 2000, 5000),
        Holding("OMA", 0, 0, 0),
        Holding("OMA", 1, 2000, 6000),
    ]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_all_cards_together_return_what_land_brought_in_whole_games(players: int) -> None:
    table = setup(uneven(), players)
    seen: set[type[Event]] = set()
    for number in range(30):
        game, _ = play_game(table, "holdings", number)
        held = holdings(game.history, table.board)
        land = [e for e in game.history if isinstance(e, LandBought | LandSold | Payout)]
        assert sum(card.returned for card in held) == sum(map(money, land))
        assert len(held) == sum(isinstance(e, LandBought | GrantTaken) for e in game.history)
        seen.update(map(type, game.history))
    assert {LandSold, Bankruptcy, Payout} <= seen


def test_a_review_says_the_same_of_every_card() -> None:
    table = setup(uneven(), 3)
    for number in range(20):
        game, _ = play_game(table, "reviewed", number)
        told = facts_of(played_turns(game)).holdings
        assert sorted((c.card, c.cost, c.earned, c.fetched) for c in told) == sorted(
            (f"{c.city}{c.rank}", c.price, c.earned, c.fetched)
            for c in holdings(game.history, table.board)
        )
