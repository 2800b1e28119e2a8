"""Two terminal displays: a screen that is redrawn, and a plain scroll of text."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from unicodedata import normalize

from rich.console import Console
from rich.text import Text

from lastspike.cli.progress import plain_console
from lastspike.cli.wrapping import wrapped
from lastspike.words.language import Words
from lastspike.words.typed import in_english

Line = str | Text

CURTAIN_LINES = 60
"""Empty lines that push a hand out of sight where the screen is not cleared."""


class Quit(Exception):
    """The player quit, or the input has ended."""


class Screen(ABC):
    """What a session needs from a terminal. `plain` screens never redraw."""

    plain: bool

    def __init__(self, console: Console, words: Words) -> None:
        self.console = console
        self.words = words

    @abstractmethod
    def page(self, lines: Sequence[Line], wait: bool = True) -> None:
        """Show some text; a redrawn screen waits until it is read."""

    @abstractmethod
    def board(self, lines: Sequence[Line]) -> None:
        """Show the board, above the next question."""

    @abstractmethod
    def hide(self) -> None:
        """Remove everything shown so far from sight."""

    @abstractmethod
    def curtain(self, lines: Sequence[Line]) -> None:
        """Hide everything, show these lines, and wait for the next person."""

    def ask(self, question: str) -> str:
        """The answer, normalized and stripped; raises `Quit` for quit."""
        self.console.print(Text(question), end="", soft_wrap=True)
        self.console.file.flush()
        try:
            answer = input()
        except (EOFError, RuntimeError):  # the input has ended, or there is none
            self.console.print()
            raise Quit from None
        answer = normalize("NFKC", answer).strip()
        if in_english(answer, self.words) == "quit":
            raise Quit
        return answer

    def say(self, *lines: Line) -> None:
        for line in lines:
            wide = not self.console.is_terminal  # don't wrap in a pipe or file
            rows = [line] if wide else wrapped(line, self.console.width)
            for row in rows:
                self.console.print(row if isinstance(row, Text) else Text(row), soft_wrap=True)


class PlainScreen(Screen):
    """A scroll of text for screen readers and pipes: nothing is redrawn."""

    plain = True

    def page(self, lines: Sequence[Line], wait: bool = True) -> None:  # noqa: ARG002
        self.say(*lines)

    def board(self, lines: Sequence[Line]) -> None:
        self.say(*lines)

    def hide(self) -> None:
        self.say(*[""] * CURTAIN_LINES)

    def curtain(self, lines: Sequence[Line]) -> None:
        self.hide()
        self.say(*lines)
        self.ask(self.words.say("Press Enter when you’re ready. "))


ROWS_BELOW = 8
"""Rows left free below a page that does not wait: at the end, the way to the record follows."""


class DrawnScreen(Screen):
    """A screen that is cleared and redrawn, at least 80 columns by 24 rows."""

    plain = False

    def page(self, lines: Sequence[Line], wait: bool = True) -> None:
        room = max(self.console.height - (3 if wait else ROWS_BELOW), 5)
        while True:
            self.hide()
            shown = self._fitting(lines, room)
            self.say(*lines[:shown])
            lines = lines[shown:]
            if lines or wait:
                self.say("")
                self.ask(self.words.say("Press Enter to continue. "))
            if not lines:
                return

    def board(self, lines: Sequence[Line]) -> None:
        self.hide()
        self.say(*lines)

    def hide(self) -> None:
        # Clear the scrollback too: it may show a hand.
        self.console.file.write("\x1b[H\x1b[2J\x1b[3J")

    def curtain(self, lines: Sequence[Line]) -> None:
        self.hide()
        self.say(*lines, "")
        self.ask(self.words.say("Press Enter when you’re ready. "))

    def _fitting(self, lines: Sequence[Line], room: int) -> int:
        """How many of the lines fit into `room` rows when wrapped; at least one."""
        rows = 0
        for count, line in enumerate(lines):
            rows += len(wrapped(line, self.console.width))
            if rows > room and count:
                return count
        return len(lines)


def screen_for(words: Words, plain: bool) -> Screen:
    """A plain screen if requested or if there is no terminal to draw on."""
    console = plain_console()
    typed = sys.stdin is not None and sys.stdin.isatty()
    drawable = typed and console.is_terminal and not console.is_dumb_terminal
    return PlainScreen(console, words) if plain or not drawable else DrawnScreen(console, words)
