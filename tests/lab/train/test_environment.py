"""The pure environment under `jax.jit`: the same games, new ones for those that end, a rollout."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastspike import batch
from lastspike.lab.research.environments import pure
from lastspike.rules import Options, setup, shipped
from lastspike.rules.editions import figures

from . import needs

pytestmark = needs.JAX

GAMES = 40


def boards() -> list[batch.Board]:
    """One for all games, and one a game, with purses small enough for bankruptcies."""
    raw = shipped().to_figures() | {"id": "poor"}
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 6000)
    setups = [
        setup((shipped(), figures.read(raw))[n % 2], 2 + n % 5, Options()) for n in range(GAMES)
    ]
    shape = batch.shape_of(setups)
    own = [batch.board_of(table, shape) for table in setups]
    return [batch.board_of(setup(shipped(), 3)), batch.stack(own)]


def choose(steps: pure.Steps, rng: np.random.Generator) -> Any:
    return batch.random_actions(np.asarray(steps.legal_action_mask), rng, np)


@pytest.mark.parametrize("board", boards(), ids=["one board", "a board a game"])
def test_under_jit_it_is_the_same_environment(board: batch.Board) -> None:
    """Moves give what they give in NumPy, ended games are replaced by different new ones, and a
    rollout compiles as a whole."""
    import jax
    import jax.numpy as jnp

    step = jax.jit(partial(pure.step, xp=jnp))
    again = jax.jit(partial(pure.step_and_reset, xp=jnp))
    steps = pure.init(board, GAMES, jax.random.key(1), jnp)
    rng = np.random.default_rng(4)
    ended = 0
    for number in range(150):
        action, key = choose(steps, rng), jax.random.key(number)
        before = as_numpy(steps).games
        ours = pure.step(board, as_numpy(steps), action, rng, np)
        theirs = as_numpy(step(board, steps, action, key))
        steps = again(board, steps, action, key)
        over = theirs.terminated
        # How a pool is mixed after a bankruptcy is each source's own.
        calm = (ours.games.places == theirs.games.places).all(axis=0)
        calm &= (ours.games.places == before.places).all(axis=0)
        for name, own, other in zip(batch.State._fields, ours.games, theirs.games, strict=True):
            assert np.array_equal(own[..., calm], other[..., calm]), name
        assert np.array_equal(ours.rewards[calm], theirs.rewards[calm])
        assert np.array_equal(np.asarray(steps.terminated), over)
        assert np.asarray(steps.legal_action_mask).any(axis=1).all()
        assert not np.asarray(steps.games.track)[over].any()
        ended += int(over.sum())
    assert ended > GAMES
    hands = {np.asarray(steps.games.pool)[:, game].tobytes() for game in range(GAMES)}
    assert len(hands) == GAMES

    @jax.jit  # type: ignore[untyped-decorator]
    def rollout(key: Any) -> Any:
        def move(steps: pure.Steps, key: Any) -> Any:
            for_action, for_step = jax.random.split(key)
            action = batch.random_actions(steps.legal_action_mask, for_action, jnp)
            steps = pure.step_and_reset(board, steps, action, for_step, jnp)
            return steps, steps.rewards

        first = pure.init(board, GAMES, key, jnp)
        return jax.lax.scan(move, first, jax.random.split(key, 100))[1]

    assert float(rollout(jax.random.key(5)).sum()) >= GAMES - 1


def test_the_rollout_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "research.md").read_text("utf-8")
    (block,) = re.findall(r"(?ms)^```python jax\n(.*?)^```$", page)
    exec(compile(block, "research.md", "exec"), {})
    name, _, wins = capsys.readouterr().out.partition(": [")
    assert name == "games won by each seat"
    assert 256 < sum(map(float, wins.strip("]\n ").split())) < 1000


def as_numpy(steps: pure.Steps) -> pure.Steps:
    games = batch.State(*map(np.asarray, steps.games))
    return pure.Steps(games, *map(np.asarray, steps[1:]))
