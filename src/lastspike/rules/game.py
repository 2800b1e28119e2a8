"""A game in progress: its deal and moves, and the position and history that follow from them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import copy
from typing import Any

from .board import Seat, Space
from .editions.edition import Edition
from .editions.shipped import shipped
from .errors import LastSpikeError, wrong_type
from .events import Event
from .hidden import Deal
from .mixing import Mixing, Randomness
from .moves import Move
from .outcome import Outcome, outcome
from .position import Position, advance, legal_moves, play, start
from .records.notation import to_text
from .records.shuffle import Stream, deal, seed_of_text
from .table import Options, Setup, setup
from .view import View, view_of


class Game:
    """A game as a value: its deal and its moves determine everything else.

    `position` is the full position now, hidden tiles included. `history` has the events so far,
    and `remixed` the pool's new order after each bankruptcy. Only `play` and `undo` change a game.

    Copies share nothing that can change. Games are equal if their setup, deal, moves and mixed
    pools are. The hash stays the same while a game is played.
    """

    setup: Setup
    deal: Deal
    moves: list[Move]
    remixed: list[tuple[Space, ...]]
    history: list[Event]
    position: Position

    def __init__(self, setup: Setup, deal: Deal, randomness: Randomness | None = None) -> None:
        """A game with this deal. `randomness` mixes the pool after bankruptcies; without it, the
        first bankruptcy raises `LastSpikeError`."""
        if not isinstance(setup, Setup):
            raise wrong_type("setup", "Setup", setup)
        if not isinstance(deal, Deal):
            raise wrong_type("deal", "Deal", deal)
        self._begin(setup, deal, Mixing(randomness))

    @classmethod
    def new(
        cls,
        players: int,
        seed: str,
        *,
        edition: Edition | str | None = None,
        options: Options | None = None,
    ) -> Game:
        """A new game, dealt from the seed: the one that `lastspike` plays with `--seed`.

        The edition may be named by its id; by default it is the standard one.
        """
        if edition is None or isinstance(edition, str):
            edition = shipped(edition) if edition else shipped()
        return cls.shuffled(setup(edition, players, options), Stream(seed_of_text(seed)))

    @classmethod
    def shuffled(cls, setup: Setup, stream: Stream) -> Game:
        """A new game dealt from the verifiable shuffle, which also mixes after bankruptcies."""
        return cls(setup, deal(setup, stream), stream)

    @classmethod
    def from_record(cls, record: object, randomness: Randomness | None = None) -> Game:
        """The game of a record, given as JSON values; `RecordError` if it is a bad one.

        An unfinished game can be played on. After a bankruptcy its pool is mixed by `randomness`,
        or else by the record's shuffle, if it has one.
        """
        from .records.record import read_record  # which needs this class

        game = read_record(record).game
        if randomness is not None:
            game.set_randomness(randomness)
        return game

    def to_record(self, **more: Any) -> dict[str, Any]:
        """The record of the game, finished or not, as JSON takes it. `more` adds keys."""
        from .records.record import to_record

        return to_record(self, **more)

    def _begin(self, setup: Setup, deal: Deal, mixing: Mixing) -> None:
        self.setup = setup
        self.deal = deal
        self.moves = []
        self.remixed = []
        self._mixing = mixing
        self._mixings: list[Mixing] = []  # as it was before each mixing
        self.position, events = start(setup, deal, self._mix)
        self.history = list(events)
        self._lengths = [len(events)]  # of the history, after each move

    def copy(self) -> Game:
        """An independent copy of the game."""
        new = Game.__new__(Game)
        new.setup = self.setup
        new.deal = self.deal
        new.moves = self.moves[:]
        new.remixed = self.remixed[:]
        new.history = self.history[:]
        new.position = self.position.copy()
        new._mixing = self._mixing  # each mixes once, in a copy
        new._mixings = self._mixings[:]
        new._lengths = self._lengths[:]
        return new

    __copy__ = copy

    def __deepcopy__(self, _memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        numbers = [move.number for move in self.moves]
        return _replayed, (
            self.setup,
            self.deal,
            numbers,
            self.remixed,
            self._mixings,
            self._mixing,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.moves == other.moves
            and self.remixed == other.remixed
            # A record does not tell the tiles drawn for the first player.
            and self.deal._replace(drawn=()) == other.deal._replace(drawn=())
            and self.setup == other.setup
        )

    def __hash__(self) -> int:
        return hash((self.setup.players, self.setup.options, self.deal._replace(drawn=())))

    def __repr__(self) -> str:
        return f"<Game after {len(self.moves)} moves: {to_text(self.position)}>"

    def again(self) -> Game:
        """The same game after its deal, before any move; its pool will be mixed as it was."""
        new = Game.__new__(Game)
        new._begin(self.setup, self.deal, self._mixing.after(self.remixed, 0))
        return new

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.table.phase == "over"

    @property
    def turn(self) -> Seat | None:
        """The seat to move; None when the game is over."""
        return None if self.over else self.position.table.turn

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves of the player to move, none when the game is over."""
        return list(legal_moves(self.position))

    @property
    def legal(self) -> list[Move]:
        """The old name of `legal_moves`. To be removed in version 0.4."""
        warnings.warn("Game.legal is now Game.legal_moves", DeprecationWarning, stacklevel=2)
        return self.legal_moves

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return outcome(self.position.table)

    def play(self, move: Move | str) -> list[Event]:
        """Play a move, or its text, and return what happened. A `MoveError` changes nothing."""
        if not isinstance(move, Move):
            move = self.setup.board.move(move)
        mixed = len(self._mixings)
        try:
            self.position, events = play(self.position, move, self._mix)
        except BaseException:
            self._unmix(mixed)
            raise
        self.moves.append(move)
        self.history += events
        self._lengths.append(len(self.history))
        return events

    def undo(self) -> Move:
        """Take back the last move and return it; everything is as it was before that move.

        It replays the game up to there, which takes at most about as long as a hundred moves. In a
        search, keep copies instead.
        """
        if not self.moves:
            raise LastSpikeError("there’s no move to undo")
        orders = iter(self.remixed)
        used = 0

        def as_it_was(_tiles: list[Space]) -> tuple[Space, ...]:
            nonlocal used
            used += 1
            return next(orders)

        before, _ = start(self.setup, self.deal, as_it_was)
        for move in self.moves[:-1]:
            advance(before, move, as_it_was)
        self.position = before
        self._unmix(used)
        self._lengths.pop()
        del self.history[self._lengths[-1] :]
        return self.moves.pop()

    def view(self, seat: Seat | None) -> View:
        """What a seat, or a spectator, may see now."""
        return view_of(self.position, seat, self.history)

    def set_randomness(self, randomness: Randomness | None) -> None:
        """Set what mixes the pool from now on. Moves that are undone and played again mix it as
        before."""
        source = Mixing(randomness)
        self._mixings = [source.after(self.remixed, used) for used in range(len(self.remixed))]
        self._mixing = source.after(self.remixed, len(self.remixed))

    def _mix(self, tiles: list[Space]) -> tuple[Space, ...]:
        self._mixings.append(self._mixing)
        self._mixing = copy(self._mixing)
        mixed = tuple(self._mixing(tiles))
        self.remixed.append(mixed)
        return mixed

    def _unmix(self, mixed: int) -> None:
        """Go back to when the pool had been mixed this often."""
        if mixed < len(self._mixings):
            self._mixing = self._mixings[mixed]
            del self._mixings[mixed:], self.remixed[mixed:]


def _replayed(
    setup: Setup,
    deal: Deal,
    numbers: Sequence[int],
    remixed: Sequence[tuple[Space, ...]],
    mixings: list[Mixing],
    mixing: Mixing,
) -> Game:
    """A game from what its pickle holds."""
    game = Game.__new__(Game)
    game._begin(setup, deal, Mixing(None, remixed))
    for number in numbers:
        game.play(setup.board.moves[number])
    game._mixings, game._mixing = mixings, mixing
    return game
