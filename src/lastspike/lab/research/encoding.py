"""Encodes single games as the batch engine's action numbers, observations and masks."""

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
    """The encoding of a setup. A larger `shape` pads seats and map, so that one network can serve
    several setups; see `docs/batch.md`."""

    def __init__(self, setup: Setup, shape: batch.Shape | None = None) -> None:
        self.setup = setup
        self.shape = shape or batch.shape_of([setup])
        self.board = batch.board_of(setup, self.shape)
        self.actions = batch.action_count(self.shape)
        self.features = batch.feature_count(self.shape)

    @property
    def versions(self) -> dict[str, int]:
        """The versions of the action numbering and the observation layout."""
        return {"actions": batch.ACTIONS_VERSION, "observations": batch.OBSERVATION_VERSION}

    def action(self, move: Move) -> int:
        return batch.action_of(move, self.shape)

    def move(self, action: int) -> Move:
        """`IndexError` or `KeyError` if the edition has no such move."""
        if not 0 <= action < self.actions:
            raise IndexError(f"no action {action}: they go from 0 to {self.actions - 1}")
        return batch.move_of(int(action), self.setup.board, self.shape)

    def observation(self, position: Position, seat: Seat | None) -> Array:
        """The observation of a seat (None: a spectator), as a row of float32."""
        row: Array = self.observations([position], [seat])[0]
        return row

    def observations(self, positions: Sequence[Position], seats: Sequence[Seat | None]) -> Array:
        """The observations of many positions, each for its own seat."""
        return batch.flat(self.parts(positions, seats), np)

    def parts(
        self, positions: Sequence[Position], seats: Sequence[Seat | None]
    ) -> batch.Observation:
        """The observations of many positions, as separate parts."""
        state = batch.from_positions(positions, self.shape)
        viewers = [self.setup.players if seat is None else seat for seat in seats]
        return batch.observe(self.board, state, np.array(viewers), np)

    @property
    def part_shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each part of an observation by name, in order."""
        position = Game.shuffled(self.setup, Stream(b"")).position  # any position works
        parts = self.parts([position], [0])
        return {name: part.shape[1:] for name, part in parts._asdict().items()}

    def legal(self, position: Position) -> list[int]:
        """The legal actions of the player to move, ascending; none when the game is over."""
        return sorted(map(self.action, legal_moves(position)))

    def mask(self, position: Position, seat: Seat) -> Array:
        """1 for every legal action of the seat; all 0 if it is not its turn."""
        mask = np.zeros(self.actions, dtype=np.int8)
        if position.table.turn == seat:
            mask[self.legal(position)] = 1
        return mask

    def masks(self, positions: Sequence[Position]) -> Array:
        """For many positions: which actions are legal for the player to move."""
        return batch.legal_actions(self.board, batch.from_positions(positions, self.shape), np)

    def seen(self, view: View) -> tuple[Array, Array]:
        """Observation and mask from a view, for use in a computer player."""
        assert view.seat is not None
        position = resample(view, Random(0))  # neither depends on hidden tiles
        return self.observation(position, view.seat), self.mask(position, view.seat)

    @property
    def largest(self) -> float:
        """An upper bound of all features: the cash of one seat that collected all money.

        Trading land can't raise it, since the bank never pays more for a card than its price.
        """
        edition = self.setup.edition
        dearest = [max(city.payouts) for city in edition.cities]
        by_code = dict(zip((city.code for city in edition.cities), dearest, strict=True))
        payouts = sum(by_code[code] for route in edition.routes for code in route.ends)
        money = edition.starting_cash[self.setup.players] + edition.last_spike_bonus + payouts
        prices = [*self.setup.board.prices, self.setup.board.dearest]
        return float(max(money // THOUSAND, max(prices) // THOUSAND, len(self.setup.board.codes)))
