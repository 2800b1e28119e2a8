"""Many games at once, as pure functions of arrays for NumPy and JAX: `init`, `step`, `observe`.

Every seat is the learner's, and each step is one move in every game. The functions take the array
module as `xp` and a source of randomness, like those of `lastspike.batch`. Nothing is modified in
place. See `docs/research.md`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastspike import batch
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.luck import Source, random_numbers, split
from lastspike.batch.subset import apart

ENVIRONMENT_VERSION = 1
"""Increases when what a step does or returns changes. Actions and observations have their own."""


class Steps(NamedTuple):
    """The games after a step.

    games                 the games, with what is hidden; not for the learner
    current_player        [games]           the seat to move
    legal_action_mask     [games, actions]  never empty: all true in a finished game
    rewards               [games, seats]    each seat's share of the win, in the step that ends the
                                            game; 0 in all others
    terminated            [games]           whether the game is over
    """

    games: batch.State
    current_player: Array
    legal_action_mask: Array
    rewards: Array
    terminated: Array


def init(board: batch.Board, games: int, source: Source, xp: ArrayModule) -> Steps:
    """New games, dealt at random."""
    board = _as_arrays_of(board, xp)
    state = _dealt(board, games, source, xp)
    return _steps(board, state, xp.zeros((games, state.seats), dtype=xp.float32), xp)


def step(board: batch.Board, steps: Steps, action: Array, source: Source, xp: ArrayModule) -> Steps:
    """Play one move in every game, *unchecked*: choose it from the mask. Finished games stay as
    they are, whatever their action."""
    board = _as_arrays_of(board, xp)
    state, rewards = _play(board, steps, action, source, xp)
    return _steps(board, state, rewards, xp)


def step_and_reset(
    board: batch.Board, steps: Steps, action: Array, source: Source, xp: ArrayModule
) -> Steps:
    """As `step`, but a game that ends is replaced by a new one at once. `rewards` and `terminated`
    are those of the game that ended; all else is the new game's."""
    board = _as_arrays_of(board, xp)
    for_play, for_deals = split(source, 2)
    state, rewards = _play(board, steps, action, for_play, xp)
    over = state.over

    def deal_again(some: batch.State, numbers: Array) -> tuple[batch.State, Array]:
        own_board = batch.games_of(board, numbers)
        new = _dealt(own_board, some.games, _own(for_deals, numbers), xp)
        return new, as_array(xp.zeros((some.games,), dtype=bool))

    begun = apart(over, deal_again, state, xp)
    return _steps(board, begun, rewards, xp)._replace(terminated=over)


def observe(board: batch.Board, steps: Steps, xp: ArrayModule) -> Array:
    """[games, features]: what the player to move may see, as a network takes it."""
    return batch.flat(batch.observe(board, steps.games, steps.current_player, xp), xp)


class _Mixing:
    """The numbers by which pools are mixed again, made only for the games that need them.

    It stands for the `remix` of `lastspike.batch`: bankruptcies are rare.
    """

    def __init__(self, source: Source, shape: batch.Shape) -> None:
        self._source = source
        self._shape = shape

    def __getitem__(self, numbers: Array) -> Array:
        source = _own(self._source, numbers)
        return random_numbers(source, (len(numbers), self._shape.seats, self._shape.spaces))


def _play(
    board: batch.Board, steps: Steps, action: Array, source: Source, xp: ArrayModule
) -> tuple[batch.State, Array]:
    """The games after a move, and the rewards for those that it ended."""
    before = steps.games
    state = batch.step(board, before, action, as_array(_Mixing(source, board.shape)), xp)
    ended = state.over & ~before.over
    if xp is np and not ended.any():
        return state, np.zeros((state.games, state.seats), dtype=np.float32)
    won = batch.outcome(board, state, xp).winners & ended[:, None]
    shares = won / xp.maximum(won.sum(axis=1), 1)[:, None]
    return state, shares.astype(xp.float32)


def _steps(board: batch.Board, state: batch.State, rewards: Array, xp: ArrayModule) -> Steps:
    over = state.over
    mask = batch.legal_actions(board, state, xp) | over[:, None]
    return Steps(state, state.turn, mask, rewards, over)


def _dealt(board: batch.Board, games: int, source: Source, xp: ArrayModule) -> batch.State:
    for_deals, for_mixing = split(source, 2)
    mixing = as_array(_Mixing(for_mixing, board.shape))
    return batch.random_deals(board, games, for_deals, mixing, xp)


def _as_arrays_of(board: batch.Board, xp: ArrayModule) -> batch.Board:
    """The board for this module: JAX can't index NumPy's arrays with numbers that it traces."""
    return board if xp is np else batch.Board(*map(xp.asarray, board))


def _own(source: Source, numbers: Array) -> Source:
    """A source for these games: JAX may run the same code several times, for some games at a time,
    with the same key."""
    if isinstance(source, np.random.Generator):
        return source
    from jax import random  # only needed with a key

    return random.fold_in(source, numbers[0])
