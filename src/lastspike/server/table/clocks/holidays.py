"""Time without holidays: when a time runs out, and how much of it was used."""

from __future__ import annotations

from collections.abc import Iterable

Holiday = tuple[int, int]
"""Its begin and end, in milliseconds."""


def runs_out(begin: int, time: int, holidays: Iterable[Holiday]) -> int:
    """When this much time after `begin` is used up, if it stands still during the holidays."""
    deadline = begin + time
    for since, until in merged(holidays):
        if since >= deadline:
            break
        deadline += max(0, until - max(since, begin))
    return deadline


def time_used(begin: int, end: int, holidays: Iterable[Holiday]) -> int:
    """The time from `begin` to `end` that is no holiday."""
    free = sum(max(0, min(until, end) - max(since, begin)) for since, until in merged(holidays))
    return max(0, end - begin - free)


def holiday_at(now: int, holidays: Iterable[Holiday]) -> Holiday | None:
    """The holiday that this moment is in, if any."""
    return next((each for each in merged(holidays) if each[0] <= now < each[1]), None)


def merged(holidays: Iterable[Holiday]) -> list[Holiday]:
    """The holidays in order, those that overlap as one."""
    found: list[Holiday] = []
    for since, until in sorted(holidays):
        if until <= since:
            continue
        if found and since <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], until)
        else:
            found.append((since, until))
    return found
