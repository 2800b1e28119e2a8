"""Upgrades a database's tables to this version, and checks whether they are current."""

from __future__ import annotations

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import Database, reporting_down

from .revision import MIGRATIONS, current_revision, newest_revision

UPGRADE_LOCK = 0x1A57_5B1E
"""An arbitrary number that nothing else locks."""

# Alembic logs every step it takes.
logging.getLogger("alembic").setLevel(logging.WARNING)


async def upgrade(url: str) -> None:
    """Create the tables, or upgrade them to this version."""
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
        return await current_revision(database.engine) == newest_revision()
    finally:
        await database.engine.dispose()


async def upgrade_engine(engine: AsyncEngine) -> None:
    """Apply all migrations or none. A concurrent upgrade waits for the first.

    `LastSpikeError` if a newer version upgraded the tables.
    """
    known = ScriptDirectory.from_config(alembic_config()).walk_revisions()
    current = await current_revision(engine)
    if current is not None and current not in {script.revision for script in known}:
        raise LastSpikeError(
            "the database was upgraded by a newer version of the game; update this one"
        )

    def run(connection: Connection) -> None:
        command.upgrade(alembic_config(connection), "head")

    with reporting_down():
        async with engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                # Some migrations recreate a table; dropping the old one must not delete the rows
                # that refer to it. SQLite's driver begins no transaction by itself.
                await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(select(func.pg_advisory_xact_lock(UPGRADE_LOCK)))
            await connection.run_sync(run)
            await connection.commit()
            # Don't reuse a connection with these pragmas.
            await connection.invalidate()


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's settings for the migrations of this package, over this connection."""
    config = Config(attributes={"connection": connection})
    # Alembic expands % in its settings.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
