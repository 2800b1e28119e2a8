"""Luck sums to zero over the seats, has the mean zero, and leaves less to chance."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from lastspike.batch import from_positions
from lastspike.batch.actions import action_of
from lastspike.bots.tycoon.outlook import map_of
from lastspike.lab.arena import luck as luck_module
from lastspike.lab.arena.luck import luck_of, play_of
from lastspike.lab.arena.match import Settings, duels, play_match
from lastspike.lab.arena.statistics import interval, judged_shares, summary
from lastspike.rules import Game
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.hidden import Hidden
from lastspike.rules.outcome import win_share
from lastspike.rules.position import Position
from lastspike.rules.records.turns import GameTurns, Turn, turns_of
from tests.review.helpers import play_to_the_end
from tests.rules.helpers import SOAK, random_game

from .helpers import settings


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here holds for any number of playouts."""
    monkeypatch.setattr(luck_module, "WORLDS", 64 if SOAK else 6)


@pytest.mark.parametrize("players", [2, 4])
def test_luck_and_play_add_up_to_the_result(players: int) -> None:
    game = random_game(shipped(), players, "luck")
    luck, play = luck_of(game, "x"), play_of(game, "x")
    assert game.outcome is not None
    for seat in range(players):
        share = win_share(game.outcome.winners, seat)
        assert 1 / players + luck[seat] + play[seat] == pytest.approx(share)
    assert sum(luck) == pytest.approx(0)
    assert max(abs(part) for part in play) > 0.05
    assert luck == luck_of(game.copy(), "x")
    assert luck != luck_of(game, "y")


def test_between_surveyors_nearly_all_is_luck() -> None:
    """A turn that a Surveyor would make is no play; the two versions differ only in rounding."""
    game = Game.new(2, "alike")
    play_to_the_end(game, ["surveyor", "surveyor"])
    turns = turns_of(game).turns
    table = map_of(game.setup)
    before = from_positions([turn.before for turn in turns], table.board.shape)
    moves = [[action_of(move, table.board.shape) for move in turn.moves] for turn in turns]
    after = luck_module._made(table, before, moves)
    differ = luck_module._differ(luck_module._surveyors(table, before), after)
    assert len(differ) == len(turns) > 30
    assert differ.sum() <= 2


def test_the_playouts_do_not_know_what_would_have_been_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else what is called play would be luck, and luck would not have the mean zero."""
    game = random_game(shipped(), 3, "blind")
    found = play_of(game, "x")

    def with_other_pools(game: Game) -> GameTurns:
        whole = turns_of(game)
        return whole._replace(turns=tuple(map(reverse_pool, whole.turns)))

    def reverse_pool(turn: Turn) -> Turn:
        hidden = turn.before.hidden
        other = Hidden(hidden.hands, hidden.pool[::-1], hidden.aside)
        return turn._replace(before=Position(turn.before.table, other))

    monkeypatch.setattr(luck_module, "turns_of", with_other_pools)
    assert play_of(game, "x").tolist() == found.tolist()


def test_it_is_told_on_any_map_and_after_bankruptcies() -> None:
    raw = shipped().to_figures()
    raw["id"] = "poor"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 9000)
    game = next(
        game
        for number in range(50)
        if (game := random_game(figures.read(raw), 4, f"{number}")).remixed
    )
    assert sum(luck_of(game, "x")) == pytest.approx(0)


@pytest.mark.soak
def test_luck_has_the_mean_zero_and_its_intervals_hold_the_truth() -> None:
    """A mirror match of Clerks, who play unlike Surveyors: their fair share is exactly one half.
    1,000 matches are drawn from its deals."""
    match: Settings = settings("clerk", "clerk", players=2, deals=400 if SOAK else 5, luck=True)
    deals = list(play_match(match, jobs=1))
    (duel,) = duels(match)
    lucks = [game.luck[0] for deal in deals for game in deal.games]
    assert abs(fmean(lucks)) < 4 * stdev(lucks) / sqrt(len(deals))
    values = judged_shares(match, duel, deals)
    assert abs(fmean(values) - 0.5) < 4 * stdev(values) / sqrt(len(values))
    (found,) = summary(match, deals)
    assert found["without_luck"]["win_share"]["mean"] == pytest.approx(fmean(values))
    if not SOAK:
        return
    random, truth, held = Random("matches"), fmean(values), 0
    for _ in range(1000):
        part = interval(judged_shares(match, duel, random.choices(deals, k=50)))
        held += part.low <= truth <= part.high
    assert 0.94 <= held / 1000 <= 0.96


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
def test_tycoon_against_a_surveyor_needs_fewer_games_without_luck() -> None:
    match = settings("tycoon", "surveyor", players=2, deals=100, seed="measured", luck=True)
    (found,) = summary(match, list(play_match(match, jobs=2)))
    assert found["without_luck"]["games_needed"] < 0.9
