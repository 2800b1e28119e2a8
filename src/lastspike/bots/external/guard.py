"""Players that may fail, made safe: their faults are reported, and a Greenhorn moves instead."""

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
"""After this number of faults a player is not asked again."""


class Unsafe(Protocol):
    """A computer player, or something like it, that may answer anything or raise.

    A move may be given as its text, and a turn one by one: each move is checked before the next
    is asked for.
    """

    def choose(self, view: View) -> object: ...
    def turn(self, view: View) -> Iterable[object]: ...
    def reasons(self, view: View, moves: list[Move]) -> Iterable[object]: ...
    def close(self) -> None: ...


class Guarded(ComputerPlayer):
    """Asks another player and covers for its failures: never raises, always moves legally.

    The legal moves it chose stand. From its first bad move, or where it raises, the fallback player
    finishes the turn, and `faults` says why. After `patience` faults the other player is not asked
    again. Code in this process can't be stopped, so there is no time limit.

    `tell` is called with each fault as it happens, and once more when the player is given up; set
    it to show them.
    """

    SURVIVED: ClassVar[tuple[type[BaseException], ...]] = (Exception, SystemExit)
    """A player that calls `exit` ends itself, not the table. Ctrl-C still gets through."""

    def __init__(self, player: Unsafe, seed: str, *, level: str, patience: int = PATIENCE) -> None:
        super().__init__(seed)
        self.level = level
        self.player = player
        self.faults: list[LastSpikeError] = []
        self.given_up = False
        """Whether the player had to be left out for the rest of the game."""
        self.tell: Callable[[LastSpikeError], None] = _keep_quiet
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
                # What comes before a fault stays in the list.
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
                told = islice(self.player.reasons(_copy(view), moves[:]), LONGEST_TURN)
                return tuple(reason for reason in told if isinstance(reason, get_args(Reason)))
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
        """Whether asking the player again is no use, however few its faults."""
        return False

    def dismiss(self) -> None:
        """The player is given up; `close` is still to come."""

    def _blame(self, error: BaseException) -> None:
        self.faults.append(_fault(self.level, error))
        self.tell(self.faults[-1])
        if self.asked and (self.hopeless() or len(self.faults) >= self._patience):
            self.given_up = True
            self.dismiss()
            self.tell(
                LastSpikeError(
                    "{player} is not asked any more; a greenhorn plays on in its place",
                    player=self.level,
                )
            )


def own_seed(seed: str) -> str:
    """A seed to hand to others: it does not tell the text it was made from, which may tell more."""
    return sha256(f"lastspike.players/{seed}".encode()).hexdigest()[:32]


def _fault(player: str, error: BaseException) -> LastSpikeError:
    if isinstance(error, LastSpikeError):
        return error
    reason = type(error).__name__
    with suppress(Exception):  # an error of others may not even have a text
        reason = printable(repr(error))
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        reason = f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}: {reason}"
    return LastSpikeError("{player} failed: {reason}", player=player, reason=reason)


def _copy(view: View) -> View:
    """The view with a table of its own, so that no player can spoil what it is judged by."""
    return view._replace(table=view.table.copy())


def _keep_quiet(fault: LastSpikeError) -> None:
    """Nobody asked to be told."""
