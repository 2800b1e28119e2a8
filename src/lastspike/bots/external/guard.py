"""The guard around players that may fail: it reports faults, and a Greenhorn moves instead."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import PurePath
from typing import ClassVar, Protocol, get_args

from lastspike.bots.explain.reasons import Reason
from lastspike.bots.player import ComputerPlayer, later_in_turn
from lastspike.bots.turn_check import LONGEST_TURN, fallback_player, legal_moves_of, printable
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.moves import Move
from lastspike.rules.view import View, preview

PATIENCE = 3
"""The number of faults after which a player is given up."""


class Unsafe(Protocol):
    """Anything with a computer player's methods; it may return anything, or raise.

    A move may be a text, and a turn may be lazy: each move is checked before the next is read.
    """

    def choose(self, view: View) -> object: ...
    def turn(self, view: View) -> Iterable[object]: ...
    def reasons(self, view: View, moves: list[Move]) -> Iterable[object]: ...
    def close(self) -> None: ...


class Guarded(ComputerPlayer):
    """Wraps another player: never raises, always moves legally.

    Legal moves stand. After the first illegal move or exception the fallback player finishes the
    turn, and `faults` records why. After `patience` faults the player is given up. There is no time
    limit, because code in this process can't be stopped.

    Set `tell` to be called with each fault, and once more when the player is given up.
    """

    SURVIVED: ClassVar[tuple[type[BaseException], ...]] = (Exception, SystemExit)
    """The exceptions to catch. `exit` in a player must not end the game; Ctrl-C must."""

    def __init__(self, player: Unsafe, seed: str, *, level: str, patience: int = PATIENCE) -> None:
        super().__init__(seed)
        self.level = level
        self.player = player
        self.faults: list[LastSpikeError] = []
        self.given_up = False
        """Whether the fallback plays the rest of the game."""
        self.tell: Callable[[LastSpikeError], None] = _ignore
        self._patience = patience
        self._closed = False
        self._fallback = fallback_player(seed)

    @property
    def asked(self) -> bool:
        """Whether the player will be asked for its next move."""
        return not (self.given_up or self._closed)

    def choose(self, view: View) -> Move:
        if self.asked:
            try:
                answer = self.player.choose(_copy(view))
                return next(legal_moves_of(view, [answer], self.level))
            except self.SURVIVED as error:
                self._blame(error)
        return self._fallback.choose(view)

    def turn(self, view: View) -> list[Move]:
        moves: list[Move] = []
        if self.asked:
            try:
                # On a fault, the moves before it stay in the list.
                moves.extend(legal_moves_of(view, self.player.turn(_copy(view)), self.level))
                return moves
            except self.SURVIVED as error:
                self._blame(error)
        if preview(view, moves).turn_over:
            return moves
        return moves + self._fallback.turn(later_in_turn(view, moves))

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:
        if self.asked:
            try:
                given = islice(self.player.reasons(_copy(view), moves[:]), LONGEST_TURN)
                return tuple(reason for reason in given if isinstance(reason, get_args(Reason)))
            except self.SURVIVED as error:
                self._blame(error)
        return ()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.player.close()
        except self.SURVIVED as error:
            self._blame(error)

    def hopeless(self) -> bool:
        """Whether to give the player up now, however few its faults."""
        return False

    def dismiss(self) -> None:
        """Called when the player is given up; `close` follows later."""

    def _blame(self, error: BaseException) -> None:
        self.faults.append(_fault(self.level, error))
        self.tell(self.faults[-1])
        if self.asked and (self.hopeless() or len(self.faults) >= self._patience):
            self.given_up = True
            self.dismiss()
            self.tell(
                LastSpikeError(
                    "{player} is replaced by a Greenhorn for the rest of the game",
                    player=self.level,
                )
            )


def own_seed(seed: str) -> str:
    """A seed for third-party players: a hash, since the original text could reveal hidden tiles."""
    return sha256(f"lastspike.players/{seed}".encode()).hexdigest()[:32]


def _fault(player: str, error: BaseException) -> LastSpikeError:
    if isinstance(error, LastSpikeError):
        return error
    reason = type(error).__name__
    with suppress(Exception):  # a third-party repr may itself raise
        reason = printable(repr(error))
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        reason = f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}: {reason}"
    return LastSpikeError("{player} failed: {reason}", player=player, reason=reason)


def _copy(view: View) -> View:
    """The view with its own table, so that a player can't modify the one it is checked against."""
    return view._replace(table=view.table.copy())


def _ignore(fault: LastSpikeError) -> None:
    """The default of `tell`."""
