"""Worker processes: run tasks in parallel and yield their results in order.

`Processes` runs on this machine and ends with this process; `cluster.py` uses many machines.
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
"""Queued tasks per worker: enough to keep all busy, without holding everything in memory."""

GRACE = 5.0
"""Seconds that a worker has to clean up before it is killed."""

_busy = False
"""In a worker: whether a task is running."""

_leaving = False
"""In a worker: whether to exit before the next task."""


class Workers(Protocol):
    """A way to run tasks. Results must not depend on the workers or their number."""

    def in_order(
        self, task: Callable[[Work], Result], work: Iterable[Work], most: int | None = None
    ) -> Iterator[Result]:
        """As the function `in_order`."""


Jobs = int | Workers
"""A number of local cores, or other workers."""


def in_order(
    task: Callable[[Work], Result], work: Iterable[Work], jobs: Jobs, most: int | None = None
) -> Iterator[Result]:
    """The result of `task` for each piece of work, in order.

    Task, work and results must be picklable if there is more than one core. `most` limits the
    number of processes. Closing the iterator, or an interrupt, stops the work.
    """
    workers = Processes(jobs) if isinstance(jobs, int) else jobs
    return workers.in_order(task, work, most)


class Processes:
    """Local processes; with one job the work runs in this process."""

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
        closed, ours = spawning.Pipe(duplex=False)
        executor = ProcessPoolExecutor(jobs, spawning, initializer=_begin, initargs=(closed,))
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
            ours.close()  # a broken pool does not stop its idle workers
            raise LastSpikeError("a worker process was killed from outside") from None
        finally:
            if waiting:  # the caller stopped early: abandon the rest
                ours.close()
            executor.shutdown(wait=True, cancel_futures=True)
            ours.close()
            closed.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Block SIGINT, so that processes started here ignore Ctrl-C, which a terminal sends to all.
    Only the parent handles it, afterwards, and ends its children."""
    held = {signal.SIGINT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(closed: Connection) -> None:
    """In a worker: exit when the parent closes its end of the pipe or dies."""
    signal.signal(signal.SIGTERM, _leave)

    def wait() -> None:
        connection.wait([closed])
        signal.pthread_kill(main_thread().ident or 0, signal.SIGTERM)
        time.sleep(GRACE)
        _exit()

    Thread(target=wait, daemon=True).start()


def _leave(*_: object) -> None:
    """Interrupt a running task. An idle worker may be sending a result, and half a result would
    block the parent forever, so it exits before its next task instead."""
    global _leaving  # noqa: PLW0603 - one process does one thing at a time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _leaving = True
    if _busy:
        raise KeyboardInterrupt  # lets the task clean up


def _exit() -> NoReturn:
    """Exit at once, and kill external programs."""
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
