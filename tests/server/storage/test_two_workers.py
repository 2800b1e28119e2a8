"""Two workers on the same database: one wins, and neither waits for the other for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from lastspike.server.storage import Append, Storage
from lastspike.server.storage.database import dsn, normalised
from lastspike.server.storage.writing.committer import Entry, Passing
from lastspike.server.table.log_events import Index

from .examples import new_table, step

pytestmark = pytest.mark.anyio

Write = Callable[[Sequence[Entry]], Coroutine[Any, Any, set[bytes]]]

TABLES = [f"t{number:02}" for number in range(40)]


@pytest.fixture(autouse=True)
async def no_second_try(storage: Storage, other: Storage) -> AsyncIterator[None]:
    """The database would break up a circle after a while, and a second try would hide it."""
    failures: list[Passing] = []
    for worker in (storage, other):
        writer = worker._committer._writer
        writer.write = _noting(failures, writer.write)  # type: ignore[method-assign,assignment]
    yield
    assert failures == []


@pytest.mark.parametrize("contested", ["number", "turn", "request"])
async def test_of_two_workers_one_wins(storage: Storage, other: Storage, contested: str) -> None:
    """They go through the same steps from opposite ends."""
    for table in TABLES:
        await new_table(storage, table)

    def claims(by: int) -> list[Append]:
        match contested:
            case "number":
                return [step(n, table) for table in TABLES for n in range(2, 8)]
            case "turn":
                return [step(2 * n + by, table, turn=n) for table in TABLES for n in range(2, 8)]
            case _:
                return [
                    step(2 * n + by, table, request=f"ann:{n}")
                    for table in TABLES
                    for n in range(2, 8)
                ]

    here, there = await asyncio.gather(_all(storage, claims(0)), _all(other, claims(1)[::-1]))
    assert [ours != theirs for ours, theirs in zip(here, there[::-1], strict=True)] == [True] * 240
    newest = [await storage.logs.steps(table) for table in TABLES]
    assert sum(map(len, newest)) == 40 + 240


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
@pytest.mark.parametrize("same", [True, False], ids=["same steps", "same tables"])
async def test_nobody_waits_in_a_circle(
    storage: Storage, other: Storage, database_url: str, same: bool
) -> None:
    """Both are held up halfway; unsorted, each would by then have what the other needs."""
    for table in TABLES:
        await new_table(storage, table)
    blocker = await asyncpg.connect(dsn(normalised(database_url)))
    for n in range(2, 14, 2):
        transaction = blocker.transaction()
        await transaction.start()
        if same:
            await blocker.execute(
                "INSERT INTO step (table_id, number, token, at, body)"
                " VALUES ('t20', $1, '', 0, '')",
                n,
            )
        else:
            await blocker.execute("UPDATE game_table SET changed_at = 1 WHERE id = 't20'")
        both = asyncio.gather(
            _all(storage, [step(n, table) for table in TABLES]),
            _all(other, [step(n if same else n + 1, table) for table in reversed(TABLES)]),
        )
        while await blocker.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < 2:
            await asyncio.sleep(0.01)
        await transaction.rollback()
        here, there = await both
        assert sum(here) + sum(there) == (40 if same else 80)
    await blocker.close()


async def test_both_change_the_index(storage: Storage, other: Storage) -> None:
    for table in TABLES:
        await new_table(storage, table)

    def steps(by: int) -> list[Append]:
        index = Index(status="playing", joined=("ann", f"bob{by}"))
        return [step(2 * n + by, table, index=index) for table in TABLES for n in range(2, 4)]

    here, there = await asyncio.gather(_all(storage, steps(0)), _all(other, steps(1)[::-1]))
    assert all(here)
    assert all(there)
    for who in ("ann", "bob0", "bob1"):
        assert len(await storage.logs.tables_of(who, 100)) == 40


async def _all(storage: Storage, steps: Sequence[Append]) -> list[bool]:
    return await asyncio.gather(*map(storage.logs.append, steps))


def _noting(failures: list[Passing], write: Write) -> Write:
    async def write_noting(batch: Sequence[Entry]) -> set[bytes]:
        try:
            return await write(batch)
        except Passing as error:
            failures.append(error)
            raise

    return write_noting
