"""A game in progress: its deal and moves, and the position and history that follow from them."""

from __future__ import annotations

from collections.abc import Sequence

from .board import Seat, Space
from .events import Event
from .hidden import Deal
from .moves import Move
from .outcome import Outcome, outcome
from .position import legal_moves, play, start
from .records.shuffle import Stream, deal
from .steps.bankruptcy import Remix
from .table import Setup
from .view import View, view_of


class Game:
    """Deal and moves are the truth, position and history are derived; only `play` changes it."""

    def __init__(self, setup: Setup, deal: Deal, remix: Remix) -> None:
        self.setup = setup
        self.deal = deal
        self.moves: list[Move] = []
        self.remixed: list[tuple[Space, ...]] = []
        self._remix = remix
        self.position, events = start(setup, deal, self._remix_and_keep)
        self.history: list[Event] = list(events)

    @classmethod
    def shuffled(cls, setup: Setup, stream: Stream) -> Game:
        """A new game dealt from the verifiable shuffle, which also mixes after bankruptcies."""
        return cls(setup, deal(setup, stream), stream.shuffle)

    def again(self) -> Game:
        """The same game from its deal on, nothing played yet; its pool will be mixed as it was."""
        orders = iter(self.remixed)
        return Game(self.setup, self.deal, lambda _tiles: next(orders))

    @property
    def over(self) -> bool:
        return self.position.table.phase == "over"

    @property
    def turn(self) -> Seat | None:
        """The seat to move; None when the game is over."""
        return None if self.over else self.position.table.turn

    @property
    def legal(self) -> list[Move]:
        """The legal moves of the player to move, none when the game is over."""
        return list(legal_moves(self.position))

    @property
    def outcome(self) -> Outcome | None:
        return outcome(self.position.table)

    def play(self, move: Move | str) -> list[Event]:
        """Play a move, or its text, and return what happened. A `MoveError` changes nothing."""
        if isinstance(move, str):
            move = self.setup.board.parse(move)
        self.position, events = play(self.position, move, self._remix_and_keep)
        self.moves.append(move)
        self.history += events
        return events

    def view(self, seat: Seat | None) -> View:
        """What a seat, or a spectator, may see now."""
        return view_of(self.position, seat, self.history)

    def _remix_and_keep(self, tiles: list[Space]) -> Sequence[Space]:
        mixed = tuple(self._remix(tiles))
        self.remixed.append(mixed)
        return mixed
