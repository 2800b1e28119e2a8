"""Reads a view's history: the positions in which the other players chose, and what they drew when.

Only the history and the viewer's own hand are used, so nothing hidden can come in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lastspike.batch import State, from_positions
from lastspike.batch.arrays import Array
from lastspike.batch.board import Shape
from lastspike.batch.state import ASIDE, POOL
from lastspike.rules.board import Seat, Space
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    FirstPlayer,
    LandBought,
    LandSold,
    NothingBought,
    TileChosen,
    TileDrawn,
    TrackLaid,
)
from lastspike.rules.hidden import Hidden
from lastspike.rules.moves import buy_text, lay_text, sell_text
from lastspike.rules.position import Position
from lastspike.rules.steps.bankruptcy import go_bankrupt
from lastspike.rules.steps.turn import PLAY
from lastspike.rules.table import Setup, Table
from lastspike.rules.view import View, table_with_cash

from .evidence import NO_CHOICE
from .hands import NEVER_LAID, NOT_LAID, Slots


class Choices(NamedTuple):
    """The others' turns, in their order: as `evidence_of` takes them."""

    before: State
    space: Array
    after: State
    bought: Array


class _Turn(NamedTuple):
    """Another player's turn: the open table before it and after the tile, with the numbers of
    tiles in all hands."""

    before: Table
    tiles: tuple[int, ...]
    space: Space
    after: Table
    bought: int


class _Replay:
    """Plays a history again on an open table."""

    def __init__(self, setup: Setup, first: Seat, viewer: Seat) -> None:
        self.table = Table(setup, first)
        self.viewer = viewer
        self.counts = [setup.edition.hand_size] * setup.players
        self.turns: list[_Turn] = []
        self.drawn: list[tuple[Seat, int]] = [
            (seat, 0) for seat in range(setup.players) for _ in range(setup.edition.hand_size)
        ]
        self.laid: list[tuple[Seat, Space, int]] = []
        self._begun: Table | None = None

    def read(self, event: Event) -> None:
        if isinstance(event, TileChosen):
            self._begin(event.seat)
            self._play(lay_text(event.tile))
        elif isinstance(event, LandSold):
            self._play(sell_text(event.city, event.rank))
        elif isinstance(event, TrackLaid):
            if self._begun is None:
                self._begin(event.seat)
                self._play(lay_text(event.tile))
            self._laid(event)
        elif isinstance(event, LandBought):
            self._bought(1 + self.table.board.city_of[event.city])
            self._play(buy_text(event.city))
        elif isinstance(event, NothingBought):
            self._bought(0)
        elif isinstance(event, TileDrawn):
            self.counts[event.seat] += 1
            self.drawn.append((event.seat, len(self.turns)))
        elif isinstance(event, Bankruptcy):
            self._bankrupt(event.seat)

    def _begin(self, seat: Seat) -> None:
        self.table.turn = seat
        self.table.phase = "lay"
        self._begun = self.table.copy()

    def _play(self, text: str) -> None:
        PLAY[self.table.phase](self.table, self.table.board.parse(text), None)

    def _laid(self, event: TrackLaid) -> None:
        assert self._begun is not None
        space = self.table.board.space_of[event.tile]
        if event.seat != self.viewer:
            tiles = tuple(self.counts)
            self.laid.append((event.seat, space, len(self.turns)))
            turn = _Turn(self._begun, tiles, space, self.table.copy(), NO_CHOICE)
            self.turns.append(turn)
        self.counts[event.seat] -= 1
        self._begun = None

    def _bought(self, number: int) -> None:
        if self.table.turn != self.viewer:
            self.turns[-1] = self.turns[-1]._replace(bought=number)

    def _bankrupt(self, seat: Seat) -> None:
        """The tiles go back to the pool, so nothing that the player did tells about hands now."""
        self.table.turn = seat
        go_bankrupt(self.table, Hidden([[]] * len(self.counts), [], []), list, None)
        self.counts[seat] = 0
        self.drawn = [(owner, since) for owner, since in self.drawn if owner != seat]
        self.laid = [laid for laid in self.laid if laid[0] != seat]


def read_history(view: View) -> tuple[Choices, Slots] | None:
    """What the viewer can know of the others' choices and draws; None if the history is not whole,
    or tells nothing."""
    seat, events = view.seat, view.history
    if seat is None or not events or not isinstance(events[0], FirstPlayer):
        return None
    table = table_with_cash(view)
    replay = _Replay(table.setup, events[0].seat, seat)
    for event in events:
        replay.read(event)
    same = replay.table.track == table.track and replay.table.land == table.land
    if not (same and replay.turns and replay.counts == [*view.tiles]):
        return None
    return _choices(replay.turns, Shape(*_sizes(table.setup))), _slots(view, replay)


def _sizes(setup: Setup) -> tuple[int, int, int]:
    return len(setup.board.letters), len(setup.board.city_codes), setup.players


def _choices(turns: list[_Turn], shape: Shape) -> Choices:
    before = [_with_tiles(turn.before, turn.tiles) for turn in turns]
    after = [_with_tiles(turn.after, _one_less(turn)) for turn in turns]
    return Choices(
        from_positions(before, shape),
        np.array([turn.space for turn in turns]),
        from_positions(after, shape),
        np.array([turn.bought for turn in turns]),
    )


def _one_less(turn: _Turn) -> tuple[int, ...]:
    mover = turn.before.turn
    return tuple(count - (seat == mover) for seat, count in enumerate(turn.tiles))


def _with_tiles(table: Table, tiles: tuple[int, ...]) -> Position:
    """A position with so many tiles in each hand; which ones, does not matter."""
    board = table.board
    unlaid = iter([tile for tile in board.tiles if not table.track & board.bit[tile]])
    hands = [[next(unlaid) for _ in range(count)] for count in tiles]
    aside = [next(unlaid) for _ in range(table.setup.edition.set_aside.get(len(tiles), 0))]
    return Position(table, Hidden(hands, list(unlaid), aside))


def _slots(view: View, replay: _Replay) -> Slots:
    table = view.table
    board = table.board
    others = [(seat, since) for seat, since in replay.drawn if seat != view.seat]
    rest = [(POOL, 0)] * view.pool + [(ASIDE, 0)] * view.aside
    owner, since = np.array([*others, *rest]).T
    size = len(board.codes)
    begin, by, at = np.zeros(size, int), np.full(size, NOT_LAID), np.full(size, NEVER_LAID)
    spare = np.ones(len(owner), dtype=bool)
    slots_of = {seat: _numbers(owner, seat) for seat in range(table.setup.players)}
    for seat, space, row in replay.laid:
        slot = next(slots_of[seat])
        begin[space], by[space], at[space], spare[slot] = slot, seat, row, False
    known = {*view.hand}
    unseen = np.zeros(size, dtype=bool)
    unseen[[t for t in board.tiles if t not in known and not table.track & board.bit[t]]] = True
    return Slots(owner, since, spare, unseen, begin, by, at)


def _numbers(owner: Array, seat: Seat) -> Iterator[int]:
    numbers: list[int] = np.flatnonzero(owner == seat).tolist()
    return iter(numbers)
