"""Randomness, passed in as a NumPy generator or a JAX key."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from .arrays import Array, ArrayModule, as_array, one_of
from .board import Shape

Source: TypeAlias = Any
"""A `numpy.random.Generator`, which advances by itself, or a key made by `jax.random.key`, which
does not: use each key once."""

LIMIT = 1 << 30


def split(source: Source, parts: int) -> tuple[Source, ...]:
    """Sources for several uses: a key is split, a generator is shared."""
    if isinstance(source, np.random.Generator):
        return (source,) * parts
    from jax import random  # only who passes a key needs it

    return tuple(random.split(source, parts))


def random_numbers(source: Source, shape: tuple[int, ...]) -> Array:
    """Whole numbers from 0 to LIMIT - 1, all equally likely."""
    if isinstance(source, np.random.Generator):
        # Drawing all 32 bits and dropping some is twice as fast as drawing from a range.
        bits = source.integers(0, 1 << 32, shape, dtype=np.uint32)
        return (bits // ((1 << 32) // LIMIT)).astype(np.int32)
    from jax import random  # only who passes a key needs it

    return as_array(random.randint(source, shape, 0, LIMIT))


def random_remix(source: Source, games: int, shape: Shape) -> Array:
    """How the pool is mixed after each bankruptcy of these games, see `go_bankrupt`. Two tiles have
    the same number in one of a million rows; the higher one is then drawn first."""
    return random_numbers(source, (games, shape.seats, shape.spaces))


def random_actions(legal: Array, source: Source, xp: ArrayModule) -> Array:
    """[games]: one of the legal actions, all equally likely; 0 if there is none."""
    return one_of(legal.T, random_numbers(source, legal.shape[:1]), xp).astype(xp.int32)
