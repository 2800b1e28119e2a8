"""Erasure a person: their name and their words leave every table, and the games go on.

It begins with one transaction that ends who they are: no cookie, link or alert, and a name that is
empty. All the rest can be done again without harm, and is, at the next start and every hour, until
nothing is left. So nothing stays behind when the server dies half-way, and nothing that was asked
for a moment before escapes.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

import msgspec

from lastspike.rules.records.shuffle import SECRET_BYTES
from lastspike.server.live.registry import TableRegistry
from lastspike.server.live.table import to_step
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import Conflict

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

log = logging.getLogger(__name__)


class Erasure:
    def __init__(self, storage: Storage, registry: TableRegistry) -> None:
        self._storage = storage
        self._registry = registry
        self._one_at_a_time = asyncio.Lock()

    async def forget(self, person: str) -> None:
        """When this returns no table names the person any more."""
        await self._storage.begin_forgetting(person)
        # Not to be cut short by somebody who does not wait for the answer.
        await asyncio.shield(asyncio.ensure_future(self._leave_all(person)))

    async def finish(self) -> None:
        """Look once more after those who were forgotten since the last time."""
        for person in await self._storage.being_forgotten():
            if await self._leave_all(person):
                await self._storage.end_forgetting(person)
                await self._storage.wipe()

    async def _leave_all(self, person: str) -> bool:
        """Whether all of it could be done."""
        async with self._one_at_a_time:
            done = True
            watched = {
                table_id
                for table_id, table in self._registry.live.items()
                if any(each.person == person for each in table.connections.values())
            }
            about = await self._storage.tables_about(person)
            for table_id in watched.union(about):
                done &= await self._leave(table_id, person)
            await self._storage.drop_reviews(about)
            await self._storage.rewrite(
                [
                    (table_id, row.number, body)
                    for table_id, row in await self._storage.steps_about(person)
                    if (body := _masked(to_step(row), person)) != row.body
                ]
            )
            await self._storage.wipe()
            return done

    async def _leave(self, table_id: str, person: str) -> bool:
        seed = secrets.token_bytes(SECRET_BYTES)
        try:
            table = await self._registry.table(table_id)
            await table.act(lambda state: commands.forget(state, person, seed))
        except StorageDown:
            raise
        except Conflict:  # too busy: the next time
            return False
        except Exception:  # a table that is gone or can't be read has nobody to tell
            log.warning("somebody could not leave table %s…", table_id[:6], exc_info=True)
        return True


def _masked(step: e.Step, person: str) -> bytes:
    """The body of a step without the name and the words of a person."""
    return e.to_stored(step._replace(events=tuple(masked(each, person) for each in step.events)))[0]


def masked(event: e.AnyLogEvent, person: str) -> e.AnyLogEvent:
    match event:
        case e.SeatTaken(person=named) if named == person:
            return msgspec.structs.replace(event, name=e.SYMBOLS[event.seat])
        case e.Said(person=named) if named == person:
            name = e.SAID_NO_MORE if event.seat is None else e.SYMBOLS[event.seat]
            return msgspec.structs.replace(event, name=name, text=e.SAID_NO_MORE)
    return event
