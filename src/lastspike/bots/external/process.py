"""A program in a process of its own: lines to it and from it, in bounded time and memory.

Each of its three pipes has a thread, since nothing else works alike on every system. Whoever asks
waits for a line until a deadline and no longer; a program that does not read, does not write or
writes for ever keeps only its own threads busy.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from queue import SimpleQueue
from threading import Condition, Thread
from time import monotonic
from typing import IO

CHUNK = 1 << 14
LONGEST_LINE = 1 << 12
"""In bytes. No answer is nearly so long."""
MOST_LINES = 100
"""That many unread lines are more than anybody asked for."""
LAST_WORDS = 1 << 12
"""How many bytes of standard error are kept."""

GLANCE = 0.1
"""Seconds between two looks at whether the process is still there."""
FAREWELL = 1.0
"""Seconds that are waited at the most for what has been ended to be gone."""


_running: set[subprocess.Popen[bytes]] = set()
"""The programs that this process has started and not ended."""


def end_all() -> None:
    """End every program, for a process that leaves in a hurry: one that was only just started is
    nobody's yet, and would be left behind."""
    for popen in [*_running]:
        _kill(popen)


class Lines:
    """What a program writes, line by line. Too much of it, and it is not listened to any more."""

    def __init__(self) -> None:
        self.ended = False
        self.flooded = False
        self._lines: deque[bytes] = deque()
        self._changed = Condition()

    def read(self, pipe: IO[bytes]) -> None:
        """Read until the end, or until it is too much; runs in a thread."""
        rest = b""
        with pipe, suppress(OSError):
            while not self.flooded and (chunk := pipe.read(CHUNK)):
                *lines, rest = (rest + chunk).split(b"\n")
                self._add(lines, rest)
        with self._changed:
            if rest and not self.flooded:
                self._lines.append(rest)
            self.ended = True
            self._changed.notify_all()

    def take(self, deadline: float) -> bytes | None:
        """The next line; None if there is none by then, or never will be."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self.ended, deadline - monotonic())
            return self._lines.popleft() if self._lines else None

    def discard(self) -> int:
        """Forget all lines that have come, and say how many they were."""
        with self._changed:
            count = len(self._lines)
            self._lines.clear()
            return count

    def _add(self, lines: list[bytes], rest: bytes) -> None:
        with self._changed:
            self._lines.extend(lines)
            longest = max(map(len, [rest, *lines]))
            if longest > LONGEST_LINE or len(self._lines) > MOST_LINES:
                self.flooded = True
                self._lines.clear()
            self._changed.notify_all()


class Process:
    """A running program. `OSError` or `ValueError` if the command can't be started.

    It leads a process group, and whatever it starts ends with it, unless that takes pains to leave
    the group. `close` ends it; so does the end of this process or of a `multiprocessing` worker.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._popen = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        _running.add(self._popen)
        self._to_send: SimpleQueue[bytes | None] = SimpleQueue()
        # Unlike `atexit`, this also runs when a worker ends, and not in a fork of this process.
        self._end = Finalize(self, _end, (self._popen, self._to_send), exitpriority=0)
        popen = self._popen
        assert popen.stdin
        assert popen.stdout
        assert popen.stderr
        self._lines = Lines()
        self._errors = bytearray()
        # None of the threads may hold on to `self`, or it could never be collected.
        self._threads = [
            Thread(target=_write, args=(popen.stdin, self._to_send), daemon=True),
            Thread(target=self._lines.read, args=(popen.stdout,), daemon=True),
            Thread(target=_keep_tail, args=(popen.stderr, self._errors), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def flooded(self) -> bool:
        """Whether it wrote so much that it is not listened to any more."""
        return self._lines.flooded

    @property
    def silent(self) -> bool:
        """Whether no line will come any more."""
        return self._lines.ended

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return bytes(self._errors).decode("utf-8", "replace")

    def send(self, *lines: str) -> None:
        """Write lines, without waiting for the program to read them."""
        self._to_send.put("".join(f"{line}\n" for line in lines).encode())

    def receive(self, deadline: float) -> bytes | None:
        """The next line; None if there is none by the deadline, or never will be."""
        while True:
            line = self._lines.take(min(deadline, monotonic() + GLANCE))
            if line is not None or self._lines.ended or monotonic() >= deadline:
                return line
            if self.status() is not None:  # what it left behind had kept its output open
                return self._lines.take(min(deadline, monotonic() + GLANCE))

    def discard(self) -> int:
        """Forget the lines that nobody waited for, and say how many they were."""
        return self._lines.discard()

    def status(self, wait: float = 0) -> int | None:
        """The exit status, after at most so many seconds; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(wait)
            # At once: later its number could be that of somebody else.
            self._end()
        return self._popen.returncode

    def kill(self) -> None:
        """End it, and what it started, at once."""
        self._end()
        until = monotonic() + FAREWELL
        while self._threads:  # one may be kept by a process that left the group
            self._threads.pop().join(max(until - monotonic(), 0))

    def close(self, last: str, wait: float) -> None:
        """Say a last line, leave the program so many seconds to end by itself, and end it."""
        if self._popen.returncode is None:
            self.send(last)
            self._to_send.put(None)
            self.status(wait)
        self.kill()


def _end(popen: subprocess.Popen[bytes], to_send: SimpleQueue[bytes | None]) -> None:
    to_send.put(None)
    _kill(popen)
    _running.discard(popen)
    with suppress(subprocess.TimeoutExpired):
        popen.wait(FAREWELL)


def _kill(popen: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        popen.kill()
    else:
        # Also when the leader has ended: the others of its group may be there still.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, signal.SIGKILL)


def _write(pipe: IO[bytes], to_send: SimpleQueue[bytes | None]) -> None:
    with suppress(OSError), pipe:
        while (text := to_send.get()) is not None:
            while text:
                text = text[pipe.write(text) :]


def _keep_tail(pipe: IO[bytes], tail: bytearray) -> None:
    with suppress(OSError), pipe:
        while chunk := pipe.read(CHUNK):
            tail += chunk
            del tail[:-LAST_WORDS]
