"""What nobody sees whole: the hands, the pool and the tiles put aside."""

from __future__ import annotations

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

    def __init__(
        self,
        hands: list[tuple[Space, ...]],
        pool: tuple[Space, ...],
        aside: tuple[Space, ...],
    ) -> None:
        self.hands = hands
        self.pool = pool
        self.aside = aside

    def copy(self) -> Hidden:
        return Hidden(self.hands[:], self.pool, self.aside)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hidden):
            return NotImplemented
        return (self.hands, self.pool, self.aside) == (other.hands, other.pool, other.aside)

    __hash__ = None  # type: ignore[assignment]

    def draw(self, seat: Seat) -> Space:
        """Move the next tile of the pool to a hand, and name it."""
        tile = self.pool[0]
        self.pool = self.pool[1:]
        self.hands[seat] = tuple(sorted((*self.hands[seat], tile)))
        return tile

    def lay(self, seat: Seat, tile: Space) -> None:
        """Take a tile from a hand."""
        hand = self.hands[seat]
        place = hand.index(tile)
        self.hands[seat] = hand[:place] + hand[place + 1 :]

    def nobody_has_a_tile(self) -> bool:
        """E3; a tile put aside does not count."""
        return not self.pool and not any(self.hands)
