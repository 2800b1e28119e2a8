"""Starts, asks and kills one process of computer players, for `player_pool.py`."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
from asyncio.subprocess import Process
from typing import Any

from lastspike.server.jobs.child_process import kill_child, start_child

from .player_main import READY, Question

log = logging.getLogger(__name__)

_START = 60.0
"""Seconds that a process has to import everything, even on a busy machine."""
_MODULE = "lastspike.server.jobs.players.player_main"


class PlayerProcess:
    """One process at a time, replaced when it ends."""

    def __init__(self, maker: str) -> None:
        self._maker = maker
        self._process: Process | None = None
        self._ready = False
        self.used = False
        """Whether it has answered anything, and keeps the memory that this took."""

    async def start(self) -> None:
        """Start a process if there is none, without waiting until it is ready."""
        if self._process is not None and self._process.returncode is None:
            return
        await self.end()
        try:
            self._process = await start_child(_MODULE, self._maker)
        except OSError as error:  # out of memory or processes; the next question tries again
            log.warning("no process for computer players can be started: %r", error)

    async def ask(self, question: Question, seconds: float) -> dict[str, Any]:
        """The answer. After any error the process must be replaced."""
        await self.start()
        if self._process is None:
            raise ChildProcessError
        self.used = True
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        if not self._ready:
            async with asyncio.timeout(_START):
                self._ready = await stdout.readline() == READY
        async with asyncio.timeout(seconds):
            stdin.write(pickle.dumps(question, pickle.HIGHEST_PROTOCOL))
            await stdin.drain()
            line = await stdout.readline()
        if not line:
            raise EOFError
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def end(self) -> None:
        process, self._process, self._ready, self.used = self._process, None, False, False
        if process is not None:
            await kill_child(process)
