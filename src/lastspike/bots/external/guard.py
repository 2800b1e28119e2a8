"""Players that may fail, made safe: what they do wrong is told, and a Greenhorn moves instead."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import PurePath
from typing import ClassVar, Protocol, get_args

from lastspike.bots.explain.reasons import Reason
from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.player import ComputerPlayer, later_in_turn
from lastspike.rules.editions.figures import repr_short
from lastspike.rules.errors import LastSpikeError, MoveError
from lastspike.rules.moves import PASS_TEXT, Move
from lastspike.rules.view import View, preview

PATIENCE = 3
"""After so many faults a player is not asked again."""

LONGEST_TURN = 100
"""More moves than any turn has; a player that goes on for ever is stopped there."""


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
    """Asks another player, and stands in where it fails: never raises, always moves legally.

    What the other chose legally stands. From the first move on that is none or can't be played,
    or where it raises, a Greenhorn finishes the turn, and `faults` says why. After `patience`
    faults the other is not asked again. What runs in this process can't be stopped, so there is no
    limit to the time that it takes.

    `tell` is called with each fault as it happens, and once with the news that the other is not
    asked any more; set it to show them.
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
        self._fallback = Greenhorn(seed)

    @property
    def asked(self) -> bool:
        """Whether the player will be asked for its next move."""
        return not (self.given_up or self._closed)

    def choose(self, view: View) -> Move:
        if self.asked:
            try:
                return self._checked(view, [], self.player.choose(_copy(view)))
            except self.SURVIVED as error:
                self._blame(error)
        return self._fallback.choose(view)

    def turn(self, view: View) -> list[Move]:
        moves: list[Move] = []
        if self.asked:
            try:
                self._collect(view, self.player.turn(_copy(view)), moves)
            except self.SURVIVED as error:
                self._blame(error)
        while not preview(view, moves).turn_over:
            moves.append(self._fallback.choose(later_in_turn(view, moves)))
        return moves

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

    def _collect(self, view: View, answer: Iterable[object], moves: list[Move]) -> None:
        """Add the moves of an answer to `moves`, up to the first that is wrong."""
        over = False
        for answered in islice(answer, LONGEST_TURN):
            if over and str(answered) == PASS_TEXT:
                continue  # T6: not everybody knows that the turn has ended by itself
            moves.append(self._checked(view, moves, answered))
            over = preview(view, moves).turn_over
        if not over:
            raise LastSpikeError(
                "{player} left its turn unfinished: {moves}",
                player=self.level,
                moves=" ".join(map(str, moves)) or "-",
            )

    def _checked(self, view: View, before: list[Move], answered: object) -> Move:
        """The move that was answered, if it can be played after those before it."""
        text = answered.text if isinstance(answered, Move) else answered
        if not isinstance(text, str):
            raise no_move(self.level, answered)
        try:
            move = view.table.board.parse(text)
            preview(view, [*before, move])
        except MoveError as error:
            raise LastSpikeError(
                "{player} chose {move}, which can't be played: {reason}",
                player=self.level,
                move=printable(text, 20),
                reason=error,
            ) from None
        return move

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


def no_move(player: str, answered: object) -> LastSpikeError:
    return LastSpikeError(
        "{player} answered {answer} instead of a move", player=player, answer=repr_short(answered)
    )


def printable(text: str, most: int = 200) -> str:
    """One short line of what somebody else wrote, without anything that moves a cursor."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


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
