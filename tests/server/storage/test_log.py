"""Steps are stored once, durable, in order, with their changes of the index."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import nullcontext

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import (
    Row,
    SessionRow,
    Storage,
    StorageDown,
    TableRow,
    models,
)
from lastspike.server.table.log_events import Index

from .examples import TABLE, new_table, step

pytestmark = pytest.mark.anyio


async def test_what_is_appended_comes_back(storage: Storage) -> None:
    await new_table(storage)
    assert await storage.logs.append(step(2, secret=b"{}", turn=1, request="ann:1"))
    assert await storage.logs.steps(TABLE) == [
        Row(1, 1001, b"[1]", None, None, None),
        Row(2, 1002, b"[2]", b"{}", 1, "ann:1"),
    ]
    assert [row.number for row in await storage.logs.steps(TABLE, after=1)] == [2]
    assert await storage.logs.steps("another") == []
    assert await storage.logs.step_of_request(TABLE, "ann:1") == 2
    assert await storage.logs.step_of_request(TABLE, "ann:2") is None
    assert await storage.logs.step_of_request("another", "ann:1") is None


async def test_bytes_and_big_times_are_kept_as_they_are(storage: Storage) -> None:
    await new_table(storage, at=2**45)
    body = bytes(range(256)) * 500
    assert await storage.logs.append(step(2, at=2**45 + 1)._replace(body=body, secret=b"\0"))
    assert (await storage.logs.steps(TABLE, after=1)) == [
        Row(2, 2**45 + 1, body, b"\0", None, None)
    ]


async def test_a_table_is_made_once(storage: Storage) -> None:
    await new_table(storage)
    with pytest.raises(LastSpikeError, match=r"table .* already exists"):
        await new_table(storage)
    assert await storage.logs.numbers([TABLE]) == {TABLE: 1}


async def test_what_is_taken_is_refused(storage: Storage) -> None:
    await new_table(storage)
    await new_table(storage, "another")
    assert await storage.logs.append(step(2, turn=1, request="ann:1"))
    assert not await storage.logs.append(step(2))
    assert not await storage.logs.append(step(3, turn=1))
    assert not await storage.logs.append(step(3, request="ann:1"))
    assert await storage.logs.append(step(2, "another", turn=1, request="ann:1"))
    assert await storage.logs.append(step(3, turn=2, request="ann:2"))
    assert await storage.logs.numbers([TABLE, "another", "none"]) == {TABLE: 3, "another": 2}


async def test_a_refused_step_changes_nothing(storage: Storage) -> None:
    await new_table(storage)
    before = await storage.logs.table(TABLE)
    index = Index(status="over", listed=True, joined=("ann",))
    assert not await storage.logs.append(step(1, at=5000, index=index))
    assert await storage.logs.table(TABLE) == before
    assert await storage.logs.tables_of("ann", 10) == []


async def test_a_step_for_a_table_that_is_gone_is_refused(storage: Storage) -> None:
    await new_table(storage)
    answers = await asyncio.gather(
        storage.logs.append(step(1, "gone")), storage.logs.append(step(2))
    )
    assert list(answers) == [False, True]


async def test_the_index_changes_with_the_step(storage: Storage) -> None:
    await new_table(storage, index=Index(joined=("ann",)))
    assert await storage.logs.table(TABLE) == TableRow(TABLE, "waiting", False, 1001, 1001)
    assert await storage.logs.append(step(2, index=Index(listed=True, joined=("ann", "bob"))))
    assert await storage.logs.table(TABLE) == TableRow(TABLE, "waiting", True, 1001, 1002)
    assert await storage.logs.append(step(3, index=Index(status="playing", left=("ann",))))
    assert await storage.logs.table(TABLE) == TableRow(TABLE, "playing", True, 1001, 1003)
    assert await storage.logs.append(step(4))
    row = TableRow(TABLE, "playing", True, 1001, 1004)
    assert await storage.logs.table(TABLE) == row
    assert await storage.logs.tables_of("bob", 10) == [row]
    assert await storage.logs.tables_of("ann", 10) == []
    assert await storage.logs.table("none") is None


async def test_of_two_changes_in_one_batch_the_later_step_decides(storage: Storage) -> None:
    await new_table(storage)
    later = step(3, at=900, index=Index(status="over", left=("ann",)))
    sooner = step(2, index=Index(status="playing", joined=("ann",)))
    assert all(await asyncio.gather(storage.logs.append(later), storage.logs.append(sooner)))
    assert await storage.logs.table(TABLE) == TableRow(TABLE, "over", False, 1001, 1002)
    assert await storage.logs.tables_of("ann", 10) == []


async def test_a_table_may_begin_with_any_status(storage: Storage) -> None:
    await new_table(storage, index=Index(status="over"))
    assert await storage.logs.tables_by_status("over") == [TABLE]
    assert await storage.logs.tables_by_status("waiting") == []


async def test_tables_are_found_in_their_order(storage: Storage) -> None:
    for number, status in enumerate(["waiting", "playing", "over", "closed"]):
        index = Index(status=status, joined=("ann",))
        await new_table(storage, f"t{number}", listed=True, at=100 + number, index=index)
    await new_table(storage, "t4", at=104, index=Index(joined=("ann",)))
    assert await storage.logs.append(step(2, "t1", at=500))
    assert [row.id for row in await storage.logs.listed_tables(10)] == ["t1", "t0"]
    assert [row.id for row in await storage.logs.listed_tables(1)] == ["t1"]
    assert [row.id for row in await storage.logs.tables_of("ann", 10)] == [
        "t1",
        "t4",
        "t3",
        "t2",
        "t0",
    ]
    assert [row.id for row in await storage.logs.tables_of("ann", 2)] == ["t1", "t4"]
    assert [row.id for row in await storage.logs.all_tables()] == ["t0", "t1", "t2", "t3", "t4"]


async def test_many_tables_are_asked_for_at_once(storage: Storage) -> None:
    tables = [f"t{number}" for number in range(1200)]
    await asyncio.gather(*(new_table(storage, table) for table in tables))
    assert await storage.logs.numbers(tables) == dict.fromkeys(tables, 1)
    assert await storage.logs.numbers([]) == {}


async def test_a_deleted_table_takes_its_log_along(storage: Storage) -> None:
    await new_table(storage, index=Index(joined=("ann",)))
    await storage.logs.delete_table(TABLE)
    assert await storage.logs.table(TABLE) is None
    assert await storage.logs.steps(TABLE) == []
    assert await storage.logs.tables_of("ann", 10) == []


async def test_what_is_old_is_forgotten(storage: Storage) -> None:
    await new_table(storage, "old", index=Index(joined=("ann",)))
    await new_table(storage, "new", at=9000, index=Index(joined=("bob",)))
    await storage.persons.add("ann", "Ann", SessionRow(b"1", 100, 500))
    await storage.persons.add("bob", "Bob", SessionRow(b"2", 100, 500))
    await storage.persons.add("cleo", "Cleo", SessionRow(b"3", 100, 10_000))
    await storage.persons.add("dan", "Dan", SessionRow(b"4", 100, 500))
    await storage.persons.new_link(b"5", "dan", 10_000)
    assert await storage.logs.delete_older(5000, now=6000) == 1
    assert [row.id for row in await storage.logs.all_tables()] == ["new"]
    assert await storage.persons.of_session(b"2", 0) is None
    assert await storage.persons.of_session(b"3", 0) is not None
    for number, (who, is_there) in enumerate(
        {"ann": False, "bob": True, "cleo": True, "dan": True}.items()
    ):
        with pytest.raises(IntegrityError) if not is_there else nullcontext():
            await storage.persons.add_session(who, SessionRow(bytes([number]) * 9, 0, 1))


async def test_a_closed_storage_takes_nothing(storage: Storage) -> None:
    await new_table(storage)
    last = asyncio.create_task(storage.logs.append(step(2)))
    await asyncio.sleep(0)
    await storage.close()
    assert await last
    with pytest.raises(StorageDown):
        await storage.logs.append(step(3))
    await storage.open()
    assert await storage.logs.numbers([TABLE]) == {TABLE: 2}


async def test_ping(storage: Storage) -> None:
    await storage.ping()


async def test_sqlite_syncs_every_commit(sqlite_url: str) -> None:
    storage = Storage(sqlite_url)
    await storage.open()
    await new_table(storage)
    writer = storage._committer._writer._connection  # type: ignore[attr-defined]
    assert isinstance(writer, sqlite3.Connection)
    settings = {
        name: writer.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    }
    assert settings == {"journal_mode": "wal", "synchronous": 2}
    # The writer looks itself whether a table is there; all other connections leave it to SQLite.
    assert await storage._database.column(text("PRAGMA foreign_keys")) == [1]
    await storage.close()


async def test_nothing_is_stored_for_a_table_that_is_not_there(storage: Storage) -> None:
    joined = step(2)._replace(index=Index(joined=("ann",), status="playing"))
    assert not await storage.logs.append(joined)
    async with storage._database.single() as connection:
        for kind in (models.step, models.membership, models.game_table):
            assert (await connection.execute(select(kind))).all() == []
