"""The batch engine plays exactly as `rules` does: 1,000 random games here, 100,000 in the soak, and
all conformance games."""

from __future__ import annotations

import json
from itertools import pairwise, product
from random import Random
from string import ascii_uppercase

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastspike.batch import (
    Shape,
    action_of,
    board_of,
    from_deals,
    outcome,
    remix_of,
    shape_of,
    stack,
    step,
    to_positions,
)
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.position import Position
from lastspike.rules.records.record import read_record
from lastspike.rules.records.shuffle import Stream, deal, seed_of_text
from lastspike.rules.table import Options, Setup, setup
from tests.rules.helpers import CONFORMANCE, SOAK
from tests.rules.strategies import OPTIONS, other_maps, standard_maps

from .both import RulesGame, at_random, play_both

GAMES_A_BATCH = 50
RANDOM_EDITIONS = 1_800 if SOAK else 16
MIXED_BATCHES = 200 if SOAK else 4
IN_ALL = 100_000 if SOAK else 1_000
LARGEST = Shape(routes=12, cities=9, seats=6)

PURSES = (None, 0, 3_000, 8_000, 15_000)
"""What everybody begins with; None: what the box says. Of little, players go bankrupt."""
KINDS = list(product(PURSES, range(2, 7), ("forced", "open")))


def test_the_parts_make_the_whole() -> None:
    assert (RANDOM_EDITIONS + MIXED_BATCHES) * GAMES_A_BATCH == IN_ALL
    assert len(KINDS) == GAMES_A_BATCH


@pytest.mark.soak
@settings(max_examples=RANDOM_EDITIONS)
@given(
    edition=other_maps() | standard_maps(),
    options=OPTIONS,
    padded=st.booleans(),
    seed=st.integers(0, 10**6),
    data=st.data(),
)
def test_random_games_on_random_editions(
    edition: Edition, options: Options, padded: bool, seed: int, data: st.DataObject
) -> None:
    """All games of a batch share a board, which is just as large as need be or padded."""
    players = data.draw(st.sampled_from(edition.player_counts))
    table = setup(edition, players, options)
    games = [_dealt(table, f"{seed}/{number}") for number in range(GAMES_A_BATCH)]
    play_both(games, at_random(Random(seed)), LARGEST if padded else None)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(MIXED_BATCHES))
def test_random_games_of_all_kinds_in_one_batch(batch: int) -> None:
    """Every game has its own board: any number of players, rich and poor, both ways of L5."""
    games = [
        _dealt(_with_purse(purse, players, double_cost), f"{batch}/{number}")
        for number, (purse, players, double_cost) in enumerate(KINDS)
    ]
    play_both(games, at_random(Random(batch)))
    assert {game.reason for game in games} >= {"last spike", "last player"}
    assert max(len(game.remixes) for game in games) == 5


def test_the_largest_map_there_can_be() -> None:
    """26 routes, hands of 17 and two tiles aside; as many cities as there may be, those of the
    routes last; sums as large as they may be."""
    codes = [f"C{number:03}" for number in range(figures.MOST_CITIES)]
    ends = list(pairwise(codes[-27:]))
    raw = {
        "id": "largest",
        "name": "Largest",
        "start": codes[-27],
        "finish": codes[-1],
        "last_spike_bonus": 10**9,
        "hand_size": 17,
        "set_aside": {"6": 2},
        "starting_cash": {"6": 10**9, "2": 20_000},
        "cities": [
            {
                "code": code,
                "name": code,
                "land": [0, 1000, 2000, 10**9, 10**9],
                "payouts": [1000, 2000, 3000, 4000, 10**9],
            }
            for code in codes
        ],
        "routes": [
            {"letter": letter, "ends": list(pair), "costs": [1000, 3000, 2000, 10**9 * (n == 20)]}
            for n, (letter, pair) in enumerate(zip(ascii_uppercase, ends, strict=True))
        ],
    }
    tables = [setup(figures.read(raw), players) for players in (2, 6)]
    games = [_dealt(tables[number % 2], f"largest/{number}") for number in range(6)]
    assert play_both(games, at_random(Random(1))) > 300


RECORDS = sorted(CONFORMANCE.glob("*.json"), key=lambda path: path.name)
CONFORMING = [read_record(json.loads(path.read_text("utf-8"))).game for path in RECORDS]


def test_conformance_games_are_the_same_at_every_step() -> None:
    """All sixty in one batch, though their editions differ."""
    games = [RulesGame(game.setup, game.deal, _Orders(game)) for game in CONFORMING]
    moves = [iter(game.moves) for game in CONFORMING]

    def recorded(number: int, _position: Position) -> Move:
        return next(moves[number])

    assert play_both(games, recorded) == sum(len(game.moves) for game in CONFORMING)
    assert [game.position for game in games] == [game.position for game in CONFORMING]
    assert {game.reason for game in games} == {"last spike", "last player", "no tiles left"}


def test_conformance_games_come_to_their_results_without_rules_beside() -> None:
    """From records alone: deals, remixes and moves go in, results come out."""
    shape = shape_of(game.setup for game in CONFORMING)
    board = stack([board_of(game.setup, shape) for game in CONFORMING])
    remix = remix_of(CONFORMING, shape)
    state = from_deals(board, [game.deal for game in CONFORMING], remix, np)
    longest = max(len(game.moves) for game in CONFORMING)
    for place in range(longest):
        actions = [
            action_of(game.moves[place], shape) if place < len(game.moves) else 0
            for game in CONFORMING
        ]
        state = step(board, state, np.array(actions, dtype=np.int32), remix, np)
    assert state.over.all()
    ended = outcome(board, state, np)
    positions = to_positions([game.setup for game in CONFORMING], state)
    for number, (game, position) in enumerate(zip(CONFORMING, positions, strict=True)):
        expected = game.outcome
        assert expected is not None
        assert position.table == game.position.table
        players = game.setup.players
        assert ended.ranks[number, :players].tolist() == list(expected.ranks)
        assert (1000 * ended.land[number, :players]).tolist() == list(expected.land)


class _Orders:
    """The remixes of a game, once more."""

    def __init__(self, game: Game) -> None:
        self._orders = iter(game.remixed)

    def __call__(self, _tiles: list[int]) -> tuple[int, ...]:
        return next(self._orders)


def _dealt(table: Setup, seed: str) -> RulesGame:
    stream = Stream(seed_of_text(seed))
    return RulesGame(table, deal(table, stream), stream.shuffle)


def _with_purse(purse: int | None, players: int, double_cost: str) -> Setup:
    raw = shipped().to_figures()
    if purse is not None:
        raw["id"] = "other-purses"
        raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], purse)
    options = Options(double_cost="open") if double_cost == "open" else Options()
    return setup(figures.read(raw), players, options)
