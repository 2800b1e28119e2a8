"""Persons, their sessions and one-time links. Only SHA-256 hashes of secrets are kept."""

from __future__ import annotations

from sqlalchemy import Insert, delete, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import BEING_FORGOTTEN, link, person, session
from lastspike.server.storage.rows import PersonRow


class Persons:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, person_id: str, name: str, secret_hash: bytes, now: int, expires: int
    ) -> None:
        """Stores the person with their first session."""
        async with self._database.writing() as connection:
            await connection.execute(
                person.insert().values(id=person_id, name=name, created_at=now)
            )
            await connection.execute(_new_session(person_id, secret_hash, now, expires))

    async def add_session(self, person_id: str, secret_hash: bytes, now: int, expires: int) -> None:
        async with self._database.single() as connection:
            await connection.execute(_new_session(person_id, secret_hash, now, expires))

    async def of_session(self, secret_hash: bytes, now: int) -> PersonRow | None:
        """None if there is no such session, or if it has expired."""
        query = (
            select(person.c.id, person.c.name)
            .join(session, session.c.person_id == person.c.id)
            .where(
                session.c.secret_hash == secret_hash,
                session.c.expires_at > now,
                person.c.name != BEING_FORGOTTEN,
            )
        )
        async with self._database.single() as connection:
            row = (await connection.execute(query)).first()
            return None if row is None else PersonRow._make(row)

    async def extend_session(self, secret_hash: bytes, expires: int) -> None:
        change = update(session).where(session.c.secret_hash == secret_hash)
        async with self._database.single() as connection:
            await connection.execute(change.values(expires_at=expires))

    async def rename(self, person_id: str, name: str) -> None:
        async with self._database.single() as connection:
            await connection.execute(
                update(person).where(person.c.id == person_id).values(name=name)
            )

    async def end_sessions(self, person_id: str, except_hash: bytes | None = None) -> None:
        """Ends them, and the links that nobody has used yet: they would bring a device back."""
        end = delete(session).where(session.c.person_id == person_id)
        if except_hash is not None:
            end = end.where(session.c.secret_hash != except_hash)
        async with self._database.writing() as connection:
            await connection.execute(end)
            await connection.execute(delete(link).where(link.c.person_id == person_id))

    async def new_link(self, token_hash: bytes, person_id: str, expires: int) -> None:
        async with self._database.single() as connection:
            await connection.execute(
                link.insert().values(token_hash=token_hash, person_id=person_id, expires_at=expires)
            )

    async def use_link(self, token_hash: bytes, now: int) -> str | None:
        """The id of the person whose link it is: once, whoever else asks at the same moment. None
        if it was used, has expired or never was. It is gone afterwards."""
        use = (
            delete(link)
            .where(link.c.token_hash == token_hash)
            .returning(link.c.person_id, link.c.expires_at)
        )
        async with self._database.single() as connection:
            row = (await connection.execute(use)).first()
            return row.person_id if row is not None and row.expires_at > now else None


def _new_session(person_id: str, secret_hash: bytes, now: int, expires: int) -> Insert:
    return session.insert().values(
        secret_hash=secret_hash, person_id=person_id, created_at=now, expires_at=expires
    )
