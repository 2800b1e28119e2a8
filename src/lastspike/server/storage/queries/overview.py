"""What the operator may look up: tables, persons and connections, without any game."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, or_, select

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import (
    BEING_FORGOTTEN,
    connection,
    game_table,
    membership,
    person,
    session,
    worker,
)
from lastspike.server.storage.rows import PersonRow, Row, TableRow

from .logs import LOGS, rows_of


class KnownPerson(NamedTuple):
    """A person with the number of their tables and devices."""

    id: str
    name: str
    created_at: int
    tables: int
    devices: int


class OpenConnection(NamedTuple):
    table_id: str
    person_id: str | None
    address: str | None


class Overview:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def tables(
        self, limit: int, *, status: str | None = None, before: int | None = None
    ) -> list[TableRow]:
        """Tables, the last changed first: of one status, and changed before this time."""
        query = select(*(game_table.c[name] for name in TableRow._fields))
        if status is not None:
            query = query.where(game_table.c.status == status)
        if before is not None:
            query = query.where(game_table.c.changed_at < before)
        query = query.order_by(game_table.c.changed_at.desc(), game_table.c.id).limit(limit)
        return [TableRow._make(row) for row in await self._database.rows(query)]

    async def members(self, table_ids: list[str]) -> dict[str, list[PersonRow]]:
        """Who sits at each of these tables."""
        found: dict[str, list[PersonRow]] = {table_id: [] for table_id in table_ids}
        query = (
            select(membership.c.table_id, person.c.id, person.c.name)
            .join(person, person.c.id == membership.c.person_id)
            .where(membership.c.table_id.in_(table_ids))
            .order_by(membership.c.joined_at, person.c.id)
        )
        for table_id, *known in await self._database.rows(query):
            found[table_id].append(PersonRow(*known))
        return found

    async def messages(self, table_id: str) -> list[Row]:
        """The steps of a table that hold messages."""
        found = await self._database.rows(LOGS, table_ids=[table_id], after=0)
        return [row for each in found for row in rows_of(each) if _SAID in row.body]

    async def persons(self, wanted: str, limit: int) -> list[KnownPerson]:
        """Persons whose name has this in it, or whose id it is, the newest first."""
        query = _PERSONS.where(person.c.name != BEING_FORGOTTEN)
        if wanted:
            like = person.c.name.icontains(wanted, autoescape=True)
            query = query.where(or_(like, person.c.id == wanted))
        query = query.order_by(person.c.created_at.desc(), person.c.id).limit(limit)
        return [KnownPerson._make(row) for row in await self._database.rows(query)]

    async def person(self, person_id: str) -> KnownPerson | None:
        query = _PERSONS.where(person.c.id == person_id, person.c.name != BEING_FORGOTTEN)
        rows = await self._database.rows(query)
        return KnownPerson._make(rows[0]) if rows else None

    async def names(self, person_ids: list[str]) -> dict[str, str]:
        query = select(person.c.id, person.c.name).where(person.c.id.in_(person_ids))
        return {row.id: row.name for row in await self._database.rows(query)}

    async def connections(self, alive_since: int) -> list[OpenConnection]:
        """The connections through all live workers, if several may share the database."""
        query = (
            select(connection.c.table_id, connection.c.person_id, connection.c.address)
            .join(worker, worker.c.id == connection.c.worker_id)
            .where(worker.c.beat_at >= alive_since)
        )
        return [OpenConnection._make(row) for row in await self._database.rows(query)]


_SAID = b'"kind":"said"'
"""In the body of every step with a message."""
_PERSONS = select(
    person.c.id,
    person.c.name,
    person.c.created_at,
    select(func.count())
    .select_from(membership)
    .where(membership.c.person_id == person.c.id)
    .scalar_subquery(),
    select(func.count())
    .select_from(session)
    .where(session.c.person_id == person.c.id)
    .scalar_subquery(),
)
