"""External programs as players: the line protocol of `docs/players.md`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from time import monotonic
from typing import ClassVar

from lastspike.bots.player import later_in_turn
from lastspike.bots.turn_check import no_move, printable
from lastspike.rules.board import Seat
from lastspike.rules.editions.figures import repr_short
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.moves import Move
from lastspike.rules.table import Setup
from lastspike.rules.view import View, preview, view_to_json

from .guard import PATIENCE, Guarded, own_seed
from .process import Process

VERSION = 1
"""The protocol version."""

START_LIMIT = 10.0
"""Seconds from the start of a program to its hello."""
TURN_LIMIT = 10.0
"""Seconds for a turn."""
END_LIMIT = 0.5
"""Seconds to exit after `quit`."""
_EXIT = 0.5
"""Seconds to wait for an exit status once the output has ended."""


class Program(Guarded):
    """A program that speaks the line protocol, started at the first request.

    Each game has its own process. A program that can't be started, exits, closes its output or
    floods us is not restarted. The limits are in seconds.
    """

    SURVIVED: ClassVar[tuple[type[BaseException], ...]] = (Exception,)

    player: Conversation

    def __init__(
        self,
        command: str,
        seed: str,
        *,
        start_limit: float = START_LIMIT,
        turn_limit: float = TURN_LIMIT,
        end_limit: float = END_LIMIT,
        patience: int = PATIENCE,
    ) -> None:
        level = f"exec:{command}"
        try:
            words = shlex.split(command)
        except ValueError:  # unbalanced quotes
            words = []
        if not words:
            raise LastSpikeError("{name}: expected a command after the colon", name=level)
        conversation = Conversation(words, seed, level, start_limit, turn_limit, end_limit)
        super().__init__(conversation, seed, level=level, patience=patience)

    @property
    def name(self) -> str:
        """The name in the program's hello; before that, its level here."""
        return self.player.name or self.level

    @property
    def pid(self) -> int | None:
        """The process id, even after it has ended; None before the start."""
        return self.player.pid

    def hopeless(self) -> bool:
        return self.player.over

    def dismiss(self) -> None:
        self.player.stop()


