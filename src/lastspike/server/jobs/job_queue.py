"""The job queue: reviews and studies, each in its own process.

There are two lanes, and each runs one job at a time. The quick lane is for jobs of a few seconds,
which need not wait for one of a minute. Callers take turns in each.

A repeated request with the same key finds the same job. Recent results stay in memory; the caller
stores those that must last.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError

from .child_process import kill_child, start_child
from .fair_queue import FairQueue

log = logging.getLogger(__name__)

MOST_WAITING = 100
MOST_EACH = 20
"""How many jobs may wait in a lane, in all and of one caller; further ones are refused."""
EXPECTED_S = {"review": 30.0, "quick": 3.0, "study": 3.0, "daily": 5.0}
"""CPU seconds of a job, as its caller pays for it until it is known. `daily` is no job of the
queue: whoever starts a past day's deal pays this for its score."""
BEAT_S = 5.0
"""How often `on_step` is called for jobs that wait."""
MOST_KEPT = 100
KEPT_BYTES = 16 * 1024 * 1024
"""How many ended jobs stay in memory, and how long their results may be together."""
SECONDS = 900.0
"""Time limit of a job."""
_LONGEST_LINE = 8 * 1024 * 1024
_MODULE = "lastspike.server.jobs.job_main"

End = Callable[[Any], Awaitable[None]]
Step = Callable[[float], Awaitable[None]]
Spent = Callable[[str, float], None]


class Job:
    """A job's progress from 0 to 1, and then its result or its error."""

    def __init__(
        self,
        request: dict[str, Any],
        on_step: Step | None = None,
        on_end: End | None = None,
        caller: str = "",
    ) -> None:
        self.request = request
        self.caller = caller
        self.cpu = 0.0
        self.size = 0
        self.progress = 0.0
        self.found: Any = None
        self.problem: LastSpikeError | None = None
        self.on_step = on_step
        self.on_end = on_end
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
    """`on_spent` is called for each job with its caller, and by how much it took more CPU seconds
    than expected."""

    def __init__(self, on_spent: Spent | None = None) -> None:
        self._on_spent = on_spent
        self._all: OrderedDict[str, Job] = OrderedDict()
        self._lanes = {quick: FairQueue[Job](MOST_WAITING, MOST_EACH) for quick in (False, True)}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        work = [self._work(lane) for lane in self._lanes.values()]
        self._tasks = [asyncio.create_task(each) for each in (*work, self._beat())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def check_room(self, caller: str, *, quick: bool = False) -> None:
        """Raise `TooMany` if a new job of this caller would find no room."""
        self._lanes[quick].check_room(caller)

    def get(self, key: str) -> Job | None:
        return self._all.get(key)

    def ask(
        self,
        key: str,
        request: dict[str, Any],
        *,
        caller: str = "",
        quick: bool = False,
        on_step: Step | None = None,
        on_end: End | None = None,
    ) -> Job:
        """The job with this key, queued in its lane if there is none. `on_step` is called with its
        progress, and now and then while it waits; `on_end` with its result before clients see it,
        or with None if it failed."""
        job = self._all.get(key)
        if job is not None and job.problem is None:
            return job
        job = Job(request, on_step, on_end, caller)
        self._lanes[quick].put(caller, job)
        self._all[key] = job
        return job

    async def _work(self, lane: FairQueue[Job]) -> None:
        while True:
            job = await lane.get()
            found = None
            try:
                async with asyncio.timeout(SECONDS):
                    found = await _compute(job)
                    if job.on_end is not None:
                        await job.on_end(found)
                    job.found = found
            except LastSpikeError as error:
                job.problem = error
            except Exception as error:  # the process died; the next request tries again
                log.warning("a job failed: %r", error)
                job.problem = LastSpikeError("this couldn’t be computed; try again")
            finally:
                await self._ended(job)

    async def _ended(self, job: Job) -> None:
        if self._on_spent is not None:
            self._on_spent(job.caller, job.cpu - EXPECTED_S.get(job.request["kind"], 0.0))
        if job.problem is not None and job.on_end is not None:
            with suppress(Exception):
                await job.on_end(None)
        job.request = {}
        job.notify()
        ended = [(key, each) for key, each in self._all.items() if each.done]
        for key, _ in ended[:-MOST_KEPT]:
            del self._all[key]
        kept = ended[-MOST_KEPT:]
        size = sum(each.size for _, each in kept)
        for key, each in kept[:-1]:
            if size <= KEPT_BYTES:
                break
            size -= each.size
            del self._all[key]

    async def _beat(self) -> None:
        """Say of waiting jobs that they still wait."""
        while True:
            await asyncio.sleep(BEAT_S)
            for job in [job for lane in self._lanes.values() for job in lane]:
                if job.on_step is not None:
                    with suppress(Exception):
                        await job.on_step(job.progress)


async def _compute(job: Job) -> Any:
    began = time.monotonic()
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
                continue
            job.cpu, job.size = message["cpu"], len(line)
            if "found" in message:
                return message["found"]
            error = LastSpikeError("this couldn’t be computed; try again")
            error.template, error.facts = message["problem"]  # as raised in the other process
            raise error
        raise RuntimeError("it ended without an answer")
    finally:
        job.cpu = job.cpu or time.monotonic() - began
        await kill_child(process)
