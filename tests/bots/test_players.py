"""Every level: legal anywhere, the same for the same seed, and blind to what it can't see."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from lastspike.bots.levels import make_player
from lastspike.bots.speculator import Speculator
from lastspike.rules import Game, Options, Stream, View, seed_of_text, setup, shipped, view_of
from lastspike.rules.editions.edition import Edition
from lastspike.rules.records.record import read_records
from lastspike.rules.table import Setup
from tests.rules.helpers import CONFORMANCE, SOAK
from tests.rules.worlds import other_world

QUICK = ["greenhorn", "clerk", "surveyor"]
ALL = [*QUICK, "speculator:8", "tycoon:0"]


def editions() -> dict[str, Edition]:
    """The standard edition and those of the recorded games: poor, dear, crooked, flat, a line."""
    found = {"columbia-2015": shipped()}
    for path in sorted(CONFORMANCE.glob("*.json")):
        with path.open(encoding="utf-8") as file:
            (record,) = read_records(file)
        found.setdefault(record.game.setup.edition.id, record.game.setup.edition)
    return found


def setups() -> Iterator[Setup]:
    options = [
        Options(double_cost, cash, hands)
        for double_cost in ("forced", "open")
        for cash in ("open", "hidden")
        for hands in ("hidden", "open")
    ]
    for number, (_, edition) in enumerate(sorted(editions().items())):
        for players in edition.player_counts:
            yield setup(edition, players, options[(number + players) % len(options)])


def new_game(rules: Setup, seed: str) -> Game:
    return Game.shuffled(rules, Stream(seed_of_text(seed)))


def play_to_the_end(game: Game, levels: list[str], seed: str) -> None:
    players = [make_player(level, f"{seed}/{seat}") for seat, level in enumerate(levels)]
    while game.turn is not None:
        for move in players[game.turn].turn(game.view(game.turn)):
            game.play(move)


@pytest.mark.parametrize("level", ALL)
def test_a_level_plays_every_edition_number_and_option_to_the_end(level: str) -> None:
    for number, rules in enumerate(setups()):
        game = new_game(rules, f"any/{number}")
        mixed = [level if seat % 2 == 0 else "greenhorn" for seat in range(rules.players)]
        play_to_the_end(game, mixed, f"any/{number}")
        assert game.over


@pytest.mark.parametrize("level", ALL)
def test_the_same_seed_gives_the_same_game(level: str) -> None:
    games = [new_game(setup(shipped(), 3), "same") for _ in range(2)]
    for game in games:
        play_to_the_end(game, [level] * 3, "same")
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize("level", ["greenhorn", "speculator:8"])
def test_another_seed_may_give_another_game(level: str) -> None:
    games = [new_game(setup(shipped(), 3), "same") for _ in range(4)]
    for number, game in enumerate(games):
        play_to_the_end(game, [level] * 3, f"other {number}")
    assert len({tuple(game.moves) for game in games}) > 1


def positions(games: int, levels: list[str]) -> Iterator[Game]:
    """Every position of real games, mid-turn ones included, as the game stood there."""
    all_setups = list(setups())
    for number in range(games):
        rules = all_setups[number % len(all_setups)]
        game = new_game(rules, f"leak/{number}")
        rng = Random(number)
        while game.turn is not None:
            yield game
            level = levels[number % len(levels)]
            view = game.view(game.turn)
            game.play(make_player(level, f"{number}/{rng.random()}").choose(view))


def chosen(level: str, view: View) -> list[str]:
    return [move.text for move in make_player(level, "fixed").turn(view)]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("level", "games"),
    [
        ("greenhorn", 1500 if SOAK else 40),
        ("clerk", 1500 if SOAK else 40),
        ("surveyor", 1500 if SOAK else 40),
        ("speculator:8", 200 if SOAK else 3),
        ("tycoon:0", 200 if SOAK else 5),
        ("tycoon:2", 100 if SOAK else 2),
    ],
)
def test_what_a_seat_can_not_see_changes_no_choice(level: str, games: int) -> None:
    looked_at = 0
    rng = Random(7)
    for game in positions(games, QUICK):
        seat = game.turn
        assert seat is not None
        world, history = other_world(game, seat, rng)
        there = view_of(world, seat, history)
        assert chosen(level, game.view(seat)) == chosen(level, there)
        looked_at += 1
    assert looked_at > 20 * games


def test_a_peeking_player_would_be_found() -> None:
    """The test above can fail: a player that is shown the pool chooses by it."""
    differences = 0
    rng = Random(7)
    for game in positions(5, QUICK):
        seat = game.turn
        assert seat is not None
        world, _ = other_world(game, seat, rng)
        legal = game.legal_moves
        peeks = [
            legal[sum(position.hidden.pool[:1]) % len(legal)] for position in (game.position, world)
        ]
        differences += peeks[0] != peeks[1]
    assert differences > 10


def test_a_budget_in_seconds_ends_the_search() -> None:
    game = new_game(setup(shipped(), 4), "seconds")
    assert game.turn is not None
    view = game.view(game.turn)
    quick = Speculator("a", playouts=10**9, seconds=0.05)
    assert quick.turn(view)[0] in game.legal_moves
