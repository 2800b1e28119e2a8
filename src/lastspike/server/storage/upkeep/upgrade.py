"""Upgrades a database's tables to this version, and checks whether they are current."""

from __future__ import annotations

import logging
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import (
    VERSION_TABLE,
    Database,
    alembic_commands,
    telling_if_down,
)

# Any number that nothing else locks.
UPGRADE_LOCK = 0x1A57_5B1E

# Alembic logs every step it takes, which nobody reads unless something is wrong.
logging.getLogger("alembic").setLevel(logging.WARNING)


async def upgrade(url: str) -> None:
    """Create the tables, or change them into those of this version. Does nothing if current."""
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
    """Make all changes or none. A second upgrade at the same time waits for the first.

    `LastSpikeError` if a newer version has changed the tables.
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
                # Some changes create a table again, and dropping the old one would delete the rows
                # that refer to it. SQLite's driver begins no transaction unless asked to.
                await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(select(func.pg_advisory_xact_lock(UPGRADE_LOCK)))
            await connection.run_sync(run)
            await connection.commit()
            # The pragmas set for the upgrade must not reach the next user of the connection.
            await connection.invalidate()


async def current_revision(engine: AsyncEngine) -> str | None:
    """The database's revision; None if it has no tables of ours."""
    with telling_if_down():
        async with engine.connect() as connection:
            return await connection.run_sync(revision_of)


def revision_of(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    revision: str | None = context.get_current_revision()
    return revision


def newest_revision(engine: AsyncEngine) -> str | None:
    return ScriptDirectory.from_config(alembic_commands(engine).config).get_current_head()
