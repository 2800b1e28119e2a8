"""The job queue: reviews and studies, each in its own process.

There are two lanes, and each runs one job at a time. The quick lane is for jobs of a few seconds,
which need not wait for one of a minute.

A repeated request with the same key finds the same job. Recent results stay in memory; the caller
stores those that must last.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.table.errors import TooMany

from .child_process import kill_child, start_child

log = logging.getLogger(__name__)

MOST_WAITING = 20
"""The length of the queue; further jobs are refused."""
MOST_KEPT = 30
SECONDS = 900.0
"""Time limit of a job."""
_LONGEST_LINE = 8 * 1024 * 1024
_MODULE = "lastspike.server.jobs.job_main"

Found = Callable[[Any], Awaitable[None]]
Step = Callable[[float], Awaitable[None]]


class Job:
    """A job's progress from 0 to 1, and then its result or its error."""

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
        """The state to send to clients; raises the error if the job failed."""
        if self.problem is not None:
            raise self.problem
        return p.JobState(1.0 if self.done else self.progress, self.found, key)

    async def updates(self) -> AsyncIterator[float]:
        """Yields the progress now and after each change, until the job is done."""
        while not self.done:
            yield self.progress
            await self._changed.wait()

    def notify(self) -> None:
        """Wake everybody waiting in `updates`."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


class JobQueue:
    def __init__(self) -> None:
        self._all: OrderedDict[str, Job] = OrderedDict()
        self._lanes: dict[bool, asyncio.Queue[Job]] = {
            quick: asyncio.Queue() for quick in (False, True)
        }
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(self._work(lane)) for lane in self._lanes.values()]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def get(self, key: str) -> Job | None:
        return self._all.get(key)

    def ask(
        self,
        key: str,
        request: dict[str, Any],
        *,
        quick: bool = False,
        on_step: Step | None = None,
        on_found: Found | None = None,
    ) -> Job:
        """The job with this key, queued in its lane if there is none. `on_step` is called with its
        progress, `on_found` with its result before clients see it."""
        job = self._all.get(key)
        if job is not None and job.problem is None:
            return job
        lane = self._lanes[quick]
        if lane.qsize() >= MOST_WAITING:
            raise TooMany("the server is busy; try again later")
        job = self._all[key] = Job(request, on_step, on_found)
        lane.put_nowait(job)
        while len(self._all) > MOST_KEPT + len(self._lanes) * MOST_WAITING:
            oldest = next(key for key, each in self._all.items() if each.done)
            del self._all[oldest]
        return job

    async def _work(self, lane: asyncio.Queue[Job]) -> None:
        while True:
            job = await lane.get()
            try:
                async with asyncio.timeout(SECONDS):
                    found = await _compute(job)
                    if job.on_found is not None:
                        await job.on_found(found)
                    job.found = found
            except LastSpikeError as error:
                job.problem = error
            except Exception as error:  # the process died; the next request tries again
                log.warning("a job failed: %r", error)
                job.problem = LastSpikeError("this couldn’t be computed; try again")
            finally:
                job.notify()


async def _compute(job: Job) -> Any:
    process = await start_child(_MODULE, line_bytes=_LONGEST_LINE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(job.request).encode())
        process.stdin.close()
        async for line in process.stdout:
            message = json.loads(line)
            if isinstance(message, list):
                done, total = message
                job.progress = done / max(total, 1)
                job.notify()
                if job.on_step is not None:
                    await job.on_step(job.progress)
            elif "found" in message:
                return message["found"]
            else:
                error = LastSpikeError("this couldn’t be computed; try again")
                error.template, error.facts = message["problem"]  # as raised in the other process
                raise error
        raise RuntimeError("it ended without an answer")
    finally:
        await kill_child(process)
