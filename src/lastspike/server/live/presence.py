"""Presence: who is connected to a table, and since when the others have been away.

A single worker keeps this in memory. Several workers share it through the database; news with step
number 0 makes the others read it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from lastspike import protocol as p
from lastspike.server.storage import Storage, StorageDown
from lastspike.server.storage.rows import ALIVE_MS
from lastspike.server.table import log_events as e
from lastspike.server.table.now import now_ms
from lastspike.server.table.views import encode

from .connection import Connection
from .registry import TableWatcher
from .table import LiveTable

GATHER_S = 0.05
RETRY_S = 2.0


class Presence(TableWatcher):
    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._sending: dict[str, asyncio.Task[None]] = {}

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        del own
        if any(isinstance(each, e.PersonForgotten) for step in steps for each in step.events):
            self.send_soon(table)  # they are a spectator now

    def presence_changed(self, table: LiveTable) -> None:
        self.send_soon(table)

    async def arrived(self, table: LiveTable, connection: Connection) -> None:
        if connection.person is not None:
            table.away.pop(connection.person, None)
        if self._storage.shared:
            await self._storage.presence.connected(
                connection.id, table.state.id, connection.person, connection.address
            )
            await self._storage.presence.announce(table.state.id)
        self.send_soon(table)

    async def left(self, table: LiveTable, connection: Connection) -> None:
        if connection.person is not None and not self._here(table, connection.person):
            table.away[connection.person] = now_ms()
        if self._storage.shared:
            await self._storage.presence.disconnected(connection.id, now_ms())
            await self._storage.presence.announce(table.state.id)
        self.send_soon(table)

    async def repair(self, tables: Iterable[LiveTable]) -> None:
        """After the database was down, record the disconnections it missed."""
        written = await self._storage.presence.own_connections()
        here = {each for table in tables for each in table.connections}
        for connection_id, table_id in written.items():
            if connection_id not in here:
                await self._storage.presence.disconnected(connection_id, now_ms())
                await self._storage.presence.announce(table_id)

    def send_soon(self, table: LiveTable) -> None:
        """Send presence to all viewers; changes within `GATHER_S` go in one message."""
        if table.connections and table.state.id not in self._sending:
            task = asyncio.get_running_loop().create_task(self._send(table))
            self._sending[table.state.id] = task

    async def _send(self, table: LiveTable) -> None:
        try:
            await asyncio.sleep(GATHER_S)
        finally:
            del self._sending[table.state.id]
        try:
            await self._send_now(table)
        except StorageDown:
            # Nothing else may change for a long time, so it is tried again.
            await asyncio.sleep(RETRY_S)
            self.send_soon(table)

    async def _send_now(self, table: LiveTable) -> None:
        away, spectators = await self._away(table)
        seats = table.state.seats
        since = [None if seat.person is None else away.get(seat.person) for seat in seats]
        data = encode(
            p.Presence(
                here=[
                    seat.person is not None and since[number] is None
                    for number, seat in enumerate(seats)
                ],
                away_since=since,
                spectators=spectators,
            )
        )
        for connection in list(table.connections.values()):
            connection.push(data)

    async def away_since(self, table: LiveTable, person: str) -> int | None:
        """Since when a seated person has been away; None while they are connected."""
        away, _ = await self._away(table)
        return away.get(person)

    async def _away(self, table: LiveTable) -> tuple[dict[str, int | None], int]:
        """Since when each seated person has been away, and the number of spectators."""
        people = table.state.people()
        if self._storage.shared:
            members, others = await self._storage.presence.at_table(
                table.state.id, now_ms() - ALIVE_MS
            )
            seated = {person: members.get(person) for person in people}
            watching = sum(since is None for who, since in members.items() if who not in people)
            return seated, others + watching
        away = {
            person: None if self._here(table, person) else table.away.get(person, table.loaded_at)
            for person in people
        }
        return away, sum(each.person not in people for each in table.connections.values())

    def _here(self, table: LiveTable, person: str) -> bool:
        return any(connection.person == person for connection in table.connections.values())
