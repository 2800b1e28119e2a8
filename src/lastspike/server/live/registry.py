"""The registry: the tables that this worker has in memory, read from their logs when asked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound
from lastspike.server.table.state import TableState

from .table import LiveTable, to_step

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

IDLE_S = 60.0
"""A table that nobody has watched or used for so long is put away; its log has it."""


class TableRegistry:
    """`changed` hears of every step that a table here has taken, and whether this worker made it;
    `loaded` of every table that was read."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.live: dict[str, LiveTable] = {}
        self.changed: Callable[[LiveTable, list[e.Step], bool], None] = lambda *_: None
        self.loaded: Callable[[LiveTable], None] = lambda _: None
        self.refreshed: Callable[[LiveTable], None] = lambda _: None
        """Hears when another worker says that something but the log has changed: presence."""
        self.wanted: Callable[[str], bool] = lambda _: False
        """Whether a table is to be read when there is news of it, though nobody here watches."""
        self.read: Callable[[LiveTable], Awaitable[None]] = _nothing_to_do
        """What a table needs that was just read, before anybody uses it."""
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}

    async def table(self, table_id: str) -> LiveTable:
        """The table of this id; `NotFound` where there is none."""
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

    async def _load(self, table_id: str) -> LiveTable:
        rows = await self.storage.steps(table_id)
        if not rows:
            raise NotFound("there is no such table")
        state = TableState(table_id)
        for row in rows:
            state.apply(to_step(row))
        table = LiveTable(state, self.storage, self.changed)
        await self.read(table)
        self.live[table_id] = table
        try:
            # Steps made while these were read, whose news came before anybody listened for them.
            await table.catch_up()
        except BaseException:
            self.live.pop(table_id).put_away = True
            raise
        self.loaded(table)
        return table

    async def on_news(self, news: list[tuple[str, int]]) -> None:
        """Workers have made these steps, this one too; step 0 says that somebody came or went."""
        for table_id, number in news:
            table = self.live.get(table_id)
            if table is None:
                if number and self.wanted(table_id):
                    with suppress(NotFound):  # it was deleted meanwhile
                        await self.table(table_id)
            elif number:
                await table.catch_up(number)
            else:
                self.refreshed(table)

    async def on_gap(self) -> None:
        """News may have been missed: ask how far every table is."""
        numbers = await self.storage.numbers(list(self.live))
        await self.on_news(list(numbers.items()))

    def put_away_idle(self) -> int:
        """Forget tables that nobody uses; returns how many."""
        before = time.monotonic() - IDLE_S
        idle = [key for key, table in self.live.items() if not table.busy and table.used < before]
        for key in idle:
            self.live.pop(key).put_away = True
        return len(idle)


async def _nothing_to_do(_table: LiveTable) -> None:
    pass
