"""The announcements that hold now, in this worker's memory: every socket hears of them."""

from __future__ import annotations

import asyncio

from lastspike import protocol as p
from lastspike.server.live.connection import Connection
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage
from lastspike.server.table.now import now_ms
from lastspike.server.table.views import encode


class Announcements:
    def __init__(self, storage: Storage, registry: TableRegistry) -> None:
        self._storage = storage
        self._registry = registry
        self._all: list[p.Announcement] = []
        self._timer: asyncio.TimerHandle | None = None

    @property
    def now(self) -> list[p.Announcement]:
        """Those that have not ended, the oldest first."""
        now = now_ms()
        return [each for each in self._all if each.ends > now]

    async def load(self) -> None:
        """Read them again, and tell everybody who is connected."""
        before = self.now
        self._all = [
            p.Announcement(*row) for row in await self._storage.moderation.announcements(now_ms())
        ]
        if self.now != before:
            self._tell_all()
        self._wake()

    def tell(self, connection: Connection) -> None:
        """Tell one viewer, who has just been welcomed."""
        if self.now:
            connection.push(encode(p.Announced(self.now)))

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _tell_all(self) -> None:
        data = encode(p.Announced(self.now))
        for table in list(self._registry.live.values()):
            for connection in list(table.connections.values()):
                connection.push(data)

    def _wake(self) -> None:
        """Tell everybody again when the next one ends."""
        self.close()
        ends = [each.ends for each in self._all if each.ends > now_ms()]
        if ends:
            seconds = max(0.0, (min(ends) - now_ms()) / 1000) + 0.05
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(seconds, 3600.0), self._ended)

    def _ended(self) -> None:
        if len(self.now) != len(self._all):
            self._all = self.now
            self._tell_all()
        self._wake()
