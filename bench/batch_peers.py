"""Other people's engines for random games, each in its quickest ordinary form, for bench/batch.py.

Both play backgammon, which has chance in it as our game has; so their moves a second may be laid
beside ours, but not their games. A peer that is not installed is left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

Play = Callable[[int], tuple[int, int]]
"""Plays a round, given its number; returns how many games and moves that were."""

GAME = "backgammon"
OPEN_SPIEL_GAMES = 100
PGX_GAMES = 256


def peers() -> tuple[dict[str, Play], list[str]]:
    """Those that are installed, by name, and the names of those that are not."""
    found: dict[str, Play] = {}
    missing: list[str] = []
    for name, module, make in (
        (f"OpenSpiel {GAME}", "pyspiel", _open_spiel),
        (f"Pgx {GAME}", "pgx", _pgx),
    ):
        try:
            found[name] = make(import_module(module))
        except ImportError:
            missing.append(name)
    return found, missing


def _open_spiel(pyspiel: Any) -> Play:
    """A C++ engine stepped from Python, one game after the other. Dice are not counted as moves."""
    game = pyspiel.load_game(GAME)

    def play(number: int) -> tuple[int, int]:
        rng = random.Random(number)
        moves = 0
        for _ in range(OPEN_SPIEL_GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, weights)[0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(rng.random() * len(legal))])
                    moves += 1
        return OPEN_SPIEL_GAMES, moves

    return play


def _pgx(pgx: Any) -> Play:
    """Many games at once, compiled by JAX."""
    import jax
    import jax.numpy as jnp

    env = pgx.make(GAME)

    @jax.jit  # type: ignore[untyped-decorator]
    def play_all(key: Any) -> Any:
        for_deal, for_moves = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(for_deal, PGX_GAMES))

        def go_on(carried: Any) -> Any:
            state, key, moves = carried
            key, for_choice, for_dice = jax.random.split(key, 3)
            moves += (~state.terminated).sum()
            chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            action = jax.random.categorical(for_choice, chances)
            dice = jax.random.split(for_dice, PGX_GAMES)
            return jax.vmap(env.step)(state, action, dice), key, moves

        begun = (state, for_moves, jnp.zeros((), dtype=jnp.int32))
        return jax.lax.while_loop(lambda c: ~c[0].terminated.all(), go_on, begun)[2]

    return lambda number: (PGX_GAMES, int(play_all(jax.random.key(number))))
