"""How much of one caller goes on at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType


class AtOnce:
    """Lets `most` things of each caller go on at the same time, times the `factor` of the caller.
    The others wait in line: `async with at_once.place(caller)`."""

    __slots__ = ("_factor", "_lines", "_most")

    def __init__(self, most: int, factor: Callable[[str], int]) -> None:
        self._most = most
        self._factor = factor
        self._lines: dict[str, _Line] = {}

    def place(self, caller: str) -> _Place:
        """A place, free as soon as it is entered."""
        return _Place(self, caller)

    def enter(self, caller: str) -> _Line:
        line = self._lines.get(caller)
        if line is None:
            line = self._lines[caller] = _Line(self._most * self._factor(caller))
        line.people += 1
        return line

    def leave(self, caller: str) -> None:
        line = self._lines[caller]
        line.people -= 1
        if not line.people:
            del self._lines[caller]  # callers that left take no memory

    def __len__(self) -> int:
        return len(self._lines)


class _Line(asyncio.Semaphore):
    """The things of one caller, going on or waiting; `people` counts both."""

    people = 0


class _Place:
    __slots__ = ("_all", "_caller", "_line")

    def __init__(self, everything: AtOnce, caller: str) -> None:
        self._all = everything
        self._caller = caller

    async def __aenter__(self) -> None:
        self._line = self._all.enter(self._caller)
        try:
            await self._line.acquire()
        except BaseException:
            self._all.leave(self._caller)
            raise

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._line.release()
        self._all.leave(self._caller)
