"""A queue that takes turns between callers, so that nobody waits for all that another has asked."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator
from itertools import chain
from typing import Generic, TypeVar

from lastspike.server.table.errors import TooMany

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Holds up to `most` items, `each` of one caller. Anyone waits for at most one item of each
    other caller."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._filled = asyncio.Event()

    def check_room(self, caller: str) -> None:
        """Raise `TooMany` if `put` would."""
        mine = len(self._waiting.get(caller, ()))
        if mine >= self._each or len(self) >= self._most:
            raise TooMany("the server is busy; try again later")

    def put(self, caller: str, item: T) -> None:
        self.check_room(caller)
        self._waiting.setdefault(caller, deque()).append(item)
        self._filled.set()

    async def get(self) -> T:
        """The next item: the oldest of the caller who has waited longest for a turn."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        caller, items = self._waiting.popitem(last=False)
        item = items.popleft()
        if items:
            self._waiting[caller] = items
        return item

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._waiting.values())

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))
