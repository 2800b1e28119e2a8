"""Bringing a database's tables up to this version, and telling whether they are."""

from __future__ import annotations

import logging
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from .database import Database, alembic_commands, telling_if_down

# Alembic tells every step it takes; nobody but a person looking for a fault wants to read it.
logging.getLogger("alembic").setLevel(logging.WARNING)


async def upgrade(url: str) -> None:
    """Makes the tables, or changes them into those of this version. Does nothing when they are."""
    database = Database(url)
    try:
        await upgrade_engine(database.engine)
    finally:
        await database.engine.dispose()


async def is_current(url: str) -> bool:
    database = Database(url)
    try:
        return await current_revision(database.engine) == newest_revision(database.engine)
    finally:
        await database.engine.dispose()


async def upgrade_engine(engine: AsyncEngine) -> None:
    commands = alembic_commands(engine)

    def run(connection: Connection) -> None:
        commands.config.attributes["connection"] = connection
        commands.upgrade()

    with telling_if_down():
        async with engine.begin() as connection:
            await connection.run_sync(run)


async def current_revision(engine: AsyncEngine) -> str | None:
    """The revision that the database is at; None while it has no tables of ours."""
    table = alembic_commands(engine).config.version_table_name

    def read(connection: Connection) -> Any:
        context = MigrationContext.configure(connection, opts={"version_table": table})
        return context.get_current_revision()

    with telling_if_down():
        async with engine.connect() as connection:
            revision: str | None = await connection.run_sync(read)
            return revision


def newest_revision(engine: AsyncEngine) -> str | None:
    return ScriptDirectory.from_config(alembic_commands(engine).config).get_current_head()
