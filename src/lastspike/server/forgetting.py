"""Forgetting a person: their name and their words leave every table, and the games go on.

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

from lastspike.rules.shuffle import SECRET_BYTES

from . import deciding
from . import happenings as h
from .errors import Conflict
from .hall import Hall
from .live import to_step
from .storage.errors import StorageDown

if TYPE_CHECKING:
    from .storage import Storage

log = logging.getLogger(__name__)


class Forgetting:
    def __init__(self, storage: Storage, hall: Hall) -> None:
        self._storage = storage
        self._hall = hall
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
                for table_id, table in self._hall.live.items()
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
            table = await self._hall.table(table_id)
            await table.act(lambda state: deciding.forget(state, person, seed))
        except StorageDown:
            raise
        except Conflict:  # too busy: the next time
            return False
        except Exception:  # a table that is gone or can't be read has nobody to tell
            log.warning("somebody could not leave table %s…", table_id[:6], exc_info=True)
        return True


def _masked(step: h.Step, person: str) -> bytes:
    """The body of a step without the name and the words of a person."""
    return h.to_stored(
        step._replace(happenings=tuple(masked(each, person) for each in step.happenings))
    )[0]


def masked(happening: h.AnyHappening, person: str) -> h.AnyHappening:
    match happening:
        case h.SeatTaken(person=named) if named == person:
            return msgspec.structs.replace(happening, name=h.SYMBOLS[happening.seat])
        case h.Said(person=named) if named == person:
            name = h.SAID_NO_MORE if happening.seat is None else h.SYMBOLS[happening.seat]
            return msgspec.structs.replace(happening, name=name, text=h.SAID_NO_MORE)
    return happening
