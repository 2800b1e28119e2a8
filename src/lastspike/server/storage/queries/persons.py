"""Persons, their sessions and one-time links. Only SHA-256 hashes of secrets are stored."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Insert, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import BEING_FORGOTTEN, link, person, session
from lastspike.server.storage.notifications import ENDED_SESSIONS, to_ended
from lastspike.server.storage.rows import PersonRow, SessionRow

_SESSION = (
    session.c.secret_hash,
    session.c.created_at,
    session.c.expires_at,
    session.c.seen_at,
    session.c.browser,
    session.c.system,
    session.c.host_only,
)
ENDED_AT_ONCE = 100
"""Sessions in one notification; PostgreSQL allows 8,000 bytes."""


class Persons:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person_id: str, name: str, new: SessionRow) -> None:
        """Store a person with their first session."""
        async with self._database.writing() as connection:
            await connection.execute(
                person.insert().values(id=person_id, name=name, created_at=new.created_at)
            )
            await connection.execute(_new_session(person_id, new))

    async def count(self) -> int:
        return sum(await self._database.column(select(func.count()).select_from(person)))

    async def add_session(self, person_id: str, new: SessionRow) -> None:
        await self._database.execute(_new_session(person_id, new))

    async def of_session(self, secret_hash: bytes, now: int) -> tuple[PersonRow, SessionRow] | None:
        """The person and the session; None if the session is unknown or expired."""
        query = (
            select(person.c.id, person.c.name, *_SESSION)
            .join(session, session.c.person_id == person.c.id)
            .where(
                session.c.secret_hash == secret_hash,
                session.c.expires_at > now,
                person.c.name != BEING_FORGOTTEN,
            )
        )
        rows = await self._database.rows(query)
        return (PersonRow(*rows[0][:2]), SessionRow(*rows[0][2:])) if rows else None

    async def sessions_of(self, person_id: str, now: int) -> list[SessionRow]:
        """A person's sessions that have not expired, the last seen first."""
        query = (
            select(*_SESSION)
            .where(session.c.person_id == person_id, session.c.expires_at > now)
            .order_by(session.c.seen_at.desc(), session.c.secret_hash)
        )
        return [SessionRow(*row) for row in await self._database.rows(query)]

    async def living(self, secret_hashes: Sequence[bytes]) -> set[bytes]:
        """Which of these sessions there are."""
        query = select(session.c.secret_hash)
        found: set[bytes] = set()
        for start in range(0, len(secret_hashes), 500):
            these = session.c.secret_hash.in_(secret_hashes[start : start + 500])
            found.update(await self._database.column(query.where(these)))
        return found

    async def update_session(self, new: SessionRow) -> None:
        """Store what has changed about a session."""
        change = update(session).where(session.c.secret_hash == new.secret_hash)
        await self._database.execute(change.values(new._asdict()))

    async def rename(self, person_id: str, name: str) -> None:
        change = update(person).where(person.c.id == person_id)
        await self._database.execute(change.values(name=name))

    async def let_publish(self, person_id: str, since: int | None) -> None:
        """Store since when the person agrees to the publication of their games; None if they
        don't."""
        change = update(person).where(person.c.id == person_id)
        await self._database.execute(change.values(publishes_since=since))

    async def publishes_since(self, person_id: str) -> int | None:
        query = select(person.c.publishes_since).where(person.c.id == person_id)
        found: list[int | None] = await self._database.column(query)
        return found[0] if found else None

    async def publishing(self) -> set[str]:
        """The persons who agree to the publication of their games."""
        query = select(person.c.id).where(
            person.c.publishes_since.is_not(None), person.c.name != BEING_FORGOTTEN
        )
        return set(await self._database.column(query))

    async def end_sessions(
        self,
        person_id: str,
        *,
        only: bytes | None = None,
        but: bytes | None = None,
        keep_links: bool = False,
    ) -> list[bytes]:
        """End a person's sessions: all, one, or all but one; and delete unused links, which would
        start new ones. Returns the sessions that have ended; all workers are notified of them."""
        ending = session.c.person_id == person_id
        if only is not None:
            ending &= session.c.secret_hash == only
        if but is not None:
            ending &= session.c.secret_hash != but
        async with self._database.writing() as writing:
            ended = await end_sessions(writing, ending, notify=self._database.shared)
            if not keep_links:
                await writing.execute(delete(link).where(link.c.person_id == person_id))
            return ended

    async def new_link(self, token_hash: bytes, person_id: str, expires: int) -> None:
        row = {"token_hash": token_hash, "person_id": person_id, "expires_at": expires}
        await self._database.execute(link.insert().values(**row))

    async def use_link(self, token_hash: bytes, now: int) -> str | None:
        """Use the link up and return its person's id; None if it is unknown, used or expired. Only
        one of several simultaneous calls gets the id."""
        use = (
            update(link)
            .where(
                link.c.token_hash == token_hash, link.c.expires_at > now, link.c.used_at.is_(None)
            )
            .values(used_at=now)
            .returning(link.c.person_id)
        )
        rows = await self._database.rows(use)
        return rows[0].person_id if rows else None

    async def dead_link(self, token_hash: bytes) -> tuple[str, bool] | None:
        """Delete a link that could not be used; returns its person's id, and whether it had been
        used. None from the second time on, or if there is no such link."""
        gone = (
            delete(link)
            .where(link.c.token_hash == token_hash)
            .returning(link.c.person_id, link.c.used_at)
        )
        rows = await self._database.rows(gone)
        return (rows[0].person_id, rows[0].used_at is not None) if rows else None


async def end_sessions(
    writing: AsyncConnection, ending: ColumnElement[bool], *, notify: bool
) -> list[bytes]:
    """Delete these sessions within a transaction, and return them; notify all workers of it."""
    gone = delete(session).where(ending).returning(session.c.secret_hash)
    ended = [row[0] for row in await writing.execute(gone)]
    if notify:
        for start in range(0, len(ended), ENDED_AT_ONCE):
            told = to_ended(ended[start : start + ENDED_AT_ONCE])
            await writing.execute(select(func.pg_notify(ENDED_SESSIONS, told)))
    return ended


def _new_session(person_id: str, new: SessionRow) -> Insert:
    return session.insert().values(person_id=person_id, **new._asdict())
