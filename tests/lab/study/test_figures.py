"""Each figure from notes made by hand."""

from __future__ import annotations

import pytest

from lastspike.lab.study.cities import cities
from lastspike.lab.study.ending import ending, length, wins_in_order
from lastspike.lab.study.land import cards, land_of_cities
from lastspike.lab.study.last_spike import last_spike, winners_without
from lastspike.lab.study.routes import routes, routes_finished
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.events import Payout
from lastspike.rules.records.holdings import Holding

from .helpers import note, outcome

ANY = outcome([1000, 0], [0])


def test_length_has_mean_quartiles_and_extremes() -> None:
    found = length([note(ANY, turns=turns) for turns in (40, 30, 50, 44)])
    assert found.mean.mean == 41
    assert list(found.quartiles) == [37.5, 42, 45.5]
    assert (found.shortest, found.longest) == (30, 50)


def test_endings_are_shares_and_bankruptcies_are_counted() -> None:
    last = outcome([0, 0, 9], [2], reason="last player", bankrupt=(0, 1), last_spike=None)
    spike = outcome([9, 0, 0], [0])
    one_out = outcome([9, 0, 0], [0], bankrupt=(1,))
    found = ending([note(last), note(one_out), note(spike), note(spike)])
    shares = {reason: share.mean for reason, share in found.reasons.items()}
    assert shares == {"last spike": 0.75, "last player": 0.25, "no tiles left": 0}
    assert found.bankruptcies.mean == pytest.approx(3 / 4)
    assert found.with_bankruptcy.mean == 0.5
    none_yet = ending([note(spike)] * 20)
    assert none_yet.bankruptcies.mean == 0
    assert none_yet.bankruptcies.high > 0.1


def test_wins_are_counted_from_the_first_player_on_and_shared() -> None:
    games = [
        note(outcome([9, 0, 0], [0]), first=0),  # the first player
        note(outcome([9, 0, 0], [0]), first=2),  # the second: seat 0 comes after seat 2
        note(outcome([9, 9, 0], [0, 1]), first=1),  # the third and the first
        note(outcome([0, 0, 9], [2]), first=1),  # the second
    ]
    found = wins_in_order(games, 3)
    assert [share.mean for share in found] == [1.5 / 4, 2 / 4, 0.5 / 4]


def test_a_route_is_finished_once_a_game_and_the_last_by_the_last_spike() -> None:
    over = outcome([1, 0], [0], reason="no tiles left", last_spike=None)
    games = [note(ANY, routes=("B", "A")), note(ANY, routes=("A",)), note(over, routes=("A", "C"))]
    found = {figures.route: figures for figures in routes(games, shipped())}
    assert [route.letter for route in shipped().routes] == list(found)
    assert found["A"].finished.mean == 1
    assert found["B"].finished.mean == pytest.approx(1 / 3)
    assert found["A"].by_last_spike.mean == pytest.approx(2 / 3)
    assert found["C"].by_last_spike.mean == 0
    assert found["A"].ends == ("STL", "OMA")
    assert routes_finished(games).mean == pytest.approx(5 / 3)


def test_a_city_pays_for_each_of_its_finished_routes() -> None:
    paid = (Payout(0, "A", "STL", 1, 9000), Payout(1, "A", "STL", 2, 18000))
    games = [note(ANY, routes=("A", "D"), payouts=paid), note(ANY, routes=("Z",))]
    found = {figures.city: figures for figures in cities(games, shipped())}
    assert found["STL"].paid.mean == 13500
    assert found["OMA"].paid.mean == 0
    assert found["OMA"].routes == 3
    assert found["OMA"].finished.mean == 1
    assert list(found["OMA"].games_by_finished) == [0.5, 0, 0.5, 0]
    assert list(found["SAC"].games_by_finished) == [0.5, 0.5, 0]


def test_a_card_has_its_price_how_often_it_is_bought_and_what_it_returns() -> None:
    games = [
        note(ANY, holdings=(Holding("DEN2", 0, 1, 3000, 10000), Holding("DEN0", 0, 1, 0, 15000))),
        note(
            ANY, holdings=(Holding("DEN2", 0, 1, 3000, 0, 2000), Holding("DEN2", 0, 1, 3000, 5000))
        ),
        note(ANY),
        note(ANY, holdings=(Holding("DEN2", 0, 1, 3000, 2000),)),
    ]
    found = {(card.city, card.rank): card for card in cards(games, shipped())}
    assert len(found) == 45
    card = found["DEN", 2]
    assert (card.price, card.bought, card.games.mean) == (3000, 4, 0.75)
    assert card.earned is not None
    assert card.returned is not None
    assert card.lost is not None
    assert card.earned.mean == pytest.approx(17000 / 4)
    assert card.returned.mean == pytest.approx((7000 - 1000 + 2000 - 1000) / 4)
    assert card.lost.mean == pytest.approx((0 + 0.5 + 1) / 3)
    assert found["DEN", 0].price == 0
    assert found["DEN", 0].games.mean == 0.25
    unsold = found["LAR", 4]
    assert (unsold.bought, unsold.games.mean) == (0, 0)
    assert unsold.earned is unsold.returned is unsold.lost is None


def test_the_land_of_a_city_is_its_priced_cards_alone() -> None:
    games = [
        note(ANY, holdings=(Holding("DEN2", 0, 1, 3000, 10000), Holding("DEN0", 0, 1, 0, 15000))),
        note(ANY, holdings=(Holding("DEN1", 0, 1, 2000, 5000),)),
    ]
    found = {figures.city: figures for figures in land_of_cities(games, shipped())}
    denver = found["DEN"]
    assert (denver.bought.mean, denver.spent.mean, denver.returned.mean) == (1, 2500, 5000)
    assert denver.return_rate is not None
    assert denver.return_rate.mean == pytest.approx(2)
    assert found["OMA"].return_rate is None


def test_without_the_bonus_others_may_win() -> None:
    assert winners_without(outcome([50000, 40000], [0]), 20000) == (1,)
    assert winners_without(outcome([70000, 40000], [0]), 20000) == (0,)
    assert winners_without(outcome([50000, 40000], [0], last_spike=1), 20000) == (0,)


def test_E2_without_the_bonus_land_breaks_a_tie_and_bankrupts_never_win() -> None:
    tie = [50000, 30000, 0]
    assert winners_without(outcome(tie, [0], land=(0, 5000, 0)), 20000) == (1,)
    assert winners_without(outcome(tie, [0], land=(5000, 5000, 0)), 20000) == (0, 1)
    alone = outcome([5000, 0, 0], [0], bankrupt=(1, 2))
    assert winners_without(alone, 20000) == (0,)


def test_the_bonus_is_worth_the_wins_that_it_makes() -> None:
    games = [
        note(outcome([50000, 40000], [0])),  # won by the bonus
        note(outcome([90000, 40000], [0])),  # won anyway
        note(outcome([50000, 90000], [1])),  # lost all the same
        note(outcome([50000, 30000], [0])),  # would have been shared
        note(outcome([0, 0], [1], reason="last player", last_spike=None)),  # had none
    ]
    found = last_spike(games, 20000)
    assert found is not None
    assert found.games == 4
    assert found.won.mean == 0.75
    assert found.won_without.mean == pytest.approx(1.5 / 4)
    assert found.worth.mean == pytest.approx(1.5 / 4)
    assert found.decided.mean == 0.5
    assert last_spike(games[-1:], 20000) is None
