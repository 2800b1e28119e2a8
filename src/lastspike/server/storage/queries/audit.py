"""The audit log: who did what that an operator may have to explain later."""

from __future__ import annotations

import json
import secrets
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import audit_event

OPERATOR = "operator"
SYSTEM = "system"
ANYBODY = "anybody"
"""Somebody who is not known as a person."""
ERASED = "erased"
"""Replaces a person who has been erased."""
MOST_BY_PERSONS = 100_000
"""Events of persons that are kept, the newest: nobody can fill the disk by causing them."""
MOST_DETAIL = 500
"""Characters of one text in an event's details."""

What = Literal[
    "operator_key_wrong",
    "table_closed",
    "table_deleted",
    "person_renamed",
    "person_erased",
    "chat_redacted",
    "banned",
    "ban_ended",
    "announced",
    "announcement_ended",
    "report_settled",
    "link_made",
    "link_failed",
    "device_added",
    "device_ended",
    "other_devices_ended",
    "logged_out",
]
"""What an event can be. The page and the command name each in the operator's language."""


class AuditEvent(NamedTuple):
    """`who` is `operator`, `system`, a person's id, `anybody`, or `erased`."""

    id: str
    at: int
    who: str
    what: str
    table_id: str | None
    person_id: str | None
    detail: dict[str, Any]


class Audit:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        at: int,
        who: str,
        what: What,
        *,
        table: str | None = None,
        person: str | None = None,
        **detail: str | int,
    ) -> None:
        """Store an event of the operator, the system or a person (their id), about a table or a
        person. The details say more, and may identify the person: erasure removes them. No secret
        belongs in them, nor a hash of one, nor what somebody holds in a game."""
        cut = {
            name: value[:MOST_DETAIL] if isinstance(value, str) else value
            for name, value in detail.items()
        }
        row = {
            "id": _at_or_after(at) + secrets.token_hex(6),
            "at": at,
            "who": who,
            "what": what,
            "table_id": table,
            "person_id": person,
            "detail": json.dumps(cut),
        }
        await self._database.execute(audit_event.insert().values(**row))

    async def newest(
        self,
        limit: int | None,
        *,
        before: str | None = None,
        table: str | None = None,
        person: str | None = None,
    ) -> list[AuditEvent]:
        """Events, the newest first: those before the event with this id, and about a table or a
        person if one is given; a person's own count as about them."""
        query = select(*(audit_event.c[name] for name in AuditEvent._fields))
        if before is not None:
            query = query.where(audit_event.c.id < before)
        if table is not None:
            query = query.where(audit_event.c.table_id == table)
        if person is not None:
            query = query.where(_concerns(person))
        rows = await self._database.rows(query.order_by(audit_event.c.id.desc()).limit(limit))
        return [AuditEvent._make((*row[:-1], json.loads(row[-1]))) for row in rows]

    async def delete_older(self, before: int) -> None:
        """Delete events from before this time, and the oldest of persons if they have caused more
        than `MOST_BY_PERSONS`. The operator's and the system's are never crowded out."""
        by_persons = audit_event.c.who.not_in((OPERATOR, SYSTEM))
        first_kept = (
            select(audit_event.c.id)
            .where(by_persons)
            .order_by(audit_event.c.id.desc())
            .offset(MOST_BY_PERSONS - 1)
            .limit(1)
            .scalar_subquery()
        )
        async with self._database.writing() as writing:
            await writing.execute(
                delete(audit_event).where(audit_event.c.id < _at_or_after(before))
            )
            await writing.execute(
                delete(audit_event).where(by_persons, audit_event.c.id < first_kept)
            )


def _at_or_after(at: int) -> str:
    """How ids of this time begin: they are in the order of time. Numbers given by the database
    would have to be restored from backups as well."""
    return f"{at:012x}"


def _concerns(person: str) -> ColumnElement[bool]:
    return or_(audit_event.c.person_id == person, audit_event.c.who == person)


async def mask(writing: AsyncConnection, person: str) -> None:
    """Remove from the log what identifies a person who is being erased. What happened, when, and
    at which table stays."""
    for column in (audit_event.c.who, audit_event.c.person_id):
        change = update(audit_event).where(column == person)
        await writing.execute(change.values({column: ERASED, audit_event.c.detail: "{}"}))
