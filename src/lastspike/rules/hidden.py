"""What nobody sees whole: the hands, the pool and the tiles put aside."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from typing import NamedTuple

from .board import Seat, Space


class Deal(NamedTuple):
    """S2, S3: who goes first, the hands (sorted), the pool in drawing order, the tiles put aside.

    `drawn` is each seat's tile in the draw for the first player, where it is known.
    """

    first: Seat
    hands: tuple[tuple[Space, ...], ...]
    pool: tuple[Space, ...]
    aside: tuple[Space, ...]
    drawn: tuple[Space, ...] = ()


class Hidden:
    """Hands are sorted, the pool is in drawing order. Treat it as a value, like the table."""

    __slots__ = ("aside", "hands", "pool")

    hands: list[list[Space]]
    pool: list[Space]
    aside: tuple[Space, ...]

    def __init__(
        self,
        hands: Iterable[Iterable[Space]],
        pool: Iterable[Space],
        aside: Iterable[Space],
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.pool = list(pool)
        self.aside = tuple(aside)

    def copy(self) -> Hidden:
        new = _new_hidden(Hidden)
        new.hands = [hand[:] for hand in self.hands]
        new.pool = self.pool[:]
        new.aside = self.aside
        return new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hidden):
            return NotImplemented
        return (self.hands, self.pool, self.aside) == (other.hands, other.pool, other.aside)

    __hash__ = None  # type: ignore[assignment]

    def draw(self, seat: Seat) -> Space:
        """Move the next tile of the pool to a hand, and name it."""
        tile = self.pool.pop(0)
        insort(self.hands[seat], tile)
        return tile

    def lay(self, seat: Seat, tile: Space) -> None:
        """Take a tile from a hand."""
        self.hands[seat].remove(tile)

    def nobody_has_a_tile(self) -> bool:
        """E3; a tile put aside does not count."""
        return not self.pool and not any(self.hands)


_new_hidden = Hidden.__new__
