"""Mixing the pool after a bankruptcy (K1), as recorded or by a source of randomness."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from random import Random, SystemRandom

from .board import Space
from .errors import LastSpikeError, wrong_type
from .records.shuffle import Stream
from .steps.bankruptcy import Remix

Randomness = Stream | Random | Remix
"""A stream of the verifiable shuffle, Python's own random numbers, or a function of one's own: it
takes the pool's tiles in edition order and returns them in drawing order."""


class Mixing:
    """Mixes a pool once: in the next of the orders given, or else by the source, if there is one.

    It has its own copy of a `Stream` or a `Random`, which no other draws from. A function is
    shared by copies, and pickles leave it out: what they depend on is unknown.
    """

    __slots__ = ("_orders", "_source", "_used")

    def __init__(
        self, source: Randomness | None, orders: Sequence[tuple[Space, ...]] = (), used: int = 0
    ) -> None:
        if not (source is None or isinstance(source, Stream | Random) or callable(source)):
            raise wrong_type("randomness", "Stream | Random | function", source)
        self._source = copy(source) if _is_value(source) else source
        self._orders = tuple(orders)
        self._used = used

    def __call__(self, tiles: list[Space]) -> Sequence[Space]:
        used = self._used
        self._used += 1
        # Where play has left the recorded moves, the recorded orders have other tiles.
        if used < len(self._orders) and sorted(self._orders[used]) == sorted(tiles):
            return self._orders[used]
        source = self._source
        if isinstance(source, Stream):
            return source.shuffle(tiles)
        if isinstance(source, Random):
            return source.sample(tiles, len(tiles))
        if source is None:
            raise LastSpikeError(
                "the pool must be reshuffled: give the game a source of randomness"
            )
        return source(tiles)

    def __copy__(self) -> Mixing:
        return self.after(self._orders, self._used)

    def __reduce__(self) -> tuple[object, ...]:
        return Mixing, (self._source if _is_value(self._source) else None, self._orders, self._used)

    def after(self, orders: Sequence[tuple[Space, ...]], used: int) -> Mixing:
        """A mixing of its own with these orders, the first of them used, then the same source."""
        return Mixing(self._source, orders, used)


def _is_value(source: Randomness | None) -> bool:
    """Whether it can be copied and pickled; the system's randomness has no state to copy."""
    return isinstance(source, Stream | Random) and not isinstance(source, SystemRandom)
