"""The version of a database's tables, without Alembic: importing it takes longer than the rest of
opening a database, and only an upgrade needs it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Text, column, inspect, select, table
from sqlalchemy.ext.asyncio import AsyncEngine

from lastspike.server.storage.database import VERSION_TABLE, reporting_down

MIGRATIONS = Path(__file__).parents[1] / "migrations"


async def current_revision(engine: AsyncEngine) -> str | None:
    """The database's revision; None if it has none of our tables."""
    with reporting_down():
        async with engine.connect() as connection:
            return await connection.run_sync(revision_of)


def revision_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version = column("version_num", Text)
    return connection.scalars(select(version).select_from(table(VERSION_TABLE))).one_or_none()


def newest_revision() -> str:
    """That of the last migration: `0002` of `v0002_reviews.py`."""
    return max(path.name for path in MIGRATIONS.glob("versions/v*.py"))[1:5]
