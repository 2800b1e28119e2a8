"""Whole studies: known results on tiny editions, the records' own sums, the same on two cores."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from lastspike.lab.arena.series import Series, play_series
from lastspike.lab.arena.statistics import Interval
from lastspike.lab.study import Findings, study, study_to_json
from lastspike.lab.study.ending import Length
from lastspike.lab.study.notes import GAMES_AT_ONCE
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.events import LandBought, LandSold, Payout, RouteFinished
from lastspike.rules.game import Game
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.record import read_record
from lastspike.rules.table import Options

from .helpers import one_route, poor

GAMES = 12


def test_one_route_is_finished_by_the_fourth_turn_of_every_game() -> None:
    (found,) = study(one_route(), [2], GAMES, "tiny").findings
    assert found.length == Length(Interval(4, 4, 4), (4, 4, 4), 4, 4)
    assert found.ending.reasons["last spike"].mean == 1
    assert [route.finished.mean for route in found.routes] == [1]
    assert [route.by_last_spike.mean for route in found.routes] == [1]
    assert [city.games_by_finished for city in found.cities] == [(0, 1)] * 2
    grants = [card for card in found.cards if card.rank == 0]
    assert [card.games.mean for card in grants] == [1, 1]
    assert [card.earned and card.earned.mean for card in grants] == [9000, 1000]
    dear = [card for card in found.cards if card.city == "WEST" and card.rank > 0]
    assert [card.bought for card in dear] == [0] * 4
    assert found.last_spike is not None
    assert found.last_spike.won.mean == found.wins_in_order[1].mean  # the second lays the fourth


def test_without_the_last_tile_there_is_no_last_spike() -> None:
    edition = one_route(set_aside={"2": 1}, hand_size=1)
    (found,) = study(edition, [2], GAMES, "aside").findings
    assert found.length.longest == 3
    assert found.ending.reasons["no tiles left"].mean == 1
    assert found.last_spike is None
    assert found.routes_finished.mean == 0
    assert {city.paid.mean for city in found.cities} == {0}


def test_who_can_pay_for_nothing_is_out_and_the_other_wins() -> None:
    edition = one_route(starting_cash={"2": 0})
    (found,) = study(edition, [2], GAMES, "broke").findings
    assert found.length.longest == 0
    assert found.ending.reasons["last player"].mean == 1
    assert found.ending.bankruptcies.mean == 1
    assert [share.mean for share in found.wins_in_order] == [0, 1]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_sums_are_those_of_the_records(players: int) -> None:
    """The records of `simulate` with the same seed, read and replayed, tell the same."""
    edition = poor()
    (found,) = study(edition, [players], GAMES, "sums").findings
    series = Series(edition, players, Options(), "sums", ("surveyor",))
    lines = "".join(chunk.records for chunk in play_series(series, GAMES, records=True))
    games = [read_record(json.loads(line)).game for line in lines.splitlines()]
    _compare(found, games)


def _compare(found: Findings, games: list[Game]) -> None:
    outcomes: list[Outcome] = [game.outcome for game in games if game.outcome]
    events = [event for game in games for event in game.history]
    payouts = [event for event in events if isinstance(event, Payout)]
    bought = Counter((e.city, e.rank) for e in events if isinstance(e, LandBought))
    spent = sum(event.price for event in events if isinstance(event, LandBought))
    fetched = sum(event.amount for event in events if isinstance(event, LandSold))
    finished = Counter(event.route for event in events if isinstance(event, RouteFinished))
    paid: Counter[str] = Counter()
    for payout in payouts:
        paid[payout.city] += payout.amount
    count = len(games)

    assert found.games == count == len(outcomes)
    assert (found.faults, found.first_fault) == (0, "")
    assert found.fair_share == 1 / len(outcomes[0].cash) == 1 / found.players
    assert {c.city: c.paid.mean * count for c in found.cities} == pytest.approx(
        {city.city: paid[city.city] for city in found.cities}
    )
    assert sum(card.bought * card.earned.mean for card in found.cards if card.earned) == (
        pytest.approx(sum(paid.values()))
    )
    assert {(c.city, c.rank): c.bought for c in found.cards if c.rank and c.bought} == dict(bought)
    assert sum(land.spent.mean for land in found.land) * count == pytest.approx(spent)
    grants = sum(c.bought * c.earned.mean for c in found.cards if c.earned and not c.rank)
    assert sum(land.returned.mean for land in found.land) * count == pytest.approx(
        sum(paid.values()) - grants + fetched - spent
    )
    assert {r.route: r.finished.mean * count for r in found.routes} == pytest.approx(
        {route.route: finished[route.route] for route in found.routes}
    )
    assert sum(city.finished.mean for city in found.cities) == pytest.approx(
        2 * found.routes_finished.mean
    )
    assert found.ending.bankruptcies.mean * count == pytest.approx(
        sum(len(outcome.bankrupt) for outcome in outcomes)
    )
    for reason, share in found.ending.reasons.items():
        ended = sum(outcome.reason == reason for outcome in outcomes)
        assert share.mean * count == pytest.approx(ended)
    assert sum(share.mean for share in found.wins_in_order) == pytest.approx(1)
    assert found.length.mean.mean * count == pytest.approx(
        sum(game.position.table.turns for game in games)
    )
    assert sum(land.bought.mean for land in found.land) * count == pytest.approx(
        sum(bought.values())
    )


def test_one_core_and_two_find_the_same_and_tell_how_far_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = study(shipped(), (2, 3), 33, "cores")
    monkeypatch.setitem(GAMES_AT_ONCE, "surveyor", 8)
    told: list[list[int]] = [[], []]
    found = [
        study(shipped(), (3, 2, 3), 33, "cores", jobs, told[jobs - 1].append) for jobs in (1, 2)
    ]
    assert found[0] == found[1] == whole
    assert [figures.players for figures in found[0].findings] == [2, 3]
    assert told[0] == told[1] == sorted(told[0])
    assert (told[0][0], told[0][-1]) == (8, 66)


@pytest.mark.parametrize("player", ["tycoon:0", "speculator:4", "greenhorn"])
def test_other_players_play_the_games_of_their_series(
    player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core and on two, whether or not they leave something to chance."""
    if player in GAMES_AT_ONCE:
        monkeypatch.setitem(GAMES_AT_ONCE, player, 5)
    found, again = (study(shipped(), [2], 8, "chance", jobs, player=player) for jobs in (1, 2))
    assert found == again
    series = Series(shipped(), 2, Options(), "chance", (player,))
    lines = "".join(chunk.records for chunk in play_series(series, 8, records=True))
    games = [read_record(json.loads(line)).game for line in lines.splitlines()]
    _compare(found.findings[0], games)


