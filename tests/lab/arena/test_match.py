"""Matches: who sits where, the same shuffles for all, and players who fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.levels import make_player, shown_name
from lastspike.bots.player import ComputerPlayer
from lastspike.lab.arena import game_runner
from lastspike.lab.arena.game_runner import play_between
from lastspike.lab.arena.match import (
    Settings,
    check_names,
    duels,
    line_ups,
    play_deal,
    play_match,
    player_seed,
)
from lastspike.lab.arena.series import Series
from lastspike.lab.arena.statistics import faults, summary
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.records.shuffle import Stream, seed_of_series
from lastspike.rules.table import Options, setup
from lastspike.rules.view import View

from .helpers import settings, without_times


def test_the_challenger_has_every_seat_and_champions_the_others_in_turn() -> None:
    assert line_ups(settings("a", "b"), 0) == [
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    ]
    assert line_ups(settings("a", "b", "c"), 7) == [
        (0, 1, 2, 1),
        (1, 0, 1, 2),
        (2, 1, 0, 1),
        (1, 2, 1, 0),
    ]


def test_in_reverse_each_champion_sits_among_challengers() -> None:
    match = settings("a", "b", "c", players=3, reverse=True)
    forward, back = [(0, 1, 2), (2, 0, 1), (1, 2, 0)], [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert line_ups(match, 0) == [*forward, *back, (2, 0, 0), (0, 2, 0), (0, 0, 2)]
    assert [(duel.player, duel.others, duel.arrangements) for duel in duels(match)] == [
        (0, (1, 2), range(3)),
        (1, (0,), range(3, 6)),
        (2, (0,), range(6, 9)),
    ]


def test_in_reverse_two_players_do_not_play_the_same_games_again() -> None:
    match = settings("a", "b", "c", players=2, reverse=True)
    assert line_ups(match, 0) == [(0, 1), (1, 0), (2, 0), (0, 2)]
    assert [(duel.player, duel.others) for duel in duels(match)] == [(0, (1,)), (2, (0,))]
    assert line_ups(settings("a", "b", players=2, reverse=True), 0) == [(0, 1), (1, 0)]


@pytest.mark.parametrize("names", ["ab", "abc", "abcd", "abcdef"])
@pytest.mark.parametrize("players", [2, 4])
def test_a_ladder_seats_all_players_alike(names: str, players: int) -> None:
    ladder = settings(*names, players=players, ladder=True)
    seats: Counter[tuple[int, int]] = Counter()
    mixes = set()
    for number in range(60):
        rounds = line_ups(ladder, number)
        assert len({tuple(sorted(line_up)) for line_up in rounds}) == 1
        assert len(set(rounds[0])) == min(len(names), players)
        mixes.add(tuple(sorted(rounds[0])))
        seats.update((player, seat) for line_up in rounds for seat, player in enumerate(line_up))
    assert len(seats) == len(names) * players
    assert len(set(seats.values())) == 1
    assert len(mixes) >= len(names) or len(names) in (2, players)


def test_every_game_of_a_deal_has_the_shuffle_of_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deals, seeds = [], []

    def watch(game: Game, names: list[str], given: list[str]) -> game_runner.Played:
        deals.append(game.deal)
        seeds.append(given)
        return play_between(game, names, given)

    monkeypatch.setattr("lastspike.lab.arena.match.play_between", watch)
    play_deal(settings("clerk", "greenhorn", seed="golden", reverse=True), 5)
    alone = Game.shuffled(setup(shipped(), 4), Stream(seed_of_series("golden", 5)))
    assert deals == [alone.deal] * 8
    assert seeds[0] == ["golden/5/0/0", "golden/5/0/1", "golden/5/0/2", "golden/5/0/3"]
    assert seeds[6][2] == player_seed("golden", 5, 6, 2) == "golden/5/6/2"


def test_a_game_is_that_of_players_who_were_asked_one_by_one() -> None:
    match = settings("surveyor", "clerk")
    found = play_deal(match, 1).games[2]
    game = Game.shuffled(match.setup(), Stream(seed_of_series("arena", 1)))
    names = ["clerk", "clerk", "surveyor", "clerk"]
    players = [make_player(name, f"arena/1/2/{seat}") for seat, name in enumerate(names)]
    while (seat := game.turn) is not None:
        for move in players[seat].turn(game.view(seat)):
            game.play(move)
    outcome = game.outcome
    assert outcome is not None
    assert (found.line_up, found.first) == ((1, 1, 0, 1), game.deal.first)
    assert (found.ranks, found.cash) == (outcome.ranks, outcome.cash)
    assert (found.last_spike, found.bankrupt) == (outcome.last_spike, outcome.bankrupt)
    assert (found.reason, found.turns) == (outcome.reason, game.position.table.turns)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_mirror_match_is_exactly_fair(players: int) -> None:
    """Surveyor is not random, so all games of a deal are one game, and each seat has it once."""
    match = settings("surveyor", "surveyor", players=players, deals=10, reverse=True)
    for duel in summary(match, list(play_match(match))):
        assert duel["win_share_by_deal"] == [pytest.approx(1 / players)] * 10
        assert duel["win_share"]["mean"] == pytest.approx(1 / players)
        assert duel["win_share"]["high"] - duel["win_share"]["low"] == pytest.approx(0)
        assert (duel["verdict"], duel["why_none"]) == ("no verdict", "no spread")


def test_cores_and_pauses_change_nothing() -> None:
    match = settings("clerk", "greenhorn", deals=5, reverse=True)
    whole = without_times(list(play_match(match, jobs=1)))
    assert [number for number, _ in whole] == [0, 1, 2, 3, 4]
    assert without_times(list(play_match(match, jobs=2))) == whole
    rest = without_times(list(play_match(match, done=[0, 3])))
    assert rest == [whole[1], whole[2], whole[4]]


def test_other_seeds_and_options_give_other_games() -> None:
    games = {
        repr(play_deal(match, 0).games)
        for match in (
            settings("clerk", "greenhorn"),
            settings("clerk", "greenhorn", seed="other"),
            settings("clerk", "greenhorn", options=shipped_options(double_cost="open")),
        )
    }
    assert len(games) == 3


def shipped_options(**chosen: Any) -> Any:
    return setup(shipped(), 4).options._replace(**chosen)


def test_settings_survive_json() -> None:
    match = settings("clerk", "exec:a b", options=shipped_options(cash="hidden"), reverse=True)
    assert Settings.from_json(match.to_json()) == match


def test_names_that_make_no_match() -> None:
    check_names(settings("clerk", "clerk"))
    for names, ladder in ((["clerk"], False), ([], True), (["clerk", "clerk"], True)):
        with pytest.raises(LastSpikeError):
            check_names(settings(*names, ladder=ladder))


def test_nobody_is_named_who_would_never_play() -> None:
    names = ["surveyor", "clerk", "greenhorn"]
    check_names(settings(*names, players=3))
    check_names(settings(*names, players=2, reverse=True))
    check_names(settings(*names, players=2, ladder=True))
    with pytest.raises(LastSpikeError, match="more players than seats: 3 for 2"):
        check_names(settings(*names, players=2))
    with pytest.raises(LastSpikeError, match="3 for 2"):
        Series(shipped(), 2, Options(), "s", tuple(names)).setup()


def test_names_as_people_read_them() -> None:
    assert shown_name("speculator:40") == "Speculator:40"
    assert shown_name("exec:python3 p.py") == "exec:python3 p.py"


class Faulty(ComputerPlayer):
    """A Greenhorn until its third turn of a game, which it spoils in one way or another."""

    level = "faulty"
    closed = 0

    def __init__(self, seed: str, way: str) -> None:
        super().__init__(seed)
        self._way = way
        self._turns = 0

    def choose(self, view: View) -> Move:
        return self.random.choice(view.legal_moves)

    def turn(self, view: View) -> Any:
        self._turns += 1
        return super().turn(view) if self._turns != 3 else self._spoilt(view)

    def _spoilt(self, view: View) -> Any:
        good = super().turn(view)
        match self._way:
            case "raises":
                raise ValueError(f"in {object()}")
            case "exits":
                raise SystemExit(3)
            case "illegal":
                legal = view.legal_moves
                return [next(move for move in view.table.board.moves if move not in legal)]
            case "numbers":
                return [move.number for move in good]
            case "nothing":
                return None
            case "empty":
                return []
            case "too much":
                return [*good, good[0]]
        raise AssertionError(self._way)

    def close(self) -> None:
        Faulty.closed += 1
        if self._way == "raises":
            raise OSError("can't close")


WAYS = ["raises", "exits", "illegal", "numbers", "nothing", "empty", "too much"]


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Players called by the way in which they fail; `unmade` can't even be made."""

    def make(name: str, seed: str) -> ComputerPlayer:
        if name == "unmade":
            raise LastSpikeError("the player {name} can’t be started", name=name)
        return Faulty(seed, name) if name in WAYS else make_player(name, seed)

    monkeypatch.setattr(game_runner, "make_player", make)
    Faulty.closed = 0
    yield
    Faulty.closed = 0


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize("way", WAYS)
def test_a_player_that_fails_is_survived_and_counted(way: str) -> None:
    match = settings(way, "greenhorn", deals=2)
    deals = [play_deal(match, number) for number in range(2)]
    assert without_times(deals) == without_times([play_deal(match, number) for number in range(2)])
    found = faults(match, deals)
    assert list(found) == [way]
    once = 2 if way == "raises" else 1  # it can't be closed either
    assert found[way]["count"] == 8 * once
    assert found[way]["first"]["deal"] == 0
    assert found[way]["first"]["seat"] == 0
    assert way in found[way]["first"]["what"]
    for played in deals:
        for arrangement, game in enumerate(played.games):
            assert {fault.seat for fault in game.faults} == {arrangement}
    assert Faulty.closed == 16
    if way == "raises":
        assert "0x…" in found[way]["first"]["what"]


