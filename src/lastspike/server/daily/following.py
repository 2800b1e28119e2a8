"""Another server's chain, which this one plays too: each day's link comes from there.

That server's links are checked against its anchor, which is kept when it is first heard of. So it
can't change a deal; but whoever runs it can know them early, as with a chain of one's own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import date
from time import monotonic
from urllib.parse import urlsplit

import msgspec

from lastspike import protocol as p
from lastspike.daily.chain import Chain, SecretChain, read_day
from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import Storage
from lastspike.server.storage.queries.daily import ChainRow
from lastspike.server.table.errors import NotFound

log = logging.getLogger(__name__)

ROUTE = "/api/daily/link"
AGAIN_S = 30.0
"""How long after a failure the other server is asked again."""
MOST_LINKS = 200_000
"""No chain is longer: each check hashes so many times."""

Fetch = Callable[[str, dict[str, str]], Awaitable[bytes]]
"""Reads a URL, with these headers."""

_told = msgspec.json.Decoder(p.DailyProof)


class Followed:
    """The chain of the server at `url`, which gives its link of today to who knows the `key`."""

    def __init__(self, storage: Storage, url: str, key: str, fetch: Fetch) -> None:
        self._storage = storage
        self._url = url.rstrip("/")
        self.host = urlsplit(self._url).hostname or ""
        self._key = key
        self._fetch = fetch
        self._known: SecretChain | None = None
        self._failed = -AGAIN_S
        self._lock = asyncio.Lock()

    async def until(self, day: date) -> SecretChain:
        """The chain up to this day, or as far as it is known. `NotFound` if it isn't known at all:
        the other server has never answered."""
        async with self._lock:
            if self._known is None:
                self._known = await self._stored()
            if self._known is None or not self._reaches(day):
                await self._ask()
        if self._known is None:
            raise NotFound("today’s deal isn’t here yet; try again in a minute")
        return self._known

    def _reaches(self, day: date) -> bool:
        known = self._known
        return known is not None and (day - known.first).days + 1 <= known.days

    async def _stored(self) -> SecretChain | None:
        row = await self._storage.daily.known_chain(self._url)
        return None if row is None else _chain(row)

    async def _ask(self) -> None:
        """Ask for the newest link, and keep it if it continues the chain."""
        if monotonic() - self._failed < AGAIN_S:
            return
        try:
            headers = {"Authorization": f"Bearer {self._key}"}
            answer = await self._fetch(f"{self._url}{ROUTE}", headers)
            row = _checked(_told.decode(answer), self._known)
        except (LastSpikeError, msgspec.MsgspecError, ValueError, OSError) as error:
            self._failed = monotonic()
            log.warning("no link of the Daily Deal from %s: %s", self._url, error)
            return
        await self._storage.daily.keep_chain(self._url, row)
        self._known = _chain(row)


def _checked(told: p.DailyProof, known: SecretChain | None) -> ChainRow:
    """What is told of a chain, if it is one, and goes on from what is known of it."""
    if told.chain.public:
        raise ValueError("its chain is public; set daily to public instead")
    anchor, link = bytes.fromhex(told.chain.anchor), bytes.fromhex(told.link)
    chain = Chain(anchor, read_day(told.chain.first))
    day = read_day(told.day)
    number = chain.number(day)
    if not 1 <= number <= MOST_LINKS or not chain.holds(day, link):
        raise ValueError("its link doesn't belong to its chain")
    if known is not None and known.chain != chain:
        raise ValueError("it has another chain than before")
    return ChainRow(told.chain.first, link, number)


def _chain(row: ChainRow) -> SecretChain:
    return SecretChain(date.fromisoformat(row.first), row.last, row.days)
