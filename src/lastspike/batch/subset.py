"""A subset of the games of a batch: read and changed while the other games stay as they are.

NumPy uses the numbers of these games, so a small subset costs little. JAX works on all games, with
a mask of those that change, because its shapes may not depend on values. The rules are written
once, for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from .arrays import Array, ArrayModule, as_array, is_at, pick

T = TypeVar("T", bound=tuple[Array, ...])
"""A named tuple of arrays whose last axis is games: a state, or a board."""

SOME = 64
"""JAX handles one in this many games at a time in `apart`, but never fewer than this."""


class Subset(Protocol):
    """Some games of a batch. In shapes, [games] is the whole batch and [subset] these games."""

    @property
    def nowhere(self) -> bool:
        """Whether it is known to be empty, so there is nothing to do."""

    def of(self, values: Array) -> Array:
        """[..., subset]: the values of these games. A single column serves all and stays one."""

    def pick(self, values: Array, index: Array) -> Array:
        """Of [rows, games] the value in row `index`, [..., subset]."""

    def put(self, values: Array, index: Array, new: Array | int) -> Array:
        """[rows, games], with other values in the rows `index`, [subset]."""

    def add(self, values: Array, index: Array, amount: Array | int) -> Array:
        """[rows, games], with an amount added in the rows `index`, [subset]."""

    def set(self, values: Array, new: Array | int) -> Array:
        """[..., games], with other values, [..., subset], in these games."""

    def narrow(self, where: Array) -> Subset:
        """The games of the subset where the condition, [subset], holds."""

    def keep(self, where: Array, /, *values: Array) -> tuple[Array, ...]:
        """Of values, [subset], the ones that `narrow` would leave."""


def subset(here: Array, xp: ArrayModule) -> Subset:
    """The games in which the condition, [games], holds."""
    return _Numbered(here.nonzero()[0], len(here)) if xp is np else _Masked(here, xp)


def everywhere(games: int, xp: ArrayModule) -> Subset:
    """All games of a batch."""
    if xp is np:
        return _Numbered(np.arange(games), games)
    return _Masked(xp.full((games,), True), xp)


class _Numbered(NamedTuple):
    """NumPy: the numbers of the games."""

    numbers: Array
    games: int

    @property
    def nowhere(self) -> bool:
        return not len(self.numbers)

    def of(self, values: Array) -> Array:
        return values.take(self.numbers, axis=-1) if values.shape[-1] == self.games else values

    def pick(self, values: Array, index: Array) -> Array:
        if values.shape[-1] != self.games:
            return as_array(values[:, 0].take(index))
        return values.reshape(-1).take(self._places(index))

    def put(self, values: Array, index: Array, new: Array | int) -> Array:
        values = values.copy()
        values.reshape(-1)[self._places(index)] = new
        return values

    def add(self, values: Array, index: Array, amount: Array | int) -> Array:
        values = values.copy()
        values.reshape(-1)[self._places(index)] += as_array(amount)
        return values

    def set(self, values: Array, new: Array | int) -> Array:
        values = values.copy()
        values[..., self.numbers] = new
        return values

    def narrow(self, where: Array) -> _Numbered:
        return _Numbered(self.numbers.take(where.nonzero()[0]), self.games)

    def keep(self, where: Array, /, *values: Array) -> tuple[Array, ...]:
        kept = where.nonzero()[0]
        return tuple(own.take(kept) for own in values)

    def _places(self, index: Array) -> Array:
        return as_array(index.astype(np.intp) * self.games + self.numbers)


class _Masked(NamedTuple):
    """JAX: all games, and whether each is meant."""

    here: Array
    xp: ArrayModule

    @property
    def nowhere(self) -> bool:
        return False

    def of(self, values: Array) -> Array:
        return values

    def pick(self, values: Array, index: Array) -> Array:
        return pick(values, index, self.xp)

    def put(self, values: Array, index: Array, new: Array | int) -> Array:
        return self._change(values, is_at(index, values.shape[0], self.xp) & self.here, new)

    def add(self, values: Array, index: Array, amount: Array | int) -> Array:
        there = is_at(index, values.shape[0], self.xp) & self.here
        return self._change(values, there, values + amount)

    def set(self, values: Array, new: Array | int) -> Array:
        return self._change(values, self.here, new)

    def narrow(self, where: Array) -> _Masked:
        return _Masked(self.here & where, self.xp)

    def keep(self, _where: Array, /, *values: Array) -> tuple[Array, ...]:
        return values

    def _change(self, values: Array, there: Array, new: Array | int) -> Array:
        return self.xp.where(there, self.xp.asarray(new).astype(values.dtype), values)


def games_of(batch: T, numbers: Array) -> T:
    """The games of these numbers as a batch of their own: of a state, or of a board that has one a
    game; a board that serves all, or a state of one game, stays as it is."""
    columns = (v if v.shape[-1] == 1 else v.take(numbers, axis=-1) for v in batch)
    return _like(batch, columns)


def apart(
    waiting: Array, body: Callable[[T, Array], tuple[T, Array]], state: T, xp: ArrayModule
) -> T:
    """Repeat the body for the games that need it, as a batch of their own, given with their
    numbers. The body returns which of them still need it.

    Meant for rare events: JAX takes a fixed fraction of the batch at a time (`SOME`), and discards
    the results of games in it that didn't need it.
    """
    if xp is np:
        while len(numbers := np.flatnonzero(waiting)):
            some, still = body(games_of(state, numbers), numbers)
            back = _Numbered(numbers, len(waiting))
            state = _like(state, map(back.set, state, some))
            waiting = back.set(waiting, still)
        return state
    import jax.numpy as jnp  # only needed with jax.numpy
    from jax import lax

    games = len(waiting)
    room = min(games, max(SOME, games // SOME))

    def go_on(carried: tuple[T, Any]) -> tuple[T, Any]:
        state, waiting = carried
        (numbers,) = jnp.nonzero(waiting, size=room, fill_value=games)
        some, still = body(games_of(state, numbers), numbers)
        changed = (
            jnp.asarray(own).at[..., numbers].set(new, mode="drop")
            for own, new in zip(state, some, strict=True)
        )
        return _like(state, changed), waiting.at[numbers].set(still, mode="drop")

    ended: tuple[T, Any] = lax.while_loop(lambda c: c[1].any(), go_on, (state, waiting))
    return ended[0]


def _like(batch: T, arrays: Iterable[Array]) -> T:
    return type(batch)(*arrays)