@pytest.mark.usefixtures("faulty")
def test_a_player_that_cannot_be_made_is_replaced_and_counted() -> None:
    match = settings("unmade", "clerk", players=2, deals=1)
    found = faults(match, [play_deal(match, 0)])
    assert found["unmade"]["count"] == 2
    assert "can’t be started" in found["unmade"]["first"]["what"]


@pytest.mark.usefixtures("faulty")
def test_what_players_do_right_is_no_fault() -> None:
    match = settings("greenhorn", "surveyor", deals=1)
    assert faults(match, [play_deal(match, 0)]) == {}


def test_all_players_are_closed_when_a_game_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = []

    class Stopped(Greenhorn):
        def turn(self, view: View) -> list[Move]:
            raise KeyboardInterrupt

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(game_runner, "make_player", lambda _, seed: Stopped(seed))
    with pytest.raises(KeyboardInterrupt):
        play_deal(settings("a", "b"), 0)
    assert len(closed) == 4


def test_every_turn_is_timed() -> None:
    match = settings("speculator:2", "clerk", players=2, deals=1)
    played = play_deal(match, 0)
    slow, quick = played.times
    assert abs(slow.total() - quick.total()) <= 3
    assert slow.total() + quick.total() == sum(game.turns for game in played.games)
    assert max(slow) > max(quick)
