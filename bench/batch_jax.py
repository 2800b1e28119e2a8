"""Whole random games of the batch engine compiled by JAX, on whatever device it finds, and how much
of that device's memory bandwidth they take; for bench/batch.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from lastspike.batch import (
    Board,
    State,
    legal_actions,
    random_actions,
    random_deals,
    random_remix,
    step,
)

COPIED = 1 << 28
"""Bytes of the array that is copied to measure the bandwidth."""
COPIES = 10


class Played(NamedTuple):
    """Sums over all games of a batch; `steps` is how often the whole batch was gone through."""

    steps: Any
    moves: Any
    turns: Any


class OfSize(NamedTuple):
    """What a batch of some size reached. `state_bytes` is what the state of one game takes, and
    `bandwidth_share` what reading and writing all of them once a step takes of a plain copy's
    bandwidth: what is read and written in between does not count, so this is a lower limit."""

    games: int
    games_a_second: float
    moves_a_second: float
    turns_a_second: float
    steps_a_second: float
    state_bytes: int
    bandwidth_share: float


def play_all(key: Any, board: Board, games: int) -> Played:
    """Deal and play a batch until the last of its games is over."""
    for_remix, for_deal, for_moves = jax.random.split(key, 3)
    remix = random_remix(for_remix, games, board.shape)
    dealt = random_deals(board, games, for_deal, remix, jnp)

    def go_on(carried: tuple[State, Any, Any, Any]) -> tuple[State, Any, Any, Any]:
        state, key, steps, moves = carried
        key, now = jax.random.split(key)
        moves += (~state.over).sum()
        actions = random_actions(legal_actions(board, state, jnp), now, jnp)
        return step(board, state, actions, remix, jnp), key, steps + 1, moves

    none = jnp.zeros((), dtype=jnp.int32)
    begun = (dealt, for_moves, none, none)
    state, _, steps, moves = jax.lax.while_loop(lambda c: ~c[0].over.all(), go_on, begun)
    return Played(steps, moves, state.track.sum())  # every turn lays one tile


def play_jax(board: Board, games: int) -> Callable[[int], tuple[int, int]]:
    """Plays a round, given its number; returns how many games and moves that were."""
    play = jax.jit(partial(play_all, board=board, games=games))
    return lambda number: (games, int(play(jax.random.key(number)).moves))


def measure_sizes(board: Board, sizes: Sequence[int], rounds: int) -> list[OfSize]:
    """By batch size, the median of the rounds by the clock, compiling not counted."""
    bandwidth = copy_bandwidth()
    return [_measure_size(board, games, rounds, bandwidth) for games in sizes]


def copy_bandwidth() -> float:
    """Bytes a second that the device reads and writes when it copies a large array."""
    values = jnp.zeros((COPIED // 4,), dtype=jnp.int32)
    copy = jax.jit(lambda values: values + 1)
    copy(values).block_until_ready()
    begun = time.perf_counter()
    for _ in range(COPIES):
        values = copy(values)
    values.block_until_ready()
    return 2 * COPIED * COPIES / (time.perf_counter() - begun)


def _measure_size(board: Board, games: int, rounds: int, bandwidth: float) -> OfSize:
    play = jax.jit(partial(play_all, board=board, games=games))
    compiled = play.lower(jax.random.key(0)).compile()
    speeds: list[tuple[float, ...]] = []
    for number in range(rounds):
        begun = time.perf_counter()
        played = jax.block_until_ready(compiled(jax.random.key(number)))
        seconds = time.perf_counter() - begun
        sums = (games, played.moves, played.turns, played.steps)
        speeds.append(tuple(float(value) / seconds for value in sums))
    games_a_second, moves, turns, steps = (median(column) for column in zip(*speeds, strict=True))
    a_game = state_bytes(board)
    share = 2 * a_game * games * steps / bandwidth
    return OfSize(games, games_a_second, moves, turns, steps, a_game, share)


def state_bytes(board: Board) -> int:
    """What the state of one game takes."""
    deal = partial(random_deals, board, 1, xp=jnp)
    key = jax.random.key(0)
    shapes = jax.eval_shape(lambda: deal(source=key, remix=random_remix(key, 1, board.shape)))
    return int(sum(values.size * values.dtype.itemsize for values in shapes))
