"""How often one person is alerted: others must not be able to flood them.

Kept in memory, by each worker. What may not be sent at once is not lost: it waits, and goes into
one message with whatever else waits for the person.
"""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import TypeVar

from .timing import HOUR_MS, Kind

log = logging.getLogger(__name__)

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

MOST_AN_HOUR = 60
"""Messages to a person that are sent at once. Each goes to all their browsers and addresses."""
SEATS_MS = 10 * 60_000
"""The shortest time between two alerts to a person of seats taken at one table."""
GATHER_MS = 10 * 60_000
"""What has to wait is sent at the next full ten minutes, so that it goes in one message."""
MOST_KEPT = 5_000
"""People, and tables of people, that are remembered."""


class Pace:
    def __init__(self) -> None:
        self._sent: OrderedDict[str, deque[int]] = OrderedDict()
        self._seats: OrderedDict[tuple[str, str], int] = OrderedDict()

    def earliest(self, person: str, table: str, kind: Kind, now: int) -> int:
        """When an alert may be sent to a person: now, or at some later full ten minutes."""
        last = self._seats.get((person, table))
        if kind == "seat_taken" and last is not None and 0 <= now - last < SEATS_MS:
            return _gathered(last + SEATS_MS)
        return _gathered(now + 1) if self._is_full(person, now) else now

    def sent(self, person: str, alerts: Iterable[tuple[str, Kind]], now: int) -> None:
        """A person was sent a message with these alerts, each of a table."""
        for table, kind in alerts:
            if kind == "seat_taken":
                _keep(self._seats, (person, table), now)
        times = self._sent.get(person, deque(maxlen=MOST_AN_HOUR))
        times.append(now)
        _keep(self._sent, person, times)
        if self._is_full(person, now):
            log.info("a person got %d messages within an hour: more wait", MOST_AN_HOUR)

    def _is_full(self, person: str, now: int) -> bool:
        times = self._sent.get(person)
        if times is None or len(times) < MOST_AN_HOUR:
            return False
        return 0 <= now - times[0] < HOUR_MS


def _gathered(at: int) -> int:
    """The next full ten minutes."""
    return -(-at // GATHER_MS) * GATHER_MS


def _keep(kept: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > MOST_KEPT:
        kept.popitem(last=False)
