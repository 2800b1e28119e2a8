"""The queue of questions: what matters more goes first, and everybody has the same share."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class QuestionQueue(Generic[T]):
    """Items of several ranks, the lowest first. Within a rank those who wait take turns, so nobody
    is served later because somebody else wants much."""

    __slots__ = ("_ranks",)

    def __init__(self, ranks: int) -> None:
        self._ranks: list[OrderedDict[str, deque[T]]] = [OrderedDict() for _ in range(ranks)]

    def put(self, rank: int, who: str, item: T) -> None:
        self._ranks[rank].setdefault(who, deque()).append(item)

    def pop(self, ranks: int) -> T | None:
        """The next item of one of the first so many ranks, if there is any."""
        for line in self._ranks[:ranks]:
            if line:
                who, items = line.popitem(last=False)
                item = items.popleft()
                if items:
                    line[who] = items  # behind everybody else
                return item
        return None

    def discard(self, rank: int, who: str, item: T) -> None:
        """Remove an item, if it is still here."""
        items = self._ranks[rank].get(who)
        if items is not None and item in items:
            items.remove(item)
            if not items:
                del self._ranks[rank][who]

    def __len__(self) -> int:
        return sum(len(items) for line in self._ranks for items in line.values())
