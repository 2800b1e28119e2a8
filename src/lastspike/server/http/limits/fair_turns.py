"""Turns on the event loop: what one caller sends at once is begun little by little."""

from __future__ import annotations

import asyncio
from collections import deque


class FairTurns:
    """Lets `at_once` things of each caller begin in each round of the event loop. The others wait
    in line for the next rounds, so that other callers go between them; nobody waits in an idle
    server."""

    __slots__ = ("_at_once", "_begun", "_waiting")

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._begun: dict[str, int] = {}
        """How many have begun in this round, of callers for whom another round follows."""
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def turn(self, caller: str) -> None:
        """Returns when it is this caller's turn."""
        begun = self._begun.get(caller)
        if begun is None:
            self._begun[caller] = 1
            asyncio.get_running_loop().call_soon(self._next_round, caller)
        elif begun < self._at_once:
            self._begun[caller] = begun + 1
        else:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(caller, deque()).append(turn)
            await turn

    def _next_round(self, caller: str) -> None:
        waiting = self._waiting.pop(caller, None)
        if waiting is None:
            del self._begun[caller]
            return
        begun = 0
        while waiting and begun < self._at_once:
            turn = waiting.popleft()
            if not turn.done():  # the caller has not left
                turn.set_result(None)
                begun += 1
        if waiting:
            self._waiting[caller] = waiting
        self._begun[caller] = begun
        asyncio.get_running_loop().call_soon(self._next_round, caller)
