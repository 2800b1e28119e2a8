"""Work shared among workers: the results in order, whoever they are and wherever they sit.

`Processes` are those of this machine, and leave when we do; `cluster.py` has those of many.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from threading import Thread, main_thread
from typing import NoReturn, Protocol, TypeVar

from lastspike.bots.external.process import end_all
from lastspike.rules.errors import LastSpikeError

Work = TypeVar("Work")
Result = TypeVar("Result")

AHEAD = 3
"""Pieces given out for each worker: enough that none is idle, and not everything in memory."""

GRACE = 5.0
"""Seconds that a worker has to put things away before it is ended."""

_busy = False
"""In a child: whether it is at work."""

_leaving = False
"""In a child: whether it is to leave before it begins anything else."""


class Workers(Protocol):
    """Who does the work. No result depends on who it is, nor on how many they are."""

    def in_order(
        self, task: Callable[[Work], Result], work: Iterable[Work], most: int | None = None
    ) -> Iterator[Result]:
        """As the function of this name."""


Jobs = int | Workers
"""How many cores of this machine do the work, or who else does."""


def in_order(
    task: Callable[[Work], Result], work: Iterable[Work], jobs: Jobs, most: int | None = None
) -> Iterator[Result]:
    """What `task` makes of each piece of work, in the order of the pieces.

    Task, work and results must be picklable where there is more than one core. `most` is how many
    processes it is worth starting. Whoever stops asking, or is interrupted, stops the work too.
    """
    workers = Processes(jobs) if isinstance(jobs, int) else jobs
    return workers.in_order(task, work, most)


class Processes:
    """So many processes of this machine; if it is one, this one."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def in_order(
        self, task: Callable[[Work], Result], work: Iterable[Work], most: int | None = None
    ) -> Iterator[Result]:
        jobs = self._jobs if most is None else min(self._jobs, most)
        if jobs <= 1:
            yield from map(task, work)
            return
        spawning = get_context("spawn")
        told, tell = spawning.Pipe(duplex=False)
        executor = ProcessPoolExecutor(jobs, spawning, initializer=_begin, initargs=(told,))
        waiting: deque[Future[Result]] = deque()
        try:
            for piece in work:
                with _interrupts_held_back():
                    waiting.append(executor.submit(_do, task, piece))
                if len(waiting) > AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            tell.close()  # a broken pool does not tell those who wait for work
            raise LastSpikeError("a process that played games was ended from outside") from None
        finally:
            if waiting:  # nobody wants the rest: it need not be finished
                tell.close()
            executor.shutdown(wait=True, cancel_futures=True)
            tell.close()
            told.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """A process started meanwhile never hears Ctrl-C, which a terminal sends to all; we do, after.

    The parent alone answers it, and ends its children.
    """
    held = {signal.SIGINT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(told: Connection) -> None:
    """In a child: leave when the parent closes its end of the pipe, or is killed."""
    signal.signal(signal.SIGTERM, _leave)

    def wait() -> None:
        connection.wait([told])
        signal.pthread_kill(main_thread().ident or 0, signal.SIGTERM)
        time.sleep(GRACE)
        _exit()

    Thread(target=wait, daemon=True).start()


def _leave(*_: object) -> None:
    """Who is not at work may be sending a result: half of it would keep the parent waiting for
    ever. It leaves when it is told that there is nothing more to do."""
    global _leaving  # noqa: PLW0603 - one process does one thing at a time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _leaving = True
    if _busy:
        raise KeyboardInterrupt  # so that what was begun is put away


def _exit() -> NoReturn:
    """Leave at once, and leave no program behind that plays."""
    end_all()
    os._exit(1)


def _do(task: Callable[[Work], Result], piece: Work) -> Result:
    global _busy  # noqa: PLW0603 - one process does one thing at a time
    _busy = True
    try:
        if _leaving:
            _exit()
        return task(piece)
    except KeyboardInterrupt:
        _exit()
    finally:
        _busy = False
