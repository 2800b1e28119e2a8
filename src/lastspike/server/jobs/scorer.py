"""Scores daily games in a process of its own, one at a time.

It is started when there is something to score, and ended when there has been nothing for a while.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from contextlib import suppress

import msgspec

from lastspike.daily.score import Score

from .child_process import kill_child, start_child

SECONDS = 120.0
"""Time limit of one question, the start of the process included: on a busy machine a game takes
some seconds."""
IDLE_S = 60.0
_MODULE = "lastspike.server.jobs.scorer_main"


class Scorer:
    """Answers one question at a time until `close`."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._lock = asyncio.Lock()
        self._resting: asyncio.Task[None] | None = None

    async def scored(self, link: bytes, moves: list[str]) -> Score:
        """The score of a finished game on the deal of a link."""
        return await self._ask("scored", link.hex(), moves)

    async def tycoon(self, link: bytes, number: int) -> Score:
        """The score of one of Tycoon's games on the deal of a link."""
        return await self._ask("tycoon", link.hex(), number)

    async def close(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
        await self._end()

    async def _ask(self, *question: object) -> Score:
        async with self._lock:
            if self._resting is not None:
                self._resting.cancel()
            try:
                async with asyncio.timeout(SECONDS):
                    answer = await self._answer(question)
            except BaseException:
                await self._end()
                raise
            self._resting = asyncio.create_task(self._rest())
            return answer

    async def _answer(self, question: tuple[object, ...]) -> Score:
        if self._process is None or self._process.returncode is not None:
            self._process = await start_child(_MODULE)
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(msgspec.json.encode(question) + b"\n")
        await stdin.drain()
        return msgspec.json.decode(await stdout.readuntil(b"\n"), type=Score)

    async def _rest(self) -> None:
        await asyncio.sleep(IDLE_S)
        async with self._lock:
            await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                await kill_child(process)
