"""The chain that this server plays, and the days that can be played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal

from lastspike import protocol as p
from lastspike.daily.chain import DAYS, PUBLIC, Chain, SecretChain, begins_ms, read_day, today
from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import Storage
from lastspike.server.storage.queries.daily import ChainRow
from lastspike.server.table.errors import NotAllowed, NotFound
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed

from .following import Followed

PAST_DAYS = 30
"""The past deals that can be played. A new chain begins so long ago, so that they are all there."""


class Chains:
    """`now` is the server's clock, in milliseconds. `followed` is another server's chain, which is
    played instead of our own."""

    def __init__(
        self,
        storage: Storage,
        kind: Literal["own", "public", "off"],
        now: Callable[[], int] = now_ms,
        followed: Followed | None = None,
    ) -> None:
        self._storage = storage
        self._kind = kind
        self._secret: SecretChain | None = None
        self._followed = followed
        self.now = now

    @property
    def public(self) -> bool:
        """Whether everybody can know the deals early, so that there are no lists."""
        return self._kind == "public" and self._followed is None

    def today(self) -> date:
        return today(self.now())

    def playable(self) -> list[date]:
        """Today and the past days, newest first."""
        now = self.today()
        return [now - timedelta(days=back) for back in range(PAST_DAYS + 1)]

    async def chain(self) -> Chain:
        return (await self._chain()).chain

    async def anchor(self) -> str:
        return (await self.chain()).anchor.hex()

    async def told(self) -> p.DailyChain:
        chain = await self.chain()
        whose = None if self._followed is None else self._followed.host
        return p.DailyChain(chain.anchor.hex(), chain.first.isoformat(), self.public, whose)

    async def commitment(self, day: date) -> bytes:
        """The link of the day before, which is the commitment to a deal."""
        return (await self._chain()).link(day - timedelta(days=1))

    async def link_to_play(self, day: date) -> bytes:
        """The link of a day, to deal and to score with. It is secret until the day is over, and
        never read for later days."""
        if day > self.today():
            raise NotFound("this deal isn’t known yet")
        chain = await self._chain()
        if self._followed is not None and chain.chain.number(day) > chain.days:
            raise NotFound("today’s deal isn’t here yet; try again in a minute")
        return chain.link(day)

    async def revealed(self, day: date) -> bytes:
        """The link of a day that is over; `NotAllowed` before that."""
        if day >= self.today():
            raise NotAllowed("this deal will be published when its day is over")
        return (await self._chain()).link(day)

    def read_day(self, text: str) -> date:
        """A day that can be played; `NotFound` for all others."""
        try:
            day = read_day(text)
        except LastSpikeError as error:
            raise NotFound(error.template, **error.facts) from None
        if day not in self.playable():
            raise NotFound("you can only play deals from the last {days} days", days=PAST_DAYS)
        return day

    async def _chain(self) -> SecretChain:
        if self._kind == "off":
            raise NotFound("there is no Daily Deal on this server")
        if self._followed is not None:
            return await self._followed.until(self.today())
        if self._kind == "public":
            return PUBLIC
        if self._secret is None:
            first = self.today() - timedelta(days=PAST_DAYS)
            new = ChainRow(first.isoformat(), new_seed(), DAYS)
            row = await self._storage.daily.chain(new)
            self._secret = SecretChain(date.fromisoformat(row.first), row.last, row.days)
        return self._secret


def ends_ms(day: date) -> int:
    """When a day is over, in milliseconds."""
    return begins_ms(day + timedelta(days=1))
