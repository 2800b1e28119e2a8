"""Persons, their sessions and one-time links. Only SHA-256 hashes of secrets are stored."""

from __future__ import annotations

from sqlalchemy import Insert, delete, func, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import BEING_FORGOTTEN, link, person, session
from lastspike.server.storage.rows import PersonRow


class Persons:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, person_id: str, name: str, secret_hash: bytes, now: int, expires: int
    ) -> None:
        """Store a person with their first session."""
        async with self._database.writing() as connection:
            await connection.execute(
                person.insert().values(id=person_id, name=name, created_at=now)
            )
            await connection.execute(_new_session(person_id, secret_hash, now, expires))

    async def count(self) -> int:
        return sum(await self._database.column(select(func.count()).select_from(person)))

    async def add_session(self, person_id: str, secret_hash: bytes, now: int, expires: int) -> None:
        await self._database.execute(_new_session(person_id, secret_hash, now, expires))

    async def of_session(self, secret_hash: bytes, now: int) -> PersonRow | None:
        """The person; None if the session is unknown or expired."""
        query = (
            select(person.c.id, person.c.name)
            .join(session, session.c.person_id == person.c.id)
            .where(
                session.c.secret_hash == secret_hash,
                session.c.expires_at > now,
                person.c.name != BEING_FORGOTTEN,
            )
        )
        rows = await self._database.rows(query)
        return PersonRow._make(rows[0]) if rows else None

    async def extend_session(self, secret_hash: bytes, expires: int) -> None:
        change = update(session).where(session.c.secret_hash == secret_hash)
        await self._database.execute(change.values(expires_at=expires))

    async def rename(self, person_id: str, name: str) -> None:
        change = update(person).where(person.c.id == person_id)
        await self._database.execute(change.values(name=name))

    async def end_sessions(self, person_id: str, except_hash: bytes | None = None) -> None:
        """End all other sessions, and delete unused links, which would start new ones."""
        end = delete(session).where(session.c.person_id == person_id)
        if except_hash is not None:
            end = end.where(session.c.secret_hash != except_hash)
        async with self._database.writing() as connection:
            await connection.execute(end)
            await connection.execute(delete(link).where(link.c.person_id == person_id))

    async def new_link(self, token_hash: bytes, person_id: str, expires: int) -> None:
        row = {"token_hash": token_hash, "person_id": person_id, "expires_at": expires}
        await self._database.execute(link.insert().values(**row))

    async def use_link(self, token_hash: bytes, now: int) -> str | None:
        """Delete the link and return its person's id; None if it is unknown, used or expired. Only
        one of several simultaneous calls gets the id."""
        use = (
            delete(link)
            .where(link.c.token_hash == token_hash)
            .returning(link.c.person_id, link.c.expires_at)
        )
        rows = await self._database.rows(use)
        return rows[0].person_id if rows and rows[0].expires_at > now else None


def _new_session(person_id: str, secret_hash: bytes, now: int, expires: int) -> Insert:
    return session.insert().values(
        secret_hash=secret_hash, person_id=person_id, created_at=now, expires_at=expires
    )
