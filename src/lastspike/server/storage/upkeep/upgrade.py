"""Bringing a database's tables up to this version, and telling whether they are."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import Database, alembic_commands, telling_if_down

# Any number will do that nobody else locks.
UPGRADE_LOCK = 0x1A57_5B1E

# Alembic tells every step it takes; nobody but a person looking for a fault wants to read it.
logging.getLogger("alembic").setLevel(logging.WARNING)


async def upgrade(url: str) -> None:
    """Makes the tables, or changes them into those of this version. Does nothing when they are."""
    database = Database(url)
    database.prepare()
    try:
        await upgrade_engine(database.engine)
    finally:
        await database.engine.dispose()


async def is_current(url: str) -> bool:
    """Whether the database has the tables of this version."""
    database = Database(url)
    if not database.shared and not Path(database.file).exists():
        return False
    try:
        return await current_revision(database.engine) == newest_revision(database.engine)
    finally:
        await database.engine.dispose()


async def upgrade_engine(engine: AsyncEngine) -> None:
    """All changes are made or none; of two who upgrade at the same time one waits.

    Raises LastSpikeError if a newer version has changed the tables before.
    """
    commands = alembic_commands(engine)
    known = ScriptDirectory.from_config(commands.config).walk_revisions()
    current = await current_revision(engine)
    if current is not None and current not in {script.revision for script in known}:
        raise LastSpikeError("the database has been changed by a newer version of the game")

    def run(connection: Connection) -> None:
        commands.config.attributes["connection"] = connection
        commands.upgrade()

    with telling_if_down():
        async with engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                # Some changes make a table anew, and dropping the old one would delete what refers
                # to it. And unless it is asked for, SQLite's driver begins no transaction.
                await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(select(func.pg_advisory_xact_lock(UPGRADE_LOCK)))
            await connection.run_sync(run)
            await connection.commit()
            # What was set for the upgrade must not stay set for whoever gets the connection next.
            await connection.invalidate()


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
