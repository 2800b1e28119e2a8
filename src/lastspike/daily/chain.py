"""The chain of commitments behind the daily deals.

A chain is a list of 32-byte links in which each is the SHA-256 of the next. The first one, the
anchor, is published before any deal. The link of a day is the seed of its deal, and so the link of
the day before, which is public by then, is the commitment to it. Whoever knows a link can compute
all links before it and none after it.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.shuffle import SECRET_BYTES, commitment

DAYS = 36_525
"""The length of a new chain: a hundred years of days."""
PUBLIC_NAME = "public"


class Link(NamedTuple):
    """The link of a day, `number` days after the chain's anchor."""

    number: int
    value: bytes


class Chain(NamedTuple):
    """A chain as everybody knows it: its anchor, and the day of link 1."""

    anchor: bytes
    first: date

    def number(self, day: date) -> int:
        """The number of the day's link; 0 and less before the first day."""
        return (day - self.first).days + 1

    def day(self, number: int) -> date:
        return self.first + timedelta(days=number - 1)

    def holds(self, day: date, value: bytes) -> bool:
        """Whether this value is the link of that day: hashed once for each day of the chain up to
        it, it must give the anchor."""
        number = self.number(day)
        if number < 1 or len(value) != SECRET_BYTES:
            return False
        for _ in range(number):
            value = commitment(value)
        return value == self.anchor


class SecretChain(NamedTuple):
    """A chain with its last link, from which all others follow. Never send it to anybody."""

    first: date
    last: bytes
    days: int = DAYS

    @property
    def chain(self) -> Chain:
        return Chain(_links(self.last, self.days)[0], self.first)

    def link(self, day: date) -> bytes:
        """The link of a day; `LastSpikeError` outside the chain."""
        number = (day - self.first).days + 1
        if not 0 <= number <= self.days:
            raise LastSpikeError("this chain has no deal for {day}", day=day.isoformat())
        return _links(self.last, self.days)[number]


@lru_cache(maxsize=4)
def _links(last: bytes, days: int) -> list[bytes]:
    links = [last]
    for _ in range(days):
        links.append(commitment(links[-1]))
    links.reverse()
    return links


PUBLIC = SecretChain(
    date(2026, 1, 1), hashlib.sha256(b"The Last Spike: the public daily deals").digest()
)
"""The chain that ships with the project, the same for everybody who plays without a server. Its
deals are no secret: the program that deals them can compute any day's."""


def today(now_ms: int) -> date:
    """The day of the Daily Deal at this time: it changes at midnight UTC, everywhere at once."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).date()


def begins_ms(day: date) -> int:
    """When a day begins, in milliseconds."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def read_day(text: str) -> date:
    """A day written as 2026-11-19; `LastSpikeError` for anything else."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise LastSpikeError("{day} isn’t a date like 2026-11-19", day=text[:20])
    return day
