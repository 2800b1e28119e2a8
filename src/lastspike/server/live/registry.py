"""The registry: the tables that this worker has in memory, loaded from their logs on demand.

What else has to know about tables (the scheduler, presence, alerts, metrics) watches the registry.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from lastspike import protocol as p
from lastspike.server.storage.rows import to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound
from lastspike.server.table.state import replay
from lastspike.server.table.views import table_line

from .table import LiveTable

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

IDLE_S = 60.0
"""A table that nobody has watched or used for this long is unloaded; its log has it."""


class TableWatcher:
    """Told of tables in memory. Override what you need."""

    async def before_use(self, table: LiveTable) -> None:
        """A table was loaded; nobody uses it before this returns."""

    def loaded(self, table: LiveTable) -> None:
        """A table is in memory and up to date."""

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        """A table has new steps, which this worker made or read."""

    def presence_changed(self, table: LiveTable) -> None:
        """Somebody connected or disconnected through another worker."""

    def wants(self, table_id: str) -> bool:
        """Whether news of this table should load it, though nobody here has it open."""
        del table_id
        return False


class TableRegistry:
    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.live: dict[str, LiveTable] = {}
        self._watchers: list[TableWatcher] = []
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}

    def watch(self, *watchers: TableWatcher) -> None:
        """Tell these of every table, in this order."""
        self._watchers += watchers

    async def table(self, table_id: str) -> LiveTable:
        """The table with this id; `NotFound` if there is none."""
        table = self.live.get(table_id)
        if table is not None:
            table.used = time.monotonic()
            return table
        loading = self._loading.get(table_id)
        if loading is None:
            loading = asyncio.ensure_future(self._load(table_id))
            self._loading[table_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(loading)

    async def newest(self, table_id: str) -> LiveTable:
        """The table with every step so far, also those other workers made a moment ago."""
        table = await self.table(table_id)
        if self.storage.shared:
            await table.catch_up()
        return table

    async def listed(self, table_ids: Iterable[str], person: str | None) -> list[p.TableListed]:
        """These tables as a person sees them in a list, without those deleted meanwhile."""
        found = []
        for table_id in table_ids:
            with suppress(NotFound):
                found.append(table_line((await self.table(table_id)).state, person))
        return found

    async def _load(self, table_id: str) -> LiveTable:
        rows = await self.storage.logs.steps(table_id)
        if not rows:
            raise NotFound("there is no such table")
        table = LiveTable(replay(table_id, map(to_step, rows)), self.storage, self._changed)
        for watcher in self._watchers:
            await watcher.before_use(table)
        self.live[table_id] = table
        try:
            # Steps appended while these were read: their news came before anybody listened.
            await table.catch_up()
        except BaseException:
            self.live.pop(table_id).unloaded = True
            raise
        for watcher in self._watchers:
            watcher.loaded(table)
        return table

    def _changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        for watcher in self._watchers:
            watcher.changed(table, steps, own)

    async def on_news(self, news: list[tuple[str, int]]) -> None:
        """Workers have appended these steps, this one too; step 0 means that presence changed."""
        for table_id, number in news:
            table = self.live.get(table_id)
            if table is None:
                if number and any(watcher.wants(table_id) for watcher in self._watchers):
                    with suppress(NotFound):  # it was deleted meanwhile
                        await self.table(table_id)
            elif number:
                await table.catch_up(number)
            else:
                for watcher in self._watchers:
                    watcher.presence_changed(table)

    async def on_gap(self) -> None:
        """News may have been missed: ask how far every table is."""
        numbers = await self.storage.logs.numbers(list(self.live))
        await self.on_news(list(numbers.items()))

    def unload_idle(self) -> int:
        """Drop tables that nobody uses; returns how many."""
        before = time.monotonic() - IDLE_S
        idle = [key for key, table in self.live.items() if not table.busy and table.used < before]
        for key in idle:
            self.live.pop(key).unloaded = True
        return len(idle)
