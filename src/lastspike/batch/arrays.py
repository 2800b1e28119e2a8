"""The array functions that NumPy and JAX share, and the few ways in which the batch uses them.

Everything in this package is written once against the module `xp`: `numpy`, or `jax.numpy` where
the games are played on an accelerator. Nothing is written in place, shapes never depend on values,
and all games go through the same steps: what happens in some of them only is masked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
"""An array of NumPy, or one of JAX, which has the same methods."""

T = TypeVar("T")


class ArrayModule(Protocol):
    """What the batch asks of `numpy` or `jax.numpy`."""

    int8: Any
    int32: Any
    float32: Any

    @property
    def arange(self) -> Callable[..., Array]: ...
    @property
    def argmax(self) -> Callable[..., Any]: ...
    @property
    def argmin(self) -> Callable[..., Any]: ...
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
    def maximum(self) -> Callable[..., Array]: ...
    @property
    def minimum(self) -> Callable[..., Array]: ...
    @property
    def sum(self) -> Callable[..., Any]: ...
    @property
    def tanh(self) -> Callable[..., Array]: ...
    @property
    def where(self) -> Callable[..., Array]: ...
    @property
    def zeros(self) -> Callable[..., Array]: ...


def pick(values: Array, index: Array, xp: ArrayModule) -> Array:
    """One value a game: in game g the one at place `index[g]` of row g.

    Either may have a single row, which then serves all games: that is how one board does for a
    whole batch. Values may be of NumPy though `xp` is JAX's, as a board outside of `jit` is.
    """
    return as_array(xp.asarray(values)[xp.arange(values.shape[0]), index])


def is_at(index: Array, size: int, xp: ArrayModule) -> Array:
    """For each game a row of `size` places, true at the one that `index` names; NONE names none."""
    return as_array(xp.arange(size, dtype=xp.int32)[None, :] == index[:, None])


def total(values: Array, axis: int | tuple[int, ...], xp: ArrayModule) -> Array:
    """A sum in 32 bits, which NumPy would widen and JAX would not."""
    return as_array(xp.sum(values, axis=axis, dtype=xp.int32))


def as_array(values: Any) -> Array:
    """Says to the type checker what it can't know."""
    found: Array = values
    return found


def while_any(
    waiting: Array, body: Callable[[T, Array], tuple[T, Array]], state: T, xp: ArrayModule
) -> T:
    """Go through the body while any game waits for it; the body says which still do."""
    if xp is np:
        while waiting.any():
            state, waiting = body(state, waiting)
        return state
    from jax import lax  # only who passes jax.numpy needs it

    ended: tuple[T, Array] = lax.while_loop(
        lambda carried: carried[1].any(), lambda carried: body(*carried), (state, waiting)
    )
    return ended[0]
