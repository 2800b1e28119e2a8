"""Who is connected to a table, and since when the others are away.

One worker knows by itself. Several share what each knows through the database, and a piece of news
with no new step tells the others to look again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lastspike import protocol as p
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table.views import encode

from .table import Connection, LiveTable, now_ms

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

log = logging.getLogger(__name__)

ALIVE_MS = 7_000
"""A worker whose heartbeat is older than this is taken for dead."""
GATHER_S = 0.05


class Presence:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._telling: dict[str, asyncio.Task[None]] = {}

    async def arrived(self, table: LiveTable, connection: Connection) -> None:
        if connection.person is not None:
            table.away.pop(connection.person, None)
        if self._storage.shared:
            await self._storage.connected(connection.id, table.state.id, connection.person)
            await self._storage.announce(table.state.id)
        self.tell_soon(table)

    async def left(self, table: LiveTable, connection: Connection) -> None:
        if connection.person is not None and not self._here(table, connection.person):
            table.away[connection.person] = now_ms()
        if self._storage.shared:
            await self._storage.disconnected(connection.id, now_ms())
            await self._storage.announce(table.state.id)
        self.tell_soon(table)

    async def put_right(self, tables: Iterable[LiveTable]) -> None:
        """The database was away: that somebody left meanwhile could not be written down."""
        written = await self._storage.own_connections()
        here = {each for table in tables for each in table.connections}
        for connection_id, table_id in written.items():
            if connection_id not in here:
                await self._storage.disconnected(connection_id, now_ms())
                await self._storage.announce(table_id)

    def tell_soon(self, table: LiveTable) -> None:
        """Tell everybody at the table who is here; many comings and goings are told at once."""
        if table.connections and table.state.id not in self._telling:
            task = asyncio.get_running_loop().create_task(self._tell(table))
            self._telling[table.state.id] = task

    async def _tell(self, table: LiveTable) -> None:
        try:
            await asyncio.sleep(GATHER_S)
        finally:
            del self._telling[table.state.id]
        try:
            await self._tell_now(table)
        except StorageDown:
            log.warning("presence could not be told: the database is down")

    async def _tell_now(self, table: LiveTable) -> None:
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
        """Since when a person who has a seat is away; None while they are here."""
        away, _ = await self._away(table)
        return away.get(person)

    async def _away(self, table: LiveTable) -> tuple[dict[str, int | None], int]:
        """For everybody with a seat since when they are away, and how many only watch."""
        people = table.state.people()
        if self._storage.shared:
            members, others = await self._storage.presence(table.state.id, now_ms() - ALIVE_MS)
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
