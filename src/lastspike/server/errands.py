"""Errands: reviews and studies, each in a process of its own, one at a time, for whoever waits.

An errand has a key, so that asking again is asking how far it is. What it found is kept for a while
in memory; who wants to keep it longer stores it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from lastspike.rules.errors import LastSpikeError

from . import protocol as p
from .errors import TooMany
from .thinking import environment

log = logging.getLogger(__name__)

MOST_WAITING = 20
"""Errands that wait for their turn, beyond which nobody new is taken."""
MOST_KEPT = 30
SECONDS = 900.0
"""After which an errand is given up."""
_LONGEST_LINE = 8 * 1024 * 1024
_CODE = "from lastspike.server.errand import main; main()"

Found = Callable[[Any], Awaitable[None]]
Step = Callable[[float], Awaitable[None]]


class Errand:
    """How far it is, from 0 to 1, and then what it found or why not."""

    def __init__(self, wanted: dict[str, Any], step: Step | None, found: Found | None) -> None:
        self.wanted = wanted
        self.progress = 0.0
        self.found: Any = None
        self.problem: LastSpikeError | None = None
        self.on_step = step
        self.on_found = found

    @property
    def done(self) -> bool:
        return self.found is not None or self.problem is not None

    def told(self) -> p.ErrandState:
        """For who asks; why nothing was found is raised."""
        if self.problem is not None:
            raise self.problem
        return p.ErrandState(1.0 if self.done else self.progress, self.found)


class Errands:
    def __init__(self) -> None:
        self._all: OrderedDict[str, Errand] = OrderedDict()
        self._waiting: asyncio.Queue[Errand] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def get(self, key: str) -> Errand | None:
        return self._all.get(key)

    def ask(
        self,
        key: str,
        wanted: dict[str, Any],
        *,
        step: Step | None = None,
        found: Found | None = None,
    ) -> Errand:
        """The errand of this key, begun if there is none. `step` is told how far it is, `found`
        gets what was found, before anybody else."""
        errand = self._all.get(key)
        if errand is not None and errand.problem is None:
            return errand
        if self._waiting.qsize() >= MOST_WAITING:
            raise TooMany("the server has much to compute just now; try again later")
        errand = self._all[key] = Errand(wanted, step, found)
        self._waiting.put_nowait(errand)
        while len(self._all) > MOST_KEPT + MOST_WAITING:
            oldest = next(key for key, each in self._all.items() if each.done)
            del self._all[oldest]
        return errand

    async def _work(self) -> None:
        while True:
            errand = await self._waiting.get()
            try:
                async with asyncio.timeout(SECONDS):
                    found = await _done(errand)
                    if errand.on_found is not None:
                        await errand.on_found(found)
                    errand.found = found
            except LastSpikeError as error:
                errand.problem = error
            except Exception as error:  # a process that died: whoever asks again tries again
                log.warning("an errand failed: %r", error)
                errand.problem = LastSpikeError("it could not be computed; please ask again")


async def _done(errand: Errand) -> Any:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", _CODE),
        stdin=PIPE,
        stdout=PIPE,
        env=environment(),
        start_new_session=True,
        limit=_LONGEST_LINE,
    )
    try:
        return await _listen(process, errand)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _listen(process: Process, errand: Errand) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(errand.wanted).encode())
    process.stdin.close()
    async for line in process.stdout:
        told = json.loads(line)
        if isinstance(told, list):
            done, total = told
            errand.progress = done / max(total, 1)
            if errand.on_step is not None:
                await errand.on_step(errand.progress)
        elif "found" in told:
            return told["found"]
        else:
            error = LastSpikeError("it could not be computed; please ask again")
            error.template, error.facts = told["problem"]  # as it was said in the other process
            raise error
    raise RuntimeError("it ended without an answer")
