"""Array functions for both NumPy and JAX.

Everything in this package is written once against the module `xp`: `numpy`, or `jax.numpy` on an
accelerator. No shared array is modified in place, and under JAX shapes never depend on values.
Games are the last axis of boards and states, so that operations on all games run along memory;
`subset.py` handles operations on some games.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
"""An array of NumPy or JAX; both have the same methods."""

T = TypeVar("T")

BLOCK = 8
"""Rows that `one_of` counts at a time."""


class ArrayModule(Protocol):
    """What this package uses of `numpy` or `jax.numpy`."""

    int8: Any
    int16: Any
    int32: Any
    float32: Any

    @property
    def arange(self) -> Callable[..., Array]: ...
    @property
    def argmax(self) -> Callable[..., Any]: ...
    @property
    def argsort(self) -> Callable[..., Array]: ...
    @property
    def asarray(self) -> Callable[..., Array]: ...
    @property
    def broadcast_to(self) -> Callable[..., Array]: ...
    @property
    def concatenate(self) -> Callable[..., Array]: ...
    @property
    def cumsum(self) -> Callable[..., Array]: ...
    @property
    def exp(self) -> Callable[..., Array]: ...
    @property
    def full(self) -> Callable[..., Array]: ...
    @property
    def log(self) -> Callable[..., Array]: ...
    @property
    def maximum(self) -> Callable[..., Array]: ...
    @property
    def minimum(self) -> Callable[..., Array]: ...
    @property
    def moveaxis(self) -> Callable[..., Array]: ...
    @property
    def repeat(self) -> Callable[..., Array]: ...
    @property
    def sort(self) -> Callable[..., Array]: ...
    @property
    def stack(self) -> Callable[..., Array]: ...
    @property
    def sum(self) -> Callable[..., Any]: ...
    @property
    def tanh(self) -> Callable[..., Array]: ...
    @property
    def where(self) -> Callable[..., Array]: ...
    @property
    def zeros(self) -> Callable[..., Array]: ...


def numbers_below(size: int, dtype: Any, xp: ArrayModule) -> Array:
    """[size, 1]: 0, 1, 2 ... down the rows, to be compared with one number a game."""
    return xp.arange(size, dtype=dtype)[:, None]


def is_at(index: Array, size: int, xp: ArrayModule) -> Array:
    """[size, games]: true in the row that `index`, [games], names; NONE names none."""
    return as_array(numbers_below(size, index.dtype, xp) == index)


def pick(values: Array, index: Array, xp: ArrayModule) -> Array:
    """Of [rows, games] the value in row `index` of each game. The index may have axes before games.

    A single column of values serves all games, so one board is enough for a whole batch. NumPy
    looks the values up. JAX does so only with a single column; otherwise it goes through all rows,
    because accelerators are slow at reading from scattered places.
    """
    if values.shape[-1] == 1:
        return as_array(xp.asarray(values)[:, 0][index])
    if xp is np:
        games = values.shape[-1]
        places = index.astype(np.intp) * games + np.arange(games)
        return as_array(values.reshape(-1).take(places))
    rows = xp.arange(values.shape[0]).reshape(-1, *[1] * index.ndim)
    spread = values.reshape(values.shape[0], *[1] * (index.ndim - 1), -1)
    return as_array(xp.sum(xp.where(rows == index, spread, 0), axis=0, dtype=values.dtype))


def one_of(flags: Array, numbers: Array, xp: ArrayModule) -> Array:
    """Of [rows, games] a row in which each game's flag is true: of n such, counted from 0, the one
    whose count is `numbers`, [games], modulo n. Where there is none, 0.

    It is as many rows down as there are rows with no more true ones above than that. They are
    counted in blocks of rows: NumPy's own running sums would jump through memory here and take
    thirty times as long, and those of JAX are no faster.
    """
    rows, games = flags.shape
    small = xp.int8 if rows + BLOCK <= np.iinfo(np.int8).max else xp.int16
    padding = xp.zeros((-rows % BLOCK, games), dtype=small)
    blocks = xp.concatenate([flags, padding], dtype=small).reshape(-1, BLOCK, games)
    within = [*accumulate(blocks[:, row] for row in range(BLOCK))]
    before = [*accumulate(within[-1], initial=xp.zeros((games,), dtype=small))]
    count = before.pop()
    chosen = (numbers % xp.where(count > 0, count, 1)).astype(small)
    still = chosen - xp.stack(before)
    found = sum(total(so_far <= still, small, xp) for so_far in within)
    return xp.where(found < rows, found, 0)


def total(values: Array, dtype: Any, xp: ArrayModule) -> Array:
    """The sum over the first axis in this dtype; NumPy alone would widen it."""
    return as_array(xp.sum(values, axis=0, dtype=dtype))


def as_array(values: Any) -> Array:
    """A cast for the type checker."""
    found: Array = values
    return found


def while_any(
    waiting: Array, body: Callable[[T, Array], tuple[T, Array]], state: T, xp: ArrayModule
) -> T:
    """Repeat the body with all games while any game needs it; the body returns which still do."""
    if xp is np:
        while waiting.any():
            state, waiting = body(state, waiting)
        return state
    from jax import lax  # needed only with jax.numpy

    ended: tuple[T, Array] = lax.while_loop(
        lambda carried: carried[1].any(), lambda carried: body(*carried), (state, waiting)
    )
    return ended[0]
