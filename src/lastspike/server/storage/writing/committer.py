"""Group commit: steps that arrive during one transaction are written together in the next."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Protocol

from lastspike.server.storage.errors import down
from lastspike.server.storage.rows import Append

MOST_IN_ONE = 500
PATIENCE_SECONDS = 20.0
FIRST_PAUSE_SECONDS = 0.02
LONGEST_PAUSE_SECONDS = 1.0


_WRITER = os.urandom(8)
_numbers = count()


class Passing(Exception):
    """The transaction failed for a temporary reason and can be retried."""


class Entry:
    """A step in the queue. Its `token`, which is unlike any other, identifies it in the database.
    `listed` is set for the first step of a table, which also creates the table."""

    __slots__ = ("done", "listed", "since", "step", "token", "tried")

    def __init__(self, step: Append, listed: bool | None) -> None:
        self.step = step
        self.listed = listed
        self.token = _WRITER + next(_numbers).to_bytes(8)
        self.since = time.monotonic()
        self.tried = False
        self.done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def answer(self, stored: bool) -> None:
        if not self.done.done():
            self.done.set_result(stored)

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Writer(Protocol):
    """Writes batches into one kind of database, over its own connection."""

    async def write(self, batch: Sequence[Entry]) -> set[bytes]:
        """Store what can be stored, with its index changes, in one transaction. Returns the tokens
        of all durable steps, including those stored by an earlier attempt.

        `batch` is sorted by table and number. Raises `Passing`, or an error that a retry won't fix.
        """

    async def close(self) -> None:
        """Disconnect; the next `write` connects again."""


class Committer:
    """Queues steps and writes them in batches. It survives every failure of the database: a step
    that can't be written for `patience` seconds fails with `StorageDown`."""

    def __init__(
        self,
        writer: Writer,
        on_commit: Callable[[float, int], None] | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._writer = writer
        self._on_commit = on_commit
        self._patience = patience
        self._waiting: deque[Entry] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="committer")

    async def close(self) -> None:
        """Wait until every queued step is stored or has failed."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        await self._writer.close()

    async def append(self, step: Append, listed: bool | None = None) -> bool:
        """True when the step is durable, False if its number, turn or request is taken."""
        if self._closing or self._task is None:
            raise down()
        entry = Entry(step, listed)
        self._waiting.append(entry)
        self._wake.set()
        return await entry.done

    async def _run(self) -> None:
        batch: list[Entry] = []
        pause = FIRST_PAUSE_SECONDS
        while True:
            if not batch and not self._waiting:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            while self._waiting and len(batch) < MOST_IN_ONE:
                batch.append(self._waiting.popleft())
            try:
                await self._commit(batch)
                pause = FIRST_PAUSE_SECONDS
            except Passing as error:
                batch = [entry for entry in batch if self._has_time(entry, error)]
                self._waiting = deque(e for e in self._waiting if self._has_time(e, error))
                await asyncio.sleep(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            except Exception as error:
                await self._one_by_one(batch, error)
                batch = [entry for entry in batch if not entry.done.done()]
            else:
                batch = []

    async def _commit(self, batch: list[Entry]) -> None:
        batch.sort(key=_place)
        began = time.perf_counter()
        try:
            stored = await self._writer.write(batch)
        finally:
            for entry in batch:
                entry.tried = True
        for entry in batch:
            entry.answer(entry.token in stored)
        if self._on_commit is not None and stored:
            self._on_commit(time.perf_counter() - began, len(stored))

    async def _one_by_one(self, batch: list[Entry], error: Exception) -> None:
        """Retry the steps of a batch separately, so that only the bad one fails."""
        if len(batch) == 1:
            batch[0].fail(error)
            return
        for entry in batch:
            try:
                await self._commit([entry])
            except Passing:
                return
            except Exception as own_error:
                entry.fail(own_error)

    def _has_time(self, entry: Entry, error: Passing) -> bool:
        if entry.done.done():
            return False
        if time.monotonic() - entry.since < self._patience:
            return True
        failure = down()
        failure.__cause__ = error
        entry.fail(failure)
        return False


def _place(entry: Entry) -> tuple[str, int]:
    return entry.step.table_id, entry.step.number
