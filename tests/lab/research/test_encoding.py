"""One game in numbers: those of the batch engine, and nothing that a seat may not see."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastspike import batch
from lastspike.lab.research.encoding import Encoder
from lastspike.lab.research.observations import observation_of, observation_space_of, table_text
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup
from tests.rules.helpers import layout
from tests.rules.strategies import NewGame, new_games
from tests.rules.worlds import other_world

RANDOM = st.integers(0, 2**32).map(Random)


@given(new=new_games(), rng=RANDOM)
def test_observations_masks_and_actions_are_those_of_the_batch_engine(
    new: NewGame, rng: Random
) -> None:
    game = new.game
    encoder = Encoder(game.setup)
    space = observation_space_of(encoder)
    shape = batch.shape_of([game.setup])
    board = batch.board_of(game.setup, shape)
    while not game.over:
        if rng.random() < 0.2:
            state = batch.from_positions([game.position], shape)
            legal = batch.legal_actions(board, state, np)[0]
            assert encoder.legal(game.position) == np.flatnonzero(legal).tolist()
            assert encoder.masks([game.position]).tolist() == [legal.tolist()]
            for seat in range(game.setup.players):
                seen = observation_of(encoder, game.position, seat)
                row = batch.flat(batch.observe(board, state, np.array(seat), np), np)[0]
                assert np.array_equal(seen["observation"], row)
                assert space.contains(seen), "out of bounds"
                own = legal if seat == game.turn else np.zeros_like(legal)
                assert np.array_equal(seen["action_mask"], own)
                for part, told in zip(encoder.seen(game.view(seat)), seen.values(), strict=True):
                    assert np.array_equal(part, told)
        move = rng.choice(game.legal_moves)
        assert encoder.move(encoder.action(move)) == move
        game.play(move)
    assert not encoder.mask(game.position, game.position.table.turn).any()


@given(new=new_games(), rng=RANDOM, more=st.integers(1, 3))
def test_padded_observations_and_those_of_spectators_are_the_batch_engines_too(
    new: NewGame, rng: Random, more: int
) -> None:
    """Single observations are written by themselves, so they are compared value by value."""
    game = new.game
    shape = batch.Shape(*(size + more for size in batch.shape_of([game.setup])))
    encoder = Encoder(game.setup, shape)
    while True:
        if rng.random() < 0.2 or game.over:
            seats = [*range(game.setup.players), None]
            rows = encoder.observations([game.position] * len(seats), seats)
            for seat, row in zip(seats, rows, strict=True):
                assert np.array_equal(encoder.observation(game.position, seat), row)
        if game.over:
            return
        game.play(rng.choice(game.legal_moves))


@given(new=new_games(), rng=RANDOM)
def test_what_a_seat_cannot_see_changes_nothing(new: NewGame, rng: Random) -> None:
    """Others' hands, the pool and the tiles put aside dealt another way: the same is seen."""
    game = new.game
    encoder = Encoder(game.setup)
    while not game.over:
        if rng.random() < 0.2:
            for seat in range(game.setup.players):
                other, _ = other_world(game, seat, rng)
                now, then = (
                    observation_of(encoder, where, seat) for where in (game.position, other)
                )
                assert np.array_equal(now["observation"], then["observation"])
                assert np.array_equal(now["action_mask"], then["action_mask"])
            other, _ = other_world(game, None, rng)
            assert table_text(other) == table_text(game.position)
        game.play(rng.choice(game.legal_moves))


def test_hidden_cash_is_not_told() -> None:
    told = table_text(layout("A1 D2", cash=(9000, 7000)))
    assert told == "seat 0 to lay | cash $9,000 $7,000 | track none"
    told = table_text(layout("A1 D2", cash=(9000, 7000), track="B1", hidden_cash=True))
    assert told == "seat 0 to lay | cash hidden | track B1"


def test_an_action_beyond_the_last_is_none() -> None:
    encoder = Encoder(setup(shipped(), 3))
    assert encoder.actions == 94
    for action in (-1, 94):
        with pytest.raises(IndexError):
            encoder.move(action)


def test_parts_fill_a_row() -> None:
    encoder = Encoder(setup(shipped(), 6))
    sizes = [int(np.prod(shape)) for shape in encoder.part_shapes.values()]
    assert list(encoder.part_shapes) == list(batch.Observation._fields)
    assert sum(sizes) == encoder.features == 880
