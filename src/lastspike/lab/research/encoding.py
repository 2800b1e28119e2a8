"""One game in the numbers of the batch engine: its actions, its observations, its masks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from lastspike import batch
from lastspike.batch.arrays import Array
from lastspike.batch.board import THOUSAND
from lastspike.rules.board import Seat
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.position import Position, legal_moves
from lastspike.rules.records.shuffle import Stream
from lastspike.rules.table import Setup
from lastspike.rules.view import View, resample


class Encoder:
    """The numbering of a setup. `shape` makes room for more seats or a larger map than it has, so
    that one network can serve several; see `docs/batch.md`."""

    def __init__(self, setup: Setup, shape: batch.Shape | None = None) -> None:
        self.setup = setup
        self.shape = shape or batch.shape_of([setup])
        self.board = batch.board_of(setup, self.shape)
        self.actions = batch.action_count(self.shape)
        self.features = batch.feature_count(self.shape)

    @property
    def versions(self) -> dict[str, int]:
        """Of the numbering and the layout; what was learnt with one is of no use with another."""
        return {"actions": batch.ACTIONS_VERSION, "observations": batch.OBSERVATION_VERSION}

    def action(self, move: Move) -> int:
        return batch.action_of(move, self.shape)

    def move(self, action: int) -> Move:
        """`IndexError` or `KeyError` if the edition has no such move."""
        if not 0 <= action < self.actions:
            raise IndexError(f"no action {action}: they go from 0 to {self.actions - 1}")
        return batch.move_of(int(action), self.setup.board, self.shape)

    def observation(self, position: Position, seat: Seat | None) -> Array:
        """What a seat (None: a spectator) may see: a row of 32-bit floats."""
        row: Array = self.observations([position], [seat])[0]
        return row

    def observations(self, positions: Sequence[Position], seats: Sequence[Seat | None]) -> Array:
        """The same of many positions, each seen by a seat of its own."""
        return batch.flat(self.parts(positions, seats), np)

    def parts(
        self, positions: Sequence[Position], seats: Sequence[Seat | None]
    ) -> batch.Observation:
        """The same with its parts apart."""
        state = batch.from_positions(positions, self.shape)
        viewers = [self.setup.players if seat is None else seat for seat in seats]
        return batch.observe(self.board, state, np.array(viewers), np)

    @property
    def part_shapes(self) -> dict[str, tuple[int, ...]]:
        """The parts of an observation in their order, by name, each with its shape."""
        position = Game.shuffled(self.setup, Stream(b"")).position  # any will do
        parts = self.parts([position], [0])
        return {name: part.shape[1:] for name, part in parts._asdict().items()}

    def legal(self, position: Position) -> list[int]:
        """The legal actions of the player to move, ascending; none when the game is over."""
        return sorted(map(self.action, legal_moves(position)))

    def mask(self, position: Position, seat: Seat) -> Array:
        """1 for every action that the seat may take now: none while it is another's turn."""
        mask = np.zeros(self.actions, dtype=np.int8)
        if position.table.turn == seat:
            mask[self.legal(position)] = 1
        return mask

    def masks(self, positions: Sequence[Position]) -> Array:
        """For many positions, which actions the player to move may take: true or false."""
        return batch.legal_actions(self.board, batch.from_positions(positions, self.shape), np)

    def seen(self, view: View) -> tuple[Array, Array]:
        """For a computer player, which is given a view of its seat: observation and mask."""
        assert view.seat is not None
        position = resample(view, Random(0))  # what is dealt anew shows in neither
        return self.observation(position, view.seat), self.mask(position, view.seat)

    @property
    def largest(self) -> float:
        """No feature is ever larger: what one seat would have that collected all money there is.

        Land never makes anybody richer by itself, since the bank pays no more for a card than it
        takes.
        """
        edition = self.setup.edition
        dearest = [max(city.payouts) for city in edition.cities]
        by_code = dict(zip((city.code for city in edition.cities), dearest, strict=True))
        payouts = sum(by_code[code] for route in edition.routes for code in route.ends)
        money = edition.starting_cash[self.setup.players] + edition.last_spike_bonus + payouts
        prices = [*self.setup.board.prices, self.setup.board.dearest]
        return float(max(money // THOUSAND, max(prices) // THOUSAND, len(self.setup.board.codes)))
