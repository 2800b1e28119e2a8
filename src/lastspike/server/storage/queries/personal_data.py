"""Everything the database holds about a person: its export and its erasure.

Logs are append-only with one exception, which is here: erasure overwrites names and chat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import LargeBinary, bindparam, delete, or_, select, text, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import (
    BEING_FORGOTTEN,
    alert_channel,
    alert_choice,
    connection,
    hidden_chat,
    holiday,
    link,
    membership,
    packed_log,
    person,
    review,
    session,
    step,
    waiting_alert,
    webhook,
)
from lastspike.server.storage.packing import unpack
from lastspike.server.storage.rows import Row

from . import audit, moderation, persons
from .packed_logs import rewrite


class Profile(NamedTuple):
    """A person's data apart from their tables. Hidden chats are pairs of table and person."""

    created_at: int
    publishes_since: int | None
    hidden: list[tuple[str, str]]


class NamingStep(NamedTuple):
    """A step that names a person."""

    table_id: str
    row: Row


class PersonalData:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def profile_of(self, person_id: str) -> Profile:
        own = select(person.c.created_at, person.c.publishes_since).where(person.c.id == person_id)
        hidden = select(hidden_chat.c.table_id, hidden_chat.c.other_id).where(
            hidden_chat.c.person_id == person_id
        )
        async with self._database.single() as reading:
            row = (await reading.execute(own)).first()
            created, publishes_since = row or (0, None)
            return Profile(
                created,
                publishes_since,
                [(row[0], row[1]) for row in await reading.execute(hidden)],
            )

    async def steps_about(self, person_id: str) -> list[NamingStep]:
        """The steps that name the person, in order. Scans all logs, because spectators can chat at
        any table."""
        columns = (step.c.table_id, *(step.c[name] for name in Row._fields))
        holds = "position(:named in step.body)" if self._database.shared else "instr(body, :named)"
        named = text(f"{holds} > 0").bindparams(
            bindparam("named", _naming(person_id), type_=LargeBinary)
        )
        query = select(*columns).where(named).order_by(step.c.table_id, step.c.number)
        rows = await self._database.rows(query)
        # A log may be packed in between: then its steps are found twice, and never missed.
        found = {(row[0], row[1]): Row._make(row[1:]) for row in rows}
        packs = select(packed_log.c.table_id, packed_log.c.body).where(
            packed_log.c.persons.contains(person_id, autoescape=True)
        )
        for table_id, body in await self._database.rows(packs):
            steps = (each for each in unpack(body) if _naming(person_id) in each.body)
            found.update(((table_id, each.number), each) for each in steps)
        return [NamingStep(table_id, found[table_id, number]) for table_id, number in sorted(found)]

    async def tables_about(self, person_id: str) -> list[str]:
        """The tables that name the person, have them as member, or are watched by them."""
        named = {found.table_id for found in await self.steps_about(person_id)}
        for kind in (membership, connection):
            query = select(kind.c.table_id).where(kind.c.person_id == person_id)
            named.update(await self._database.column(query))
        return sorted(named)

    async def begin_erasure(self, person_id: str) -> list[bytes]:
        """End all sessions of the person, and list them in `being_erased`. Returns the sessions;
        all workers are notified of them."""
        async with self._database.writing() as writing:
            await writing.execute(
                update(person).where(person.c.id == person_id).values(name=BEING_FORGOTTEN)
            )
            theirs = session.c.person_id == person_id
            ended = await persons.end_sessions(writing, theirs, notify=self._database.shared)
            for kind in (link, webhook, alert_choice, alert_channel, waiting_alert, holiday):
                await writing.execute(delete(kind).where(kind.c.person_id == person_id))
            await writing.execute(
                delete(hidden_chat).where(
                    or_(hidden_chat.c.person_id == person_id, hidden_chat.c.other_id == person_id)
                )
            )
            await audit.mask(writing, person_id)
            await moderation.forget(writing, person_id)
            return ended

    async def being_erased(self) -> list[str]:
        query = select(person.c.id).where(person.c.name == BEING_FORGOTTEN)
        return await self._database.column(query)

    async def rewrite(self, steps: Sequence[tuple[str, int, bytes]]) -> None:
        """Replace the bodies of these steps."""
        if steps:
            change = (
                update(step)
                .where(step.c.table_id == bindparam("of"), step.c.number == bindparam("at_number"))
                .values(body=bindparam("now"))
            )
            async with self._database.writing() as writing:
                await writing.execute(
                    change, [{"of": of, "at_number": at, "now": now} for of, at, now in steps]
                )
                bodies: defaultdict[str, dict[int, bytes]] = defaultdict(dict)
                for table_id, number, body in steps:
                    bodies[table_id][number] = body
                for table_id, changed in bodies.items():
                    await rewrite(writing, table_id, changed)

    async def drop_reviews(self, table_ids: Sequence[str]) -> None:
        """Delete the reviews of these tables, which contain names; they can be computed again."""
        if table_ids:
            of_these = review.c.table_id == bindparam("of")
            async with self._database.writing() as writing:
                await writing.execute(
                    delete(review).where(of_these), [{"of": i} for i in table_ids]
                )

    async def end_erasure(self, person_id: str) -> None:
        """Delete what is left of the person."""
        async with self._database.writing() as writing:
            await writing.execute(delete(membership).where(membership.c.person_id == person_id))
            await writing.execute(
                update(connection).where(connection.c.person_id == person_id).values(person_id=None)
            )
            await audit.mask(writing, person_id)
            await moderation.forget(writing, person_id)
            await writing.execute(delete(person).where(person.c.id == person_id))

    async def wipe(self) -> None:
        """Remove old pages from SQLite's write-ahead log, which still has the erased data."""
        if not self._database.shared:
            await self._database.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))


def _naming(person_id: str) -> bytes:
    return f'"person":"{person_id}"'.encode()
