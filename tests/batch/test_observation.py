"""Observations hold all that a seat may see and nothing else."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastspike.batch import (
    LAY,
    OVER,
    Shape,
    board_of,
    feature_count,
    flat,
    from_positions,
    observe,
    shape_of,
)
from lastspike.batch.arrays import Array
from lastspike.rules.board import NO_SPACE, Seat
from lastspike.rules.position import Position
from lastspike.rules.steps.laying import laying_cost
from lastspike.rules.table import BANK, OUT, PHASES, Setup
from lastspike.rules.view import view_of
from tests.rules.helpers import after, layout
from tests.rules.strategies import NewGame, new_games
from tests.rules.worlds import other_world

LARGEST = Shape(routes=12, cities=9, seats=6)


def seen(position: Position, seat: Seat, shape: Shape | None = None) -> Array:
    setup = position.table.setup
    shape = shape or shape_of([setup])
    state = from_positions([position], shape)
    return flat(observe(board_of(setup, shape), state, np.array(seat), np), np)


def sits_at(viewer: int, setup: Setup) -> Seat | None:
    """The number of players stands for a spectator."""
    return None if viewer == setup.players else viewer


@given(new=new_games(), rng=st.integers(0, 2**32).map(Random), padded=st.booleans())
def test_what_a_seat_cannot_see_changes_nothing(new: NewGame, rng: Random, padded: bool) -> None:
    """Others' hands, the pool and the tiles put aside dealt another way: the same observation."""
    game = new.game
    shape = LARGEST if padded else None
    while not game.over:
        if rng.random() < 0.3:
            for seat in range(game.setup.players + 1):
                other, _ = other_world(game, sits_at(seat, game.setup), rng)
                assert np.array_equal(seen(other, seat, shape), seen(game.position, seat, shape))
        game.play(rng.choice(game.legal_moves))


@given(new=new_games(), rng=st.integers(0, 2**32).map(Random))
def test_hidden_cash_changes_nothing_for_others(new: NewGame, rng: Random) -> None:
    game = new.game
    for _ in range(rng.randrange(30)):
        if not game.over:
            game.play(rng.choice(game.legal_moves))
    table = game.position.table
    for seat in set(range(game.setup.players)) - set(table.bankrupt):
        richer = game.position.copy()
        richer.table.cash[seat] += 1000
        for viewer in range(game.setup.players + 1):
            same = np.array_equal(seen(richer, viewer), seen(game.position, viewer))
            assert same == (viewer != seat and game.setup.options.cash == "hidden")


@given(new=new_games(), rng=st.integers(0, 2**32).map(Random), padded=st.booleans())
def test_an_observation_says_what_the_view_says(new: NewGame, rng: Random, padded: bool) -> None:
    game = new.game
    setup = game.setup
    board = setup.board
    shape = LARGEST if padded else shape_of([setup])
    while not game.over:
        if rng.random() < 0.2:
            seat = rng.randrange(setup.players + 1)
            view = view_of(game.position, sits_at(seat, setup))
            table = view.table
            state = from_positions([game.position], shape)
            found = observe(board_of(setup, shape), state, np.array([seat]), np)
            seats = [(seat + step) % setup.players for step in range(setup.players)]
            empty = [0] * (shape.seats - setup.players)
            spaces, cities = range(len(board.codes)), range(len(board.city_codes))
            track = [bool(table.track & board.bit[space]) for space in spaces]
            costs = [0 if track[space] else laying_cost(table, space) // 1000 for space in spaces]
            assert found.track[0, : len(track)].tolist() == track
            assert found.costs[0, : len(costs)].tolist() == costs
            hands = [[*np.flatnonzero(hand)] for hand in found.hands[0]]
            assert hands == [*([*(view.hands[s] or ())] for s in seats), *([] for _ in empty)]
            chosen = [] if table.chosen == NO_SPACE else [table.chosen]
            assert np.flatnonzero(found.chosen[0]).tolist() == chosen
            known = {tile for hand in view.hands for tile in hand or ()} | {*chosen}
            unseen = [s for s in spaces if s not in known and not track[s]]
            assert np.flatnonzero(found.unseen[0]).tolist() == unseen
            places = [*seats, *([None] * len(empty)), BANK, OUT]
            for card, holder in enumerate(table.land):
                assert np.flatnonzero(found.holders[0, card]).tolist() == [places.index(holder)]
            for_sale = [price // 1000 if price < 10**12 else -1 for price in table.market]
            assert found.market[0, : len(cities)].tolist() == for_sale
            cash = [-1 if table.cash[s] == -1 else table.cash[s] // 1000 for s in seats]
            assert found.cash[0].tolist() == [*cash, *empty]
            assert found.tiles[0].tolist() == [*(view.tiles[s] for s in seats), *empty]
            assert found.playing[0].tolist() == [*(table.in_game(s) for s in seats), *empty]
            assert found.turn[0].tolist() == [*(s == table.turn for s in seats), *empty]
            assert np.flatnonzero(found.phase[0]).tolist() == [PHASES.index(table.phase)]
            assert found.counts[0].tolist() == [view.pool, view.aside, setup.players]
        game.play(rng.choice(game.legal_moves))


def test_the_chosen_tile_is_open_and_the_rest_of_the_hand_is_not() -> None:
    raising = after(layout("V1 A2", cash=(1000, 9000), land="DEN:.0.0.", hands={1: "C2"}), "V1")
    found = observe(
        board_of(raising.table.setup),
        from_positions([raising], shape_of([raising.table.setup])),
        np.array([1]),
        np,
    )
    codes = raising.table.board.space_of
    assert found.chosen[0, codes["V1"]] == 1
    assert found.unseen[0, codes["V1"]] == 0
    assert found.unseen[0, codes["A2"]] == 1
    assert not found.hands[0, 1].any()


@pytest.mark.parametrize("shape", [LARGEST, Shape(12, 9, 4), Shape(15, 11, 6)])
def test_the_length_of_a_flat_observation_follows_from_the_shape(shape: Shape) -> None:
    position = layout("V1 A2", cash=(30_000, 30_000, 30_000))
    row = seen(position, 0, shape)
    assert row.shape == (1, feature_count(shape))
    assert row.dtype == np.float32


def test_when_the_game_is_over_it_is_nobodys_turn() -> None:
    over = after(layout("V3 C2", track="A E B Y V1 V2 V4"), "V3")
    setup = over.table.setup
    state = from_positions([over], shape_of([setup]))
    found = observe(board_of(setup), state, np.array([0]), np)
    assert not found.turn.any()
    assert found.phase[0, OVER] == 1
    assert found.phase[0, LAY] == 0


def test_a_bankrupts_cash_is_known_though_cash_is_hidden() -> None:
    position = layout(
        "A1 D2", cash=(9000, 0, 7000), hands={2: "D1"}, bankrupt="1", hidden_cash=True
    )
    setup = position.table.setup
    state = from_positions([position], shape_of([setup]))
    found = observe(board_of(setup), state, np.array([0]), np)
    assert found.cash.tolist() == [[9, 0, -1]]
