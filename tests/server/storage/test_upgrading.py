"""The migrations make the tables that the models describe."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import Database
from lastspike.server.storage.models import metadata
from lastspike.server.storage.upkeep.revision import newest_revision
from lastspike.server.storage.upkeep.upgrade import alembic_config, is_current, upgrade

pytestmark = pytest.mark.anyio


async def test_the_migrated_tables_are_those_of_the_models(bare_database_url: str) -> None:
    await upgrade(bare_database_url)

    def compare(connection: Connection) -> Any:
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "version_table": "schema_version"},
        )
        return compare_metadata(context, metadata)

    def partial(connection: Connection) -> dict[str, str]:
        """What Alembic does not compare."""
        kind = connection.dialect.name
        return {
            str(index["name"]): str(index["dialect_options"][f"{kind}_where"]).strip("()")
            for index in inspect(connection).get_indexes("step")
        }

    database = Database(bare_database_url)
    async with database.engine.connect() as connection:
        assert await connection.run_sync(compare) == []
        assert await connection.run_sync(partial) == {
            "uq_step_turn": "turn IS NOT NULL",
            "uq_step_request": "request IS NOT NULL",
        }
    await database.engine.dispose()


def test_the_newest_revision_is_the_last_migration() -> None:
    assert newest_revision() == ScriptDirectory.from_config(alembic_config()).get_current_head()


def test_tables_that_are_current_are_opened_without_alembic(tmp_path: Path) -> None:
    """Which takes longer to import than all the rest of opening a database."""
    opening = """
import asyncio, sys
from lastspike.server.storage import Storage
async def open_once():
    storage = Storage("sqlite+aiosqlite:///x.sqlite")
    await storage.open()
    await storage.close()
asyncio.run(open_once())
print("alembic" in sys.modules)"""
    for needed in ("True", "False"):
        ran = subprocess.run(
            [sys.executable, "-c", opening],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stdout.strip() == needed, ran.stderr


async def test_upgrading_says_nothing_and_can_be_repeated(
    bare_database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert not await is_current(bare_database_url)
    await upgrade(bare_database_url)
    assert await is_current(bare_database_url)
    await upgrade(bare_database_url)
    assert await is_current(bare_database_url)
    assert capfd.readouterr() == ("", "")


async def test_two_may_upgrade_at_the_same_time(bare_database_url: str) -> None:
    await asyncio.gather(*(upgrade(bare_database_url) for _ in range(3)))
    assert await is_current(bare_database_url)


async def test_there_is_a_way_back(bare_database_url: str) -> None:
    await upgrade(bare_database_url)
    database = Database(bare_database_url)

    def back(connection: Connection) -> list[str]:
        command.downgrade(alembic_config(connection), "base")
        return inspect(connection).get_table_names()

    async with database.engine.begin() as connection:
        assert await connection.run_sync(back) == ["schema_version"]
    await database.engine.dispose()
    assert not await is_current(bare_database_url)


async def test_tables_of_a_newer_version_are_left_alone(bare_database_url: str) -> None:
    await upgrade(bare_database_url)
    database = Database(bare_database_url)
    async with database.writing() as connection:
        await connection.exec_driver_sql("UPDATE schema_version SET version_num = '9999'")
    await database.engine.dispose()
    with pytest.raises(LastSpikeError, match="a newer version"):
        await upgrade(bare_database_url)