def test_other_seeds_are_other_games() -> None:
    one, other = (study(shipped(), [4], 8, seed).findings for seed in ("one", "other"))
    assert one != other


def test_a_number_of_players_that_the_edition_has_not_is_refused_before_any_game() -> None:
    told: list[int] = []
    with pytest.raises(LastSpikeError, match="is for 2 players, not for 3"):
        study(one_route(), [2, 3], GAMES, "seed", progress=told.append)
    assert not told


def test_as_json_it_has_every_figure_under_its_name() -> None:
    raw = study_to_json(study(shipped(), [2], GAMES, "json"))
    assert json.loads(json.dumps(raw, allow_nan=False)) == raw
    assert list(raw) == ["format", "version", "edition", "player", "seed", "games", "findings"]
    assert (raw["format"], raw["edition"]) == ("lastspike-study/1", "columbia-2015")
    assert (raw["player"], raw["seed"], raw["games"]) == ("surveyor", "json", GAMES)
    (found,) = raw["findings"]
    assert list(found) == list(Findings._fields)
    assert set(found["ending"]["reasons"]) == {"last spike", "last player", "no tiles left"}
    assert [len(found[name]) for name in ("routes", "cities", "land", "cards")] == [12, 9, 9, 45]
    for figure in (found["length"]["mean"], found["wins_in_order"][1], found["cards"][1]["games"]):
        assert list(figure) == ["mean", "low", "high"]
        assert figure["low"] <= figure["mean"] <= figure["high"]
    assert len(found["length"]["quartiles"]) == 3
    assert found["cards"][7].keys() >= {"city", "rank", "price", "bought", "returned", "lost"}


def test_as_json_another_edition_travels_whole_and_ends_that_are_unknown_are_null() -> None:
    edition = one_route()
    raw = study_to_json(study(edition, [2], 1, "json"))
    assert raw["figures"] == edition.to_figures()
    (found,) = raw["findings"]
    assert found["length"]["mean"] == {"mean": 4, "low": None, "high": None}
    dear = [card for card in found["cards"] if card["price"] == 50000]
    assert [card["returned"] for card in dear] == [None] * 4
