"""A child process that exchanges lines with us, in bounded time and memory.

Each of its three pipes has a thread, which works on every platform. Reading a line has a deadline,
and a program that never reads, never writes or never stops writing blocks only its own threads.
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
"""In bytes; far longer than any valid answer."""
MOST_LINES = 100
"""A program with more unread lines is flooding us."""
LAST_WORDS = 1 << 12
"""How many bytes of standard error to keep."""

GLANCE = 0.1
"""Seconds between checks whether the process still runs."""
FAREWELL = 1.0
"""Seconds to wait for a killed process to be gone."""


_running: set[subprocess.Popen[bytes]] = set()
"""The programs started and not yet ended."""


def end_all() -> None:
    """Kill every program, including one that has no owner yet; for a process about to exit."""
    for popen in [*_running]:
        _kill(popen)


class Lines:
    """The lines a program writes; reading stops if there are too many or they are too long."""

    def __init__(self) -> None:
        self.ended = False
        self.flooded = False
        self._lines: deque[bytes] = deque()
        self._changed = Condition()

    def read(self, pipe: IO[bytes]) -> None:
        """Read until the end or until flooded; runs in a thread."""
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
        """The next line; None if none arrives by the deadline or the output has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self.ended, deadline - monotonic())
            return self._lines.popleft() if self._lines else None

    def discard(self) -> int:
        """Drop all unread lines and return their number."""
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

    It leads a process group; ending it ends the whole group. `close` ends it, and so does the exit
    of this process or of a `multiprocessing` worker.
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
        # Unlike `atexit`, this also runs when a worker exits, and not in a fork.
        self._end = Finalize(self, _end, (self._popen, self._to_send), exitpriority=0)
        popen = self._popen
        assert popen.stdin
        assert popen.stdout
        assert popen.stderr
        self._lines = Lines()
        self._errors = bytearray()
        # No thread may hold a reference to `self`, or it would never be collected.
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
        """Whether it wrote too much, so that reading stopped."""
        return self._lines.flooded

    @property
    def silent(self) -> bool:
        """Whether its output has ended."""
        return self._lines.ended

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return bytes(self._errors).decode("utf-8", "replace")

    def send(self, *lines: str) -> None:
        """Queue lines for the program, without waiting for it to read them."""
        self._to_send.put("".join(f"{line}\n" for line in lines).encode())

    def receive(self, deadline: float) -> bytes | None:
        """The next line; None if none arrives by the deadline or the output has ended."""
        while True:
            line = self._lines.take(min(deadline, monotonic() + GLANCE))
            if line is not None or self._lines.ended or monotonic() >= deadline:
                return line
            if self.status() is not None:  # its children may have kept the output open
                return self._lines.take(min(deadline, monotonic() + GLANCE))

    def discard(self) -> int:
        """Drop all unread lines and return their number."""
        return self._lines.discard()

    def status(self, wait: float = 0) -> int | None:
        """The exit status, after waiting at most `wait` seconds; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(wait)
            self._end()  # at once: its process id may be reused later
        return self._popen.returncode

    def kill(self) -> None:
        """Kill it and its process group."""
        self._end()
        until = monotonic() + FAREWELL
        while self._threads:  # a process that left the group may block one
            self._threads.pop().join(max(until - monotonic(), 0))

    def close(self, last: str, wait: float) -> None:
        """Send a last line, wait up to `wait` seconds for the program to exit, then kill it."""
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
        # Even if the leader has exited: others of its group may still run.
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
