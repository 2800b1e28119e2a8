"""Games played in lockstep are those that the players play one at a time, to the dollar."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from lastspike.batch import State, from_deals
from lastspike.bots.tycoon.net_lookup import net_for
from lastspike.bots.tycoon.surveyor import NEVER
from lastspike.lab.arena.game_runner import play_between
from lastspike.lab.arena.series import Series, player_seed
from lastspike.lab.study import batch_players, lockstep
from lastspike.lab.study.batch_players import Surveyors, batch_players_of
from lastspike.lab.study.lockstep import play_in_lockstep
from lastspike.lab.study.notes import note_of, play_and_note
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import MoveError
from lastspike.rules.events import Bankruptcy, LandSold
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import Stream, seed_of_series
from lastspike.rules.table import Options
from tests.rules.strategies import NewGame, new_games

from .helpers import one_route, poor, uneven

AHEAD = "tycoon:0"


def series_of(
    edition: Edition, players: int, player: str = "surveyor", options: Options | None = None
) -> Series:
    return Series(edition, players, options or Options(), "together", (player,))


def dealt(series: Series, games: int) -> list[Game]:
    table = series.setup()
    seeds = [seed_of_series(series.seed, number) for number in range(games)]
    return [Game.shuffled(table, Stream(seed)) for seed in seeds]


def one_at_a_time(series: Series, games: int) -> list[Game]:
    played = dealt(series, games)
    for number, game in enumerate(played):
        seeds = [player_seed(series.seed, number, seat) for seat in range(series.players)]
        assert not play_between(game, series.seats, seeds).faults
    return played


def in_lockstep(series: Series, games: int) -> list[Game]:
    played = dealt(series, games)
    play_in_lockstep(played, batch_players_of(series.bots[0], series.setup()))
    return played


def compare(series: Series, games: int) -> list[Game]:
    """Play both ways; the games, which must be the same."""
    expected = one_at_a_time(series, games)
    played = in_lockstep(series, games)
    assert [game.moves for game in played] == [game.moves for game in expected]
    assert [game.history for game in played] == [game.history for game in expected]
    return played


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_surveyors_play_the_same_games(players: int) -> None:
    compare(series_of(shipped(), players), 40)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_also_where_land_is_sold_and_players_go_bankrupt(players: int) -> None:
    games = compare(series_of(poor(), players), 30)
    assert any(game.remixed for game in games)
    assert sum(isinstance(event, LandSold) for game in games for event in game.history) > 5


def test_also_where_the_first_player_is_bankrupt_at_once() -> None:
    raw = shipped().to_figures() | {"id": "dear", "hand_size": 1}
    raw["routes"][0]["costs"] = [60000] * 4
    games = compare(series_of(figures.read(raw), 4), 40)
    begun = [game for game in games if isinstance(game.history[1], Bankruptcy)]
    assert any(game.position.table.turns > 8 for game in begun)


@pytest.mark.parametrize(
    "options",
    [Options(double_cost="open"), Options(cash="hidden"), Options(hands="open", cash="hidden")],
)
@pytest.mark.parametrize("edition", [shipped, poor])
def test_also_by_other_options(options: Options, edition: Any) -> None:
    compare(series_of(edition(), 3, options=options), 16)


@pytest.mark.parametrize(
    "edition",
    [
        uneven(),
        one_route(),
        one_route(set_aside={"2": 1}, hand_size=1),
        one_route(starting_cash={"2": 0}),
        one_route(starting_cash={"2": 3000}),
    ],
)
def test_also_by_other_editions(edition: Edition) -> None:
    compare(series_of(edition, 2), 40)


@given(new_games())
def test_also_by_any_edition_and_options(new: NewGame) -> None:
    table = new.game.setup
    compare(series_of(table.edition, table.players, options=table.options), 3)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_tycoons_that_look_one_turn_ahead_play_the_same_games(players: int) -> None:
    series = series_of(shipped(), players, AHEAD)
    assert net_for(series.setup())
    games = compare(series, 5)
    surveyors = in_lockstep(series_of(shipped(), players), 5)
    assert [game.moves for game in games] != [game.moves for game in surveyors]


def test_also_where_they_sell_land_and_go_bankrupt() -> None:
    games = compare(series_of(poor(), 3, AHEAD), 8)
    assert any(game.remixed for game in games)
    assert any(isinstance(event, LandSold) for game in games for event in game.history)


def test_where_they_have_no_net_surveyors_stand_in() -> None:
    raw = shipped().to_figures()
    raw["id"] = "turned"
    for route in raw["routes"]:
        route["ends"] = route["ends"][::-1]
    series = series_of(figures.read(raw), 4, AHEAD)
    assert isinstance(batch_players_of(AHEAD, series.setup()), Surveyors)
    compare(series, 8)


@pytest.mark.parametrize("player", ["surveyor", AHEAD])
def test_a_game_does_not_depend_on_those_beside_it(player: str) -> None:
    series = series_of(poor(), 4, player)
    whole = play_and_note(series, range(24))
    assert [*play_and_note(series, range(1)), *play_and_note(series, range(1, 24))] == whole
    assert [note_of(game) for game in in_lockstep(series, 24)] == whole


def test_what_is_about_as_good_as_the_best_is_not_sure() -> None:
    scores = np.array([[1.0, 1.0, 1.0, NEVER], [1.0, 0.9999, 0.99, 2.0], [0.5, 0.5, 0.5, 0.5]])
    best, sure = batch_players._clearly_best(scores.astype(np.float32), 0.001)
    assert best.tolist() == [0, 0, 0, 1]
    assert sure.tolist() == [False, False, True, True]


def test_players_are_asked_where_arrays_can_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would fail were they never asked, and be slow were they always."""
    asked = 0
    make_turn = Surveyors.make_turn

    def ask(players: Surveyors, game: Game) -> None:
        nonlocal asked
        asked += 1
        make_turn(players, game)

    monkeypatch.setattr(Surveyors, "make_turn", ask)
    games = in_lockstep(series_of(shipped(), 4), 40)
    turns = sum(game.position.table.turns for game in games)
    assert 0.02 < asked / turns < 0.15


def test_games_on_which_batch_and_rules_differ_are_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lockstep, "buy", lambda _board, state, *_: state)
    with pytest.raises((RuntimeError, MoveError)):
        in_lockstep(series_of(shipped(), 4), 4)


def test_other_money_is_an_error_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def less(*given: Any) -> State:
        state = from_deals(*given)
        return state._replace(purses=state.purses - 1)

    monkeypatch.setattr(lockstep, "from_deals", less)
    with pytest.raises(RuntimeError, match="batch and rules differ"):
        in_lockstep(series_of(shipped(), 4), 4)


def test_a_choice_that_the_rules_forbid_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = Surveyors.choose

    def wrong(players: Surveyors, state: Any) -> batch_players.Chosen:
        chosen = choose(players, state)
        return chosen._replace(space=(chosen.space + 1) % 48)

    monkeypatch.setattr(Surveyors, "choose", wrong)
    with pytest.raises(MoveError):
        in_lockstep(series_of(shipped(), 4), 4)
