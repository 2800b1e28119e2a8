"""The pure environment: the games of the batch engine, with rewards, new games and masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastspike import batch
from lastspike.lab.research.environments import pure
from lastspike.rules import Options, setup, shipped
from tests.lab.research.test_pettingzoo_env import poor

GAMES = 40


def boards() -> list[batch.Board]:
    """One for all games, and one a game, with purses small enough for bankruptcies."""
    setups = [
        setup((shipped(), poor())[n % 2], 2 + n % 5, Options(hands=("open", "hidden")[n % 2]))
        for n in range(GAMES)
    ]
    shape = batch.shape_of(setups)
    own = [batch.board_of(table, shape) for table in setups]
    return [batch.board_of(setup(shipped(), 3)), batch.stack(own)]


def choose(steps: pure.Steps, rng: np.random.Generator) -> Any:
    return batch.random_actions(np.asarray(steps.legal_action_mask), rng, np)


@pytest.mark.parametrize("board", boards(), ids=["one board", "a board a game"])
def test_whole_games_end_with_the_shares_of_the_win(board: batch.Board) -> None:
    rng = np.random.default_rng(1)
    steps = pure.init(board, GAMES, rng, np)
    paid = np.zeros_like(steps.rewards)
    bankrupt = 0
    while not steps.terminated.all():
        before = steps
        steps = pure.step(board, steps, choose(steps, rng), rng, np)
        assert np.array_equal(steps.terminated, steps.games.over)
        going_on = ~steps.terminated
        legal = batch.legal_actions(board, steps.games, np)
        assert np.array_equal(steps.legal_action_mask[going_on], legal[going_on])
        assert steps.legal_action_mask[steps.terminated].all()
        assert (steps.current_player == steps.games.turn).all()
        new = steps.terminated & ~before.terminated
        assert not steps.rewards[~new].any()
        paid += steps.rewards
        bankrupt = int((steps.games.places != batch.NONE).sum())
    won = batch.outcome(board, steps.games, np).winners
    assert np.allclose(paid, won / won.sum(axis=1, keepdims=True))
    assert bankrupt > 0 or len(board.players) == 1
    again = pure.step(board, steps, np.zeros(GAMES, np.int32), rng, np)
    assert not again.rewards.any()
    assert all(map(np.array_equal, again.games, steps.games))


@pytest.mark.parametrize("board", boards(), ids=["one board", "a board a game"])
def test_games_that_end_are_replaced_and_no_mask_is_empty(board: batch.Board) -> None:
    rng = np.random.default_rng(2)
    steps = pure.init(board, GAMES, rng, np)
    seats = np.asarray(board.players) * np.ones(GAMES)
    ended, started = 0, np.zeros(GAMES)
    for _ in range(250):
        assert steps.legal_action_mask.any(axis=1).all()
        before = steps.games
        steps = pure.step_and_reset(board, steps, choose(steps, rng), rng, np)
        over = steps.terminated
        assert np.allclose(steps.rewards.sum(axis=1), over & ~before.over)
        assert not steps.games.track[over].any()
        assert (steps.games.track[~over].sum(axis=1) >= before.track[~over].sum(axis=1)).all()
        assert (steps.games.turn < seats).all()
        ended += int(over.sum())
        started += over
    assert ended > GAMES
    assert (started > 0).all()


def test_a_learner_sees_what_the_seat_to_move_sees() -> None:
    board = boards()[0]
    rng = np.random.default_rng(3)
    steps = pure.init(board, GAMES, rng, np)
    for _ in range(30):
        steps = pure.step(board, steps, choose(steps, rng), rng, np)
    seen = pure.observe(board, steps, np)
    assert seen.shape == (GAMES, batch.feature_count(board.shape))
    worlds = batch_resampled(board, steps, rng)
    assert np.array_equal(pure.observe(board, worlds, np), seen)


def batch_resampled(board: batch.Board, steps: pure.Steps, rng: np.random.Generator) -> pure.Steps:
    from lastspike.batch.resampling import resample

    return steps._replace(games=resample(board, steps.games, steps.current_player, rng, np))