class Conversation:
    """The protocol, as an unguarded player: raises on any violation, and returns move texts for
    `Guarded` to check. `over` is true once the program is gone or closed."""

    def __init__(
        self,
        words: list[str],
        seed: str,
        level: str,
        start_limit: float,
        turn_limit: float,
        end_limit: float,
    ) -> None:
        self.level = level
        self.name = ""
        self.over = False
        self._words = words
        self._seed = own_seed(seed)
        self._start_limit = start_limit
        self._turn_limit = turn_limit
        self._end_limit = end_limit
        self._process: Process | None = None
        self._sent_options: tuple[Setup, Seat | None] | None = None
        self._owed = 0
        """Answers still to come: one for each `go`, late ones first."""

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def choose(self, view: View) -> str:
        process = self._ready(view)
        return self._ask(process, view, monotonic() + self._turn_limit)[0]

    def turn(self, view: View) -> Iterator[str]:
        """The turn in one or several answers, within one time limit for all."""
        process = self._ready(view)
        deadline = monotonic() + self._turn_limit
        moves: list[Move] = []
        while not moves or not preview(view, moves).turn_over:
            for text in self._ask(process, later_in_turn(view, moves), deadline):
                over = bool(moves) and preview(view, moves).turn_over
                yield text  # the caller reads on only if the move was legal
                if not over:
                    moves.append(view.table.board.parse(text))

    def reasons(self, view: View, moves: list[Move]) -> tuple[()]:  # noqa: ARG002
        """The protocol carries no reasons."""
        return ()

    def stop(self) -> None:
        """Kill the program."""
        self.over = True
        if self._process:
            self._process.kill()

    def close(self) -> None:
        """Ask the program to exit, then kill it if it does not."""
        self.over = True
        if self._process:
            self._process.close("quit", self._end_limit)

    def _ready(self, view: View) -> Process:
        """The process, started and sent the current game's options."""
        if self._process is None:
            self._process = self._start()
        process = self._process
        about = view.table.setup, view.seat
        if self._sent_options != about:
            process.send(f"options {self._options(*about)}")
            self._sent_options = about
        return process

    def _start(self) -> Process:
        try:
            process = Process(self._words)
        except (OSError, ValueError) as error:
            self.over = True
            raise LastSpikeError(
                "the player {name} can’t be started: {reason}",
                name=self.level,
                reason=getattr(error, "strerror", None) or str(error),
            ) from None
        self._process = process
        process.send(f"hello {VERSION}")
        line = process.receive(monotonic() + self._start_limit)
        if line is None:
            fault = self._why_silent(process) or LastSpikeError(
                "{player} did not say hello in time (limit: {seconds} s)",
                player=self.level,
                seconds=f"{self._start_limit:g}",
            )
            self.stop()
            raise fault
        words = line.decode("utf-8", "replace").split(maxsplit=2)
        if words[:2] != ["hello", str(VERSION)]:
            self.stop()
            raise LastSpikeError(
                "{player} answered “hello {version}” with {answer}",
                player=self.level,
                answer=repr_short(printable(line.decode("utf-8", "replace"))),
                version=VERSION,
            )
        self.name = printable(" ".join(words[2:]), 40)
        return process

    def _options(self, setup: Setup, seat: Seat | None) -> str:
        return _json(
            {
                "players": setup.players,
                "seat": seat,
                "options": setup.options._asdict(),
                "edition": setup.edition.to_figures(),
                "seed": self._seed,
                "milliseconds": _milliseconds(self._turn_limit),
            }
        )

    def _ask(self, process: Process, view: View, deadline: float) -> list[str]:
        """The texts of the program's answer, at least one; not necessarily moves."""
        self._owed = max(self._owed - process.discard(), 0)
        left = _milliseconds(deadline - monotonic())
        process.send(f"view {_json(view_to_json(view))}", f"go {left}")
        self._owed += 1
        while (line := process.receive(deadline)) is not None:
            self._owed -= 1
            if not self._owed:
                return self._texts(line)
        raise self._why_no_answer(process)

    def _texts(self, line: bytes) -> list[str]:
        try:
            answer = line.decode("utf-8")
        except UnicodeDecodeError:
            raise LastSpikeError(
                "{player} sent an answer that isn’t UTF-8", player=self.level
            ) from None
        said, *texts = answer.split() or [""]
        if said != "move" or not texts:
            raise no_move(self.level, printable(answer))
        return texts

    def _why_no_answer(self, process: Process) -> LastSpikeError:
        fault = self._why_silent(process)
        if fault:
            self.stop()
            return fault
        return LastSpikeError(
            "{player} did not answer in time (limit: {seconds} s)",
            player=self.level,
            seconds=f"{self._turn_limit:g}",
        )

    def _why_silent(self, process: Process) -> LastSpikeError | None:
        """Why no more lines will arrive; None if they may."""
        if process.flooded:
            return LastSpikeError("{player} sent too much output", player=self.level)
        status = process.status(_EXIT if process.silent else 0)
        if status is None:
            if process.silent:
                return LastSpikeError("{player} closed its output", player=self.level)
            return None
        process.kill()  # also flushes the rest of its output
        words = printable(process.last_words.strip().rpartition("\n")[2])
        if not words:
            return LastSpikeError(
                "{player} exited with status {status}", player=self.level, status=status
            )
        return LastSpikeError(
            "{player} exited with status {status}: {words}",
            player=self.level,
            status=status,
            words=words,
        )


def _json(value: object) -> str:
    """One line of ASCII, which every program can read."""
    return json.dumps(value, separators=(",", ":"))


def _milliseconds(seconds: float) -> int:
    return max(round(seconds * 1000), 0)
