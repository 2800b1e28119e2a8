"""The registry of the tables in this worker's memory, loaded from their logs on demand.

The scheduler, presence, alerts and metrics watch the registry.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress

from lastspike import protocol as p
from lastspike.server.storage.rows import DELETED
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound
from lastspike.server.table.list_entry import list_entry
from lastspike.server.table.state import TableState

from .store import Store
from .table import LiveTable

IDLE_S = 60.0
"""A table unused for this long is unloaded."""
MOST_IDLE = 200
LOOK_EVERY = 50
"""How many unused tables stay in memory, and after how many others were loaded they are counted:
somebody who asks for one table after another must not fill the memory."""


class TableWatcher:
    """Is notified about tables in memory. Override what you need."""

    async def before_use(self, table: LiveTable) -> None:
        """A table was loaded; it is not used before this returns."""

    def loaded(self, table: LiveTable) -> None:
        """A table is in memory and up to date."""

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        """A table has new steps; `own` means that this worker made them."""

    def presence_changed(self, table: LiveTable) -> None:
        """A viewer connected or disconnected at another worker."""

    def wants(self, table_id: str) -> bool:
        """Whether news of this table should load it into memory."""
        del table_id
        return False


class TableRegistry:
    def __init__(self, storage: Store) -> None:
        self.storage = storage
        self.live: dict[str, LiveTable] = {}
        self._watchers: list[TableWatcher] = []
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._loaded = 0

    def watch(self, *watchers: TableWatcher) -> None:
        """Add watchers; they are notified in this order."""
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
        """The table with every step so far, including other workers' latest."""
        table = await self.table(table_id)
        if self.storage.shared:
            await table.catch_up()
        return table

    async def listed(self, table_ids: Iterable[str], person: str | None) -> list[p.TableListed]:
        """These tables as a person sees them in a list, skipping deleted ones."""
        found = []
        for table_id in table_ids:
            with suppress(NotFound):
                found.append(list_entry((await self.table(table_id)).state, person))
        return found

    async def _load(self, table_id: str) -> LiveTable:
        state = TableState(table_id)
        async for steps in self.storage.logs.read(table_id):
            for step in steps:
                state.apply(step)
        if not state.number:
            raise NotFound("there is no such table")
        table = LiveTable(state, self.storage, self._changed)
        for watcher in self._watchers:
            await watcher.before_use(table)
        self.live[table_id] = table
        try:
            # The news of steps appended during the read came too early for this table.
            await table.catch_up()
        except BaseException:
            self.live.pop(table_id).unloaded = True
            raise
        for watcher in self._watchers:
            watcher.loaded(table)
        self._loaded += 1
        if self._loaded % LOOK_EVERY == 0:
            self.unload_idle()
        return table

    def _changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        for watcher in self._watchers:
            watcher.changed(table, steps, own)

    def deleted(self, table_id: str) -> None:
        """A table was deleted from the database: unload it, and close its viewers' sockets."""
        table = self.live.pop(table_id, None)
        if table is not None:
            table.deleted()

    async def on_news(self, news: list[tuple[str, int]]) -> None:
        """Handle steps appended by any worker; step 0 means that presence changed."""
        for table_id, number in news:
            table = self.live.get(table_id)
            if number == DELETED:
                self.deleted(table_id)
            elif table is None:
                if number and any(watcher.wants(table_id) for watcher in self._watchers):
                    with suppress(NotFound):  # it was deleted
                        await self.table(table_id)
            elif number:
                await table.catch_up(number)
            else:
                for watcher in self._watchers:
                    watcher.presence_changed(table)

    async def on_gap(self) -> None:
        """News may have been missed: compare every table with the database."""
        known = list(self.live)
        numbers = await self.storage.logs.numbers(known)
        for table_id in known:
            if table_id not in numbers:
                self.deleted(table_id)
        await self.on_news(list(numbers.items()))

    def unload_idle(self) -> int:
        """Unload tables that were not used for long, and those beyond `MOST_IDLE`; returns how
        many."""
        before = time.monotonic() - IDLE_S
        idle = [(table.used, key) for key, table in self.live.items() if not table.busy]
        idle.sort(reverse=True)
        gone = [
            key for place, (used, key) in enumerate(idle) if used < before or place >= MOST_IDLE
        ]
        for key in gone:
            self.live.pop(key).unloaded = True
        return len(gone)
