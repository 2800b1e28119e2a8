"""Encodes single games as the batch engine's action numbers, observations and masks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from lastspike import batch
from lastspike.batch.arrays import Array
from lastspike.batch.board import THOUSAND
from lastspike.batch.observation import HOLDERS_BESIDE_SEATS
from lastspike.rules.board import NO_SPACE, NOT_FOR_SALE, Seat, Space
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.position import Position, legal_moves
from lastspike.rules.records.shuffle import Stream
from lastspike.rules.table import PHASES, UNKNOWN, Setup, Table
from lastspike.rules.view import View


class Encoder:
    """The encoding of a setup. A larger `shape` pads seats and map, so that one network can serve
    several setups; see `docs/batch.md`."""

    def __init__(self, setup: Setup, shape: batch.Shape | None = None) -> None:
        self.setup = setup
        self.shape = shape or batch.shape_of([setup])
        self.board = batch.board_of(setup, self.shape)
        self.actions = batch.action_count(self.shape)
        self.features = batch.feature_count(self.shape)
        self._rows = _Rows(setup, self.shape)
        self._action_of = [batch.action_of(move, self.shape) for move in setup.board.moves]

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
        """The observation of a seat (None: a spectator), as a row of float32. It is computed
        from the position itself, because a batch of one game would be slow."""
        table, hidden = position.table, position.hidden
        shown = table.setup.options.hands == "open"
        hands = [hand if shown or owner == seat else () for owner, hand in enumerate(hidden.hands)]
        tiles = [len(hand) for hand in hidden.hands]
        return self._rows.row(table, seat, hands, tiles, len(hidden.pool), len(hidden.aside))

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
        return sorted(self._actions_of(legal_moves(position)))

    def mask(self, position: Position, seat: Seat) -> Array:
        """1 for every legal action of the seat; all 0 if it is not its turn."""
        mask = np.zeros(self.actions, dtype=np.int8)
        if position.table.turn == seat:
            mask[self._actions_of(legal_moves(position))] = 1
        return mask

    def masks(self, positions: Sequence[Position]) -> Array:
        """For many positions: which actions are legal for the player to move."""
        return batch.legal_actions(self.board, batch.from_positions(positions, self.shape), np)

    def seen(self, view: View) -> tuple[Array, Array]:
        """Observation and mask from a view, for use in a computer player."""
        assert view.seat is not None
        shown = view.table.setup.options.hands == "open"
        hands = [
            hand if hand and (shown or owner == view.seat) else ()
            for owner, hand in enumerate(view.hands)
        ]
        row = self._rows.row(view.table, view.seat, hands, view.tiles, view.pool, view.aside)
        mask = np.zeros(self.actions, dtype=np.int8)
        mask[self._actions_of(view.legal_moves)] = 1
        return row, mask

    def _actions_of(self, moves: Sequence[Move]) -> list[int]:
        actions = self._action_of
        return [actions[move.number] for move in moves]

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


class _Rows:
    """Writes single observations in the layout of `batch.Observation`."""

    def __init__(self, setup: Setup, shape: batch.Shape) -> None:
        board = setup.board
        self._setup = setup
        costs = [cost // THOUSAND for cost in board.costs]
        doubled = (2 * cost for cost in costs)
        self._spaces = tuple(zip(board.bit, board.near, costs, doubled, strict=True))
        self._end = len(board.bit) + 1
        self._every = (1 << self._end) - 1
        self._bytes = -(-self._end // 8)
        spaces, seats = shape.spaces, shape.seats
        sizes = [spaces, spaces, seats * spaces, spaces, spaces]
        sizes += [shape.cards * (seats + HOLDERS_BESIDE_SEATS), shape.cities]
        sizes += [seats, seats, seats, seats, len(PHASES)]
        begins = [0, *accumulate(sizes)]
        (_, self._costs, self._hands, self._chosen, self._unseen, holders, self._market) = begins[
            :7
        ]
        (self._cash, self._tiles, self._playing, self._turn, self._phase, self._counts) = begins[7:]
        self._width = spaces
        width = seats + HOLDERS_BESIDE_SEATS
        self._cards = [holders + card * width for card in range(len(board.prices))]
        everyone = range(setup.players)
        # By viewer, the spectator last: the column of each holder; OUT and BANK are -2 and -1.
        self._columns = [
            [*((seat - viewer) % setup.players for seat in everyone), seats + 1, seats]
            for viewer in (*everyone, 0)
        ]
        self._blank = np.zeros(self._counts + 3, dtype=np.float32)
        nowhere = range(len(board.prices), shape.cards)
        self._blank[[holders + card * width + seats for card in nowhere]] = 1
        self._blank[self._market : self._cash] = -1
        self._blank[self._counts + 2] = setup.players

    def row(
        self,
        table: Table,
        seat: Seat | None,
        hands: Sequence[Sequence[Space]],
        tiles: Sequence[int],
        pool: int,
        aside: int,
    ) -> Array:
        """The row of one viewer. `hands` has the tiles that it may see, `tiles` counts all."""
        players, track, bit = self._setup.players, table.track, table.board.bit
        viewer = players if seat is None else seat
        columns = self._columns[viewer]
        placed = track
        ones: list[int] = []
        for owner, hand in enumerate(hands):
            begin = self._hands + columns[owner] * self._width
            for tile in hand:
                placed |= bit[tile]
                ones.append(begin + tile)
        if table.chosen != NO_SPACE:
            placed |= bit[table.chosen]
            ones.append(self._chosen + table.chosen)
        ones += [
            card + columns[holder] for card, holder in zip(self._cards, table.land, strict=True)
        ]
        hidden_cash = table.setup.options.cash == "hidden"
        cash, counts = [0] * players, [0] * players
        for owner, purse in enumerate(table.cash):
            column = columns[owner]
            counts[column] = tiles[owner]
            playing = owner not in table.bankrupt
            if playing:
                ones.append(self._playing + column)
            hide = hidden_cash and playing and owner != seat
            cash[column] = UNKNOWN if hide else purse // THOUSAND
        if table.phase != "over":
            ones.append(self._turn + columns[table.turn])
        ones.append(self._phase + PHASES.index(table.phase))
        row = self._blank.copy()
        row[ones] = 1
        row[: len(bit)] = self._by_space(track)
        row[self._unseen : self._unseen + len(bit)] = self._by_space(~placed)
        row[self._costs : self._costs + len(bit)] = [
            0 if track & own else cost if track & near else double
            for own, near, cost, double in self._spaces
        ]
        row[self._market : self._market + len(table.market)] = [
            -1 if price == NOT_FOR_SALE else price // THOUSAND for price in table.market
        ]
        row[self._cash : self._cash + players] = cash
        row[self._tiles : self._tiles + players] = counts
        row[self._counts] = pool
        row[self._counts + 1] = aside
        return row

    def _by_space(self, track: int) -> Array:
        """A bitmask as ones and zeros; its lowest bit stands for the cities."""
        bits = (track & self._every).to_bytes(self._bytes, "little")
        return np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[1 : self._end]
