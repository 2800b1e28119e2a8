"""The reader: has strangers' records and editions read in a process of their own.

One process reads for everybody, in turns. It is started when there is something to read, killed if
that takes too long, and ended when there has been nothing to read for a while.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from asyncio.subprocess import Process
from contextlib import suppress
from typing import Any, NamedTuple

from lastspike.rules.errors import LastSpikeError
from lastspike.server.table.errors import TooLarge

from .child_process import kill_child, start_child
from .fair_queue import FairQueue
from .reader_main import HEAD, READY

log = logging.getLogger(__name__)

MOST_WAITING = 100
MOST_EACH = 8
"""How many questions may wait, in all and of one caller."""
SECONDS = 5.0
"""Time limit of one question. The largest that is allowed takes a fifth of a second."""
START_S = 60.0
IDLE_S = 60.0
_MODULE = "lastspike.server.jobs.reader_main"


class Reader:
    """Answers questions between `start` and `close`. `reader_main.READING` lists them."""

    def __init__(self) -> None:
        self._waiting: FairQueue[_Question] = FairQueue(MOST_WAITING, MOST_EACH)
        self._process: Process | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._serve())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for question in self._waiting:
            question.answer.cancel()

    async def ask(self, caller: str, what: str, *arguments: Any) -> Any:
        """What the process finds, or the error that it raises. `TooMany` if this caller already
        waits for much, `TooLarge` if reading takes too long."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.put(caller, _Question((what, arguments), answer))
        return await answer

    async def _serve(self) -> None:
        try:
            while True:
                question = await self._next()
                if question.answer.done():  # the caller has left
                    continue
                try:
                    found, error = await self._read(question.asked)
                except TimeoutError:
                    await self._end()
                    found, error = None, TooLarge("this is too large")
                except Exception as failed:
                    log.warning("the process that reads failed: %r", failed)
                    await self._end()
                    error = LastSpikeError("this couldn’t be computed; try again")
                    found = None
                except BaseException:
                    question.answer.cancel()
                    raise
                if question.answer.done():
                    continue
                if error is None:
                    question.answer.set_result(found)
                else:
                    question.answer.set_exception(error)
        finally:
            await self._end()

    async def _next(self) -> _Question:
        with suppress(TimeoutError):
            return await asyncio.wait_for(self._waiting.get(), IDLE_S)
        await self._end()
        return await self._waiting.get()

    async def _read(self, asked: tuple[str, tuple[Any, ...]]) -> tuple[Any, LastSpikeError | None]:
        if self._process is None or self._process.returncode is not None:
            await self._end()
            self._process = await start_child(_MODULE)
            assert self._process.stdout is not None
            async with asyncio.timeout(START_S):
                await self._process.stdout.readexactly(len(READY))
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        async with asyncio.timeout(SECONDS):
            stdin.write(pickle.dumps(asked))
            await stdin.drain()
            size = int.from_bytes(await stdout.readexactly(HEAD), "big")
            answer: tuple[Any, LastSpikeError | None] = pickle.loads(await stdout.readexactly(size))
            return answer

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await kill_child(process)


class _Question(NamedTuple):
    asked: tuple[str, tuple[Any, ...]]
    answer: asyncio.Future[Any]
