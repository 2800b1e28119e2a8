"""The database fails underneath, as databases do."""

from __future__ import annotations

import asyncio
import gc
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import SessionRow, Storage, StorageDown
from lastspike.server.storage.upkeep.upgrade import upgrade
from tests.server.databases import OwnPostgresServer

from .examples import TABLE, new_table, step

pytestmark = pytest.mark.anyio


async def test_a_crash_loses_nothing_that_was_promised(
    own_postgres_server: OwnPostgresServer, own_postgres_url: str
) -> None:
    storage = Storage(own_postgres_url, patience=200)
    await storage.open()
    tables = [f"t{number}" for number in range(8)]
    for table in tables:
        await new_table(storage, table)
    enough = asyncio.Event()
    crashed = asyncio.Event()

    async def play(table: str) -> int:
        number = 1
        while not crashed.is_set() or number < 30:
            assert await storage.logs.append(
                step(number + 1, table, turn=number, request=f"r{number}")
            )
            number += 1
            if number >= 10:
                enough.set()
        return number

    async def crash() -> None:
        for _ in range(2):
            await enough.wait()
            await asyncio.to_thread(own_postgres_server.crash)
            enough.clear()
        await enough.wait()
        crashed.set()

    crashing = asyncio.create_task(crash())
    last = await asyncio.gather(*map(play, tables))
    await crashing
    for table, number in zip(tables, last, strict=True):
        stored = [row.number for row in await storage.logs.steps(table)]
        assert stored == list(range(1, number + 1))
    await storage.close()


async def test_while_the_database_is_down_everything_says_so(
    own_postgres_server: OwnPostgresServer, own_postgres_url: str
) -> None:
    storage = Storage(own_postgres_url, patience=0.3)
    await storage.open()
    await new_table(storage)
    await asyncio.to_thread(own_postgres_server.stop, "immediate")
    try:
        with pytest.raises(StorageDown):
            await storage.logs.append(step(2))
        with pytest.raises(StorageDown):
            await storage.ping()
        with pytest.raises(StorageDown):
            await storage.presence.connected("c", TABLE, "ann")
        with pytest.raises(StorageDown, match=r"the database can’t be reached: .*No such file"):
            await Storage(own_postgres_url).open()
    finally:
        await asyncio.to_thread(own_postgres_server.start)
    await storage.ping()
    assert await storage.logs.append(step(2))
    await storage.close()


async def test_a_locked_sqlite_file_is_waited_for(sqlite_url: str, tmp_path: Path) -> None:
    storage = Storage(sqlite_url)
    await storage.open()
    await new_table(storage)
    file = sqlite3.connect(tmp_path / "lastspike.sqlite", isolation_level=None)
    file.execute("BEGIN IMMEDIATE")
    appending = asyncio.create_task(storage.logs.append(step(2)))
    naming = asyncio.create_task(storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100)))
    done, _ = await asyncio.wait({appending, naming}, timeout=0.05)
    assert not done
    file.execute("COMMIT")
    file.close()
    assert await appending
    await naming
    await storage.close()


def _away(file: Path) -> None:
    file.rename(file.with_name("away"))


def _copied(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copyfile(file, copy)
    copy.replace(file)


@pytest.mark.parametrize("happens", [_away, _copied])
@pytest.mark.parametrize("ending", ["", "-wal"])
async def test_a_file_that_is_gone_or_another_takes_nothing_more(
    sqlite_url: str, tmp_path: Path, ending: str, happens: Callable[[Path], None]
) -> None:
    """At once, and not after the patience of a database that is down."""
    file = tmp_path / f"lastspike.sqlite{ending}"
    storage = Storage(sqlite_url)
    await storage.open()
    await new_table(storage)
    assert await storage.logs.append(step(2))
    happens(file)
    for tried in (
        lambda: storage.logs.append(step(3)),
        storage.ping,
        lambda: storage.logs.steps(TABLE),
        lambda: storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100)),
    ):
        with pytest.raises(StorageDown, match="removed or replaced"):
            async with asyncio.timeout(5):
                await tried()
    if happens is _away:
        file.with_name("away").rename(file)
        assert await storage.logs.append(step(3))
        assert [row.number for row in await storage.logs.steps(TABLE)] == [1, 2, 3]
    await storage.close()


async def test_a_postgresql_that_is_not_migrated_is_refused(bare_postgres_url: str) -> None:
    storage = Storage(bare_postgres_url)
    with pytest.raises(LastSpikeError, match="run: lastspike db upgrade"):
        await storage.open()
    await upgrade(bare_postgres_url)
    await storage.open()
    await storage.close()


async def test_a_database_that_is_not_there_is_named(postgres_url: str) -> None:
    with pytest.raises(StorageDown, match='can’t be reached: database "none" does not exist'):
        await Storage(re.sub(r"/test_\w+", "/none", postgres_url)).open()


async def test_an_sqlite_file_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LastSpikeError, match="there is no database"):
        await Storage(f"sqlite:///{tmp_path}/none/lastspike.sqlite").open()
    with pytest.raises(LastSpikeError, match="can’t be opened"):
        await Storage(f"sqlite:///{tmp_path}").open()


@pytest.mark.parametrize("url", ["nonsense", "mysql://localhost/x", "sqlite://"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(LastSpikeError, match=r"database URL|SQLite URL|only SQLite and PostgreSQL"):
        Storage(url)


def test_a_password_is_not_shown() -> None:
    with pytest.raises(LastSpikeError) as refused:
        Storage("mysql://ann:hunter2@localhost/x")
    assert "hunter2" not in str(refused.value)


async def test_only_the_owner_may_read_the_file(sqlite_url: str, tmp_path: Path) -> None:
    storage = Storage(sqlite_url.replace("+aiosqlite", ""))
    await storage.open()
    await new_table(storage)
    for file in tmp_path.iterdir():
        assert file.stat().st_mode & 0o077 == 0
    await storage.close()


async def test_the_plain_form_of_an_address_will_do(postgres_url: str) -> None:
    storage = Storage(postgres_url.replace("+asyncpg", ""))
    assert storage.shared
    await storage.open()
    await storage.ping()
    await storage.close()


async def test_a_cancelled_statement_gives_its_connection_back(
    sqlite_url: str, recwarn: pytest.WarningsRecorder
) -> None:
    """SQLAlchemy would lose it, and warn when the garbage collector finds it."""
    storage, rng = Storage(sqlite_url), Random(1)
    await storage.open()
    for _ in range(150):
        asking = [asyncio.create_task(storage.ping()) for _ in range(3)]
        await asyncio.sleep(rng.random() * 0.004)
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
    await storage.close()
    gc.collect()
    assert [str(each.message) for each in recwarn] == []
