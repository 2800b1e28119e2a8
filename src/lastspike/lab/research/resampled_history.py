"""Resampled histories: legal histories with the same information state for a seat.

Everything the seat saw stays: moves, its own tiles, draws and bankruptcies. What moves prove about
hands holds too: each tile was drawn before it was laid, nobody laid at double cost who had to lay
another tile (L5), and no bankrupt could have paid (L6). All such histories are about equally
likely; the quality of the opponents' choices is ignored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf
from random import Random
from typing import NamedTuple

from lastspike.rules.board import Seat, Space
from lastspike.rules.events import Bankruptcy, TileDrawn, TrackLaid
from lastspike.rules.steps.laying import can_pay_for_any

from .chance_tree import NOBODY, TreeNode

TRIES = 1000
"""A sample may fail because no tile fits: one in a hundred does, at most thirty in a row so far."""


def resampled_chances(node: TreeNode, viewer: Seat, rng: Random) -> tuple[int, ...]:
    """Other chance outcomes, as in `TreeNode.chances`, for which the same moves are legal. The node
    must be a decision node."""
    for _ in range(TRIES):
        try:
            return _Guess(node, viewer, rng).chances()
        except _NothingFits:
            continue
    raise RuntimeError("found no other history")


class _NothingFits(Exception):
    """No tile fits a draw."""


class _Draw(NamedTuple):
    """A draw by a seat: its index among the chances, and the event it came with."""

    place: int
    seat: Seat
    since: int


class _Guess:
    """One sample. It assigns a tile to every draw: first the tiles that the viewer saw or that were
    laid, then those still unseen, then those that bankrupts returned."""

    def __init__(self, node: TreeNode, viewer: Seat, rng: Random) -> None:
        self._node = node
        self._viewer = viewer
        self._rng = rng
        self._tiles = list(node.chances)
        self._spans: dict[Space, list[tuple[float, float]]] = defaultdict(list)
        """When each assigned tile was out of the pool."""

    def chances(self) -> tuple[int, ...]:
        position = self._node.position
        assert position is not None
        table = position.table
        held, back = self._settle_what_is_known()
        hand = held[table.turn][:]
        unseen = self._unseen()
        if table.chosen in unseen:  # F1: everybody knows of the tile that is to be paid for
            unseen.remove(table.chosen)
            self._settle_one_of(held[table.turn], table.chosen)
        self._settle_unseen([draw for draws in held.values() for draw in draws], unseen)
        if table.phase == "lay" and hand:  # L6, for who is to lay a tile now
            tiles = [self._tiles[draw.place] for draw in hand]
            if not can_pay_for_any(table, tiles):
                raise _NothingFits
        for draw, until in sorted(back, key=lambda given: -given[1]):
            tiles = self._fitting(range(len(table.board.codes)), draw, until)
            self._settle(draw, self._any(tiles), until)
        return tuple(self._tiles)

    def _settle_what_is_known(
        self,
    ) -> tuple[dict[Seat, list[_Draw]], list[tuple[_Draw, int]]]:
        """Assign all known tiles, and return the other draws: by seat, those still in hand or
        aside; and those that bankrupts returned, with the event."""
        held: dict[Seat, list[_Draw]] = defaultdict(list)
        back: list[tuple[_Draw, int]] = []
        owners = self._node.owners
        for place, seat in enumerate(owners, 1):
            held[seat].append(_Draw(place, seat, -1))
        place = len(owners)
        for when, event in enumerate(self._node.history):
            if isinstance(event, TileDrawn):
                place += 1
                held[event.seat].append(_Draw(place, event.seat, when))
            elif isinstance(event, TrackLaid):
                tile = self._node.setup.board.space_of[event.tile]
                self._settle_one_of(held[event.seat], tile)
            elif isinstance(event, Bankruptcy):
                for draw in held.pop(event.seat, []):
                    if self._sees(event.seat):
                        self._settle(draw, self._tiles[draw.place], when)
                    else:
                        back.append((draw, when))
        for seat in [seat for seat in held if self._sees(seat)]:
            for draw in held.pop(seat):
                self._settle(draw, self._tiles[draw.place])
        return held, back

    def _settle_one_of(self, draws: list[_Draw], tile: Space) -> None:
        """Assign the tile to one of these draws, and remove that draw."""
        if draws and self._sees(draws[0].seat):
            fitting = [draw for draw in draws if self._tiles[draw.place] == tile]
        else:
            fitting = [draw for draw in draws if self._fits(tile, draw, inf)]
        if not fitting:
            raise _NothingFits
        draw = self._rng.choice(fitting)
        draws.remove(draw)
        self._settle(draw, tile)

    def _settle_unseen(self, draws: list[_Draw], unseen: list[Space]) -> None:
        """Assign one of the unseen tiles to each draw. Draws with the fewest choices go first: a
        seat's older draws have fewer, so all assignments stay equally likely."""
        choices = {draw: self._fitting(unseen, draw, inf) for draw in draws}
        for draw in sorted(draws, key=lambda draw: len(choices[draw])):
            tile = self._any([tile for tile in choices[draw] if tile in unseen])
            unseen.remove(tile)
            self._settle(draw, tile)

    def _settle(self, draw: _Draw, tile: Space, until: float = inf) -> None:
        self._tiles[draw.place] = tile
        self._spans[tile].append((draw.since, until))

    def _fitting(self, tiles: Iterable[Space], draw: _Draw, until: float) -> list[Space]:
        return [tile for tile in tiles if self._fits(tile, draw, until)]

    def _fits(self, tile: Space, draw: _Draw, until: float) -> bool:
        """Whether the tile can have come with this draw and stayed until `until`."""
        since = draw.since
        if any(begin < until and since < end for begin, end in self._spans[tile]):
            return False
        return not any(
            known.seat == draw.seat and since < known.when <= until and tile in known.tiles
            for known in self._node.ruled_out
        )

    def _any(self, tiles: Sequence[Space]) -> Space:
        if not tiles:
            raise _NothingFits
        return self._rng.choice(tiles)

    def _unseen(self) -> list[Space]:
        """The tiles that the viewer can't place, sorted so that their order reveals nothing."""
        position = self._node.position
        assert position is not None
        hidden = position.hidden
        unseen = [*hidden.pool, *hidden.aside]
        for seat, hand in enumerate(hidden.hands):
            if not self._sees(seat):
                unseen += hand
        return sorted(unseen)

    def _sees(self, seat: Seat) -> bool:
        """Whether the viewer sees this hand."""
        open_hands = self._node.setup.options.hands == "open"
        return seat == self._viewer or (open_hands and seat != NOBODY)
