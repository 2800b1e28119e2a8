"""The job queue: reviews and studies, each in a process of its own, one at a time.

A job has a key, so that asking again finds the same job. Results stay in memory for a while; the
caller stores those that should last.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.table.errors import TooMany

from .player_pool import environment

log = logging.getLogger(__name__)

MOST_WAITING = 20
"""Jobs that may wait for their turn; any more are refused."""
MOST_KEPT = 30
SECONDS = 900.0
"""After which a job is given up."""
_LONGEST_LINE = 8 * 1024 * 1024
_CODE = "from lastspike.server.jobs.job_process import main; main()"

Found = Callable[[Any], Awaitable[None]]
Step = Callable[[float], Awaitable[None]]


class Job:
    """How far it is, from 0 to 1, and then what it found or why it failed."""

    def __init__(
        self, request: dict[str, Any], on_step: Step | None, on_found: Found | None
    ) -> None:
        self.request = request
        self.progress = 0.0
        self.found: Any = None
        self.problem: LastSpikeError | None = None
        self.on_step = on_step
        self.on_found = on_found
        self._changed = asyncio.Event()

    @property
    def done(self) -> bool:
        return self.found is not None or self.problem is not None

    def state(self, key: str) -> p.JobState:
        """For the caller; raises the problem if it failed."""
        if self.problem is not None:
            raise self.problem
        return p.JobState(1.0 if self.done else self.progress, self.found, key)

    async def updates(self) -> AsyncIterator[float]:
        """The progress now and whenever it changes, until the job is done."""
        while not self.done:
            yield self.progress
            await self._changed.wait()

    def notify(self) -> None:
        """Wake everybody who waits for `updates`."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


class JobQueue:
    def __init__(self) -> None:
        self._all: OrderedDict[str, Job] = OrderedDict()
        self._waiting: asyncio.Queue[Job] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def get(self, key: str) -> Job | None:
        return self._all.get(key)

    def ask(
        self,
        key: str,
        request: dict[str, Any],
        *,
        on_step: Step | None = None,
        on_found: Found | None = None,
    ) -> Job:
        """The job with this key, started if there is none. `on_step` gets its progress, `on_found`
        its result before anybody else does."""
        job = self._all.get(key)
        if job is not None and job.problem is None:
            return job
        if self._waiting.qsize() >= MOST_WAITING:
            raise TooMany("the server has much to compute just now; try again later")
        job = self._all[key] = Job(request, on_step, on_found)
        self._waiting.put_nowait(job)
        while len(self._all) > MOST_KEPT + MOST_WAITING:
            oldest = next(key for key, each in self._all.items() if each.done)
            del self._all[oldest]
        return job

    async def _work(self) -> None:
        while True:
            job = await self._waiting.get()
            try:
                async with asyncio.timeout(SECONDS):
                    found = await _done(job)
                    if job.on_found is not None:
                        await job.on_found(found)
                    job.found = found
            except LastSpikeError as error:
                job.problem = error
            except Exception as error:  # a process that died: whoever asks again tries again
                log.warning("a job failed: %r", error)
                job.problem = LastSpikeError("it could not be computed; please ask again")
            finally:
                job.notify()


async def _done(job: Job) -> Any:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", _CODE),
        stdin=PIPE,
        stdout=PIPE,
        env=environment(),
        start_new_session=True,
        limit=_LONGEST_LINE,
    )
    try:
        return await _listen(process, job)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _listen(process: Process, job: Job) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(job.request).encode())
    process.stdin.close()
    async for line in process.stdout:
        told = json.loads(line)
        if isinstance(told, list):
            done, total = told
            job.progress = done / max(total, 1)
            job.notify()
            if job.on_step is not None:
                await job.on_step(job.progress)
        elif "found" in told:
            return told["found"]
        else:
            error = LastSpikeError("it could not be computed; please ask again")
            error.template, error.facts = told["problem"]  # as it was said in the other process
            raise error
    raise RuntimeError("it ended without an answer")
