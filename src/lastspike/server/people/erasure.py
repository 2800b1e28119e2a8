"""Erasure: removes a person's name and messages from every table; their games go on.

One transaction first deletes their sessions, links and alerts, and empties their name. All later
work can be repeated: it runs again at the next start and every hour until nothing is left. So a
crash or a late request leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import logging

import msgspec

from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage, StorageDown
from lastspike.server.storage.rows import to_step
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import Conflict
from lastspike.server.table.randomness import new_seed

log = logging.getLogger(__name__)


class Erasure:
    def __init__(
        self, storage: Storage, registry: TableRegistry, open_sockets: OpenSockets
    ) -> None:
        self._storage = storage
        self._registry = registry
        self._open_sockets = open_sockets
        self._one_at_a_time = asyncio.Lock()

    async def erase(self, person: str) -> None:
        """Erase a person. Their sockets end at once; on return, no table names them."""
        self._open_sockets.end(await self._storage.personal_data.begin_erasure(person))
        # Shielded: a caller that disconnects must not cancel it.
        await asyncio.shield(asyncio.ensure_future(self._leave_all(person)))

    async def finish(self) -> None:
        """Finish all erasures that have begun."""
        for person in await self._storage.personal_data.being_erased():
            if await self._leave_all(person):
                await self._storage.personal_data.end_erasure(person)
                await self._storage.personal_data.wipe()

    async def _leave_all(self, person: str) -> bool:
        """Remove the person from every table; returns whether all of it worked."""
        async with self._one_at_a_time:
            done = True
            watched = {
                table_id
                for table_id, table in self._registry.live.items()
                if any(each.person == person for each in table.connections.values())
            }
            about = await self._storage.personal_data.tables_about(person)
            for table_id in watched.union(about):
                done &= await self._leave(table_id, person)
            await self._storage.personal_data.drop_reviews(about)
            await self._storage.personal_data.rewrite(
                [
                    (table_id, row.number, body)
                    for table_id, row in await self._storage.personal_data.steps_about(person)
                    if (body := _masked(to_step(row), person)) != row.body
                ]
            )
            await self._storage.personal_data.wipe()
            return done

    async def _leave(self, table_id: str, person: str) -> bool:
        seed = new_seed()
        try:
            table = await self._registry.table(table_id)
            await table.act(lambda state: commands.forget(state, person, seed))
        except StorageDown:
            raise
        except Conflict:  # too busy; retried later
            return False
        except Exception:  # deleted or unreadable: nobody sees the name
            log.warning("somebody could not leave table %s…", table_id[:6], exc_info=True)
        return True


def _masked(step: e.Step, person: str) -> bytes:
    """The body of a step without a person's name and messages."""
    return e.to_stored(step._replace(events=tuple(masked(each, person) for each in step.events)))[0]


def masked(event: e.AnyLogEvent, person: str) -> e.AnyLogEvent:
    match event:
        case e.SeatTaken(person=named) if named == person:
            return msgspec.structs.replace(event, name=e.SYMBOLS[event.seat])
        case e.Said(person=named) if named == person:
            name = e.SAID_NO_MORE if event.seat is None else e.SYMBOLS[event.seat]
            return msgspec.structs.replace(event, name=name, text=e.SAID_NO_MORE)
        case e.HolidaysAnnounced(person=named) if named == person:
            return msgspec.structs.replace(event, holidays=[])
        case e.PersonRenamed(person=named) if named == person:
            names = {seat: e.SYMBOLS[seat] for seat in event.names}
            return msgspec.structs.replace(event, name=e.SAID_NO_MORE, names=names)
    return event
