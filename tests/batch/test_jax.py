"""The same code under `jax.jit`: every step gives what NumPy gives."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from lastspike.batch import (
    Board,
    State,
    board_of,
    flat,
    legal_actions,
    observe,
    outcome,
    random_actions,
    random_deals,
    random_remix,
    shape_of,
    stack,
    step,
)
from lastspike.batch.arrays import Array
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import Options, setup

pytestmark = pytest.mark.skipif(
    find_spec("jax") is None, reason="JAX is not installed; it comes with the extra `train`"
)

GAMES = 60


def boards() -> list[Board]:
    """One for a whole batch, and one a game: rich and poor, two to six players."""
    raw = shipped().to_figures()
    raw["id"] = "other-purses"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 6000)
    editions = [shipped(), figures.read(raw)]
    options = [Options(), Options(double_cost="open", hands="open"), Options(cash="hidden")]
    setups = [setup(editions[n % 2], 2 + n % 5, options[n % 3]) for n in range(GAMES)]
    shape = shape_of(setups)
    return [board_of(setups[2]), stack([board_of(table, shape) for table in setups])]


@pytest.mark.parametrize("board", boards(), ids=["one board", "a board a game"])
def test_jit_plays_as_numpy_does(board: Board) -> None:
    import jax
    import jax.numpy as jnp

    def told(board: Board, state: State, xp: Any) -> tuple[Array, ...]:
        legal = legal_actions(board, state, xp)
        return legal, flat(observe(board, state, state.turn, xp), xp), *outcome(board, state, xp)

    jit_step = jax.jit(partial(step, xp=jnp))
    jit_told = jax.jit(partial(told, xp=jnp))
    rng = np.random.default_rng(1869)
    remix = random_remix(rng, GAMES, board.shape)
    state = random_deals(board, GAMES, rng, remix, np)
    compiled = State(*map(jnp.asarray, state))
    bankruptcies = 0
    while not state.over.all():
        ours, theirs = told(board, state, np), jit_told(board, compiled)
        assert all(np.array_equal(own, other) for own, other in zip(ours, theirs, strict=True))
        actions = random_actions(ours[0], rng, np)
        state = step(board, state, actions, remix, np)
        compiled = jit_step(board, compiled, actions, remix)
        for name, own, other in zip(State._fields, state, compiled, strict=True):
            assert own.dtype == other.dtype, name
            assert np.array_equal(own, other), name
        bankruptcies = int((state.bankrupt >= 0).sum())
    assert bankruptcies > 0 or len(board.players) == 1


def test_whole_games_at_random_under_jit() -> None:
    """Deals, choices and remixes from a key; all games end, by last spikes, and no seat is
    favoured."""
    import jax
    import jax.numpy as jnp

    board = board_of(setup(shipped(), 4))
    games = 512

    @jax.jit  # type: ignore[untyped-decorator]
    def play(key: Any) -> Any:
        for_remix, for_deal, for_moves = jax.random.split(key, 3)
        remix = random_remix(for_remix, games, board.shape)
        state = random_deals(board, games, for_deal, remix, jnp)

        def go_on(carried: tuple[State, Any]) -> tuple[State, Any]:
            state, key = carried
            key, now = jax.random.split(key)
            actions = random_actions(legal_actions(board, state, jnp), now, jnp)
            return step(board, state, actions, remix, jnp), key

        ended = jax.lax.while_loop(lambda c: ~c[0].over.all(), go_on, (state, for_moves))[0]
        return outcome(board, ended, jnp)

    ended = play(jax.random.key(1869))
    assert np.bincount(ended.reason, minlength=3)[0] > 0.9 * games
    wins = np.asarray(ended.winners).sum(axis=0)
    assert abs(wins - games / 4).max() < 5 * np.sqrt(games * 3 / 16)
