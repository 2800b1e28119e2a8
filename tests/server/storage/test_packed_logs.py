"""Logs of finished games, packed into one row: read, searched and erased like any other."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

from lastspike.server.records import listing
from lastspike.server.records.packing import content, pack_finished
from lastspike.server.storage import Row, Storage
from lastspike.server.storage.database import Database
from lastspike.server.storage.packing import number_of, pack, unpack
from lastspike.server.storage.rows import to_append
from lastspike.server.storage.upkeep.upgrade import alembic_config, upgrade
from lastspike.server.table import commands
from lastspike.server.table.log_events import Index
from tests.server.paper import HOST, Paper, secret_of

from .examples import TABLE, new_table, step

pytestmark = pytest.mark.anyio

LAST = 260
"""More steps than are read at once."""


async def finished(storage: Storage, table: str = TABLE) -> list[Row]:
    await new_table(storage, table)
    steps = [step(n, table, turn=n, secret=b"{}", request=f"ann:{n}") for n in range(2, LAST)]
    ended = step(LAST, table, index=Index(status="over"))
    assert all(await asyncio.gather(*map(storage.logs.append, [*steps, ended])))
    return await storage.logs.steps(table)


async def packed(storage: Storage, table: str = TABLE) -> bool:
    return await storage.packed_logs.pack([table], content) == 1


async def stored(storage: Storage, paper: Paper, table_id: str = TABLE) -> None:
    steps = zip(paper.log, paper.indexes, strict=True)
    first, *others = (to_append(table_id, each, index) for each, index in steps)
    await storage.logs.create_table(first, listed=False)
    for each in others:
        assert await storage.logs.append(each)


def test_packing_keeps_every_field() -> None:
    rows = [
        Row(1, 5, b"[]", None, None, None),
        Row(2, 4, b"\xff", b"", 1, "ann:1"),  # a clock that went back
        Row(3, 2**45, b"x" * 10_000, b"{}", 2, None),
    ]
    assert unpack(pack(rows)) == rows
    assert [number_of(pack(rows), request) for request in ("ann:1", "ann:2")] == [2, None]
    with pytest.raises(ValueError, match="whole"):
        pack(rows[1:])


async def test_a_packed_log_is_read_like_any_other(storage: Storage) -> None:
    rows = await finished(storage)
    await new_table(storage, "another")
    assert await packed(storage)
    assert not await packed(storage), "twice"
    assert await storage.logs.steps(TABLE) == rows
    assert await storage.logs.steps(TABLE, after=LAST - 2) == rows[-2:]
    assert await storage.logs.steps(TABLE, after=LAST) == []
    both = await storage.logs.logs(["another", TABLE])
    assert both == {"another": await storage.logs.steps("another"), TABLE: rows}
    assert await storage.logs.numbers([TABLE, "another"]) == {TABLE: LAST, "another": 1}
    assert await storage.logs.step_of_request(TABLE, "ann:17") == 17
    assert await storage.logs.step_of_request(TABLE, "ann:999") is None


async def test_a_log_goes_on_after_it_is_packed(storage: Storage, other: Storage) -> None:
    rows = await finished(storage)
    assert await packed(storage)
    # Another worker that has missed the end appends what it takes for the next step.
    for number in (2, LAST):
        assert not await other.logs.append(step(number, turn=9999, request="bob:1"))
    assert await other.logs.append(step(LAST + 1, request="bob:1"))
    assert [row.number for row in await storage.logs.steps(TABLE)] == list(range(1, LAST + 2))
    assert (await storage.logs.steps(TABLE))[:LAST] == rows
    assert await storage.logs.step_of_request(TABLE, "bob:1") == LAST + 1
    assert await storage.logs.numbers([TABLE]) == {TABLE: LAST + 1}
    await storage.logs.delete_table(TABLE)
    assert await storage.logs.steps(TABLE) == []


async def test_nothing_is_lost_that_is_appended_while_a_log_is_packed(
    storage: Storage, other: Storage
) -> None:
    await finished(storage)
    steps = [step(LAST + n, request=f"bob:{n}") for n in range(1, 40)]
    answers = await asyncio.gather(
        packed(storage), packed(other), *(other.logs.append(each) for each in steps)
    )
    assert sum(answers[:2]) == 1
    assert all(answers[2:])
    assert [row.number for row in await storage.logs.steps(TABLE)] == list(range(1, LAST + 40))


async def test_only_whole_logs_of_finished_tables_are_packed(storage: Storage) -> None:
    await new_table(storage, "waiting")
    await new_table(storage, "gap", index=Index(status="over"))
    assert await storage.logs.append(step(3, "gap"))
    await new_table(storage, "closed", index=Index(status="closed"))
    assert await pack_finished(storage) == 1
    assert await pack_finished(storage) == 0
    assert [row.number for row in await storage.logs.steps("gap")] == [1, 3]
    assert not await storage.logs.append(step(1, "closed"))


async def test_a_log_rests_before_it_is_packed(storage: Storage) -> None:
    await new_table(storage, at=2**50, index=Index(status="over"))
    assert await pack_finished(storage) == 0


async def test_erasure_finds_names_in_packed_logs(storage: Storage) -> None:
    paper = Paper(("me", None))
    paper.sit("ann")
    paper.start()
    paper.play()
    await stored(storage, paper)
    before = await storage.personal_data.steps_about("ann")
    assert before
    assert await packed(storage)
    assert await storage.personal_data.steps_about("ann") == before
    assert await storage.personal_data.steps_about("nobody") == []
    gone = [(each.table_id, each.row.number, b'[{"person":"ann"}]') for each in before]
    await storage.personal_data.rewrite(gone)
    now = {row.number: row.body for row in await storage.logs.steps(TABLE)}
    assert all(now[number] == body for _, number, body in gone)
    assert len(now) == len(paper.log)


async def test_the_index_lists_what_the_logs_say(storage: Storage) -> None:
    papers: dict[str, Paper] = {}
    for name, turns in (("waiting", None), ("begun", 0), ("playing", 7), ("over", 1000)):
        paper = papers[name] = Paper(("me", None, "clerk"))
        paper.do(commands.set_seat, HOST, 1, "greenhorn", ("greenhorn",))
        paper.do(commands.set_seat, HOST, 1, None, ("greenhorn",))
        paper.sit("ann")
        if turns is not None:
            paper.start()
            paper.play(turns)
        if name == "playing":
            paper.do(commands.forget, "ann", secret_of("new"))
        if name == "waiting":
            paper.do(commands.leave, "ann", False, secret_of("new"))
        await stored(storage, paper, name)
    rows = await storage.logs.all_tables()
    quick = [line async for line in listing.lines(storage, rows)]
    assert quick == [line async for line in listing.lines(storage, rows, check=True)]
    assert {line.row.id: line.players for line in quick}["playing"] == ("Host 0", "◆", "clerk")
    assert {line.row.id: line.players for line in quick}["waiting"] == ("Host 0", "", "clerk")


async def test_only_tables_that_need_the_server_are_loaded_at_its_start(storage: Storage) -> None:
    """Those at which a computer plays next, and after each turn it is said again."""
    paper = Paper(("me", None, "clerk"))
    paper.sit("ann")
    paper.start()
    await stored(storage, paper)
    for _ in range(12):
        seat = paper.state.to_move()
        assert seat is not None
        due = paper.state.seats[seat].computer is not None
        assert await storage.logs.tables_awaiting_server() == ([TABLE] if due else [])
        paper.play(1)
        append = to_append(TABLE, paper.log[-1], paper.indexes[-1])
        assert await storage.logs.append(append)
    while paper.state.to_move() != 0:
        paper.play(1)
        assert await storage.logs.append(to_append(TABLE, paper.log[-1], paper.indexes[-1]))
    paper.do(commands.leave, HOST, False, secret_of("new"))
    assert await storage.logs.append(to_append(TABLE, paper.log[-1], paper.indexes[-1]))
    assert await storage.logs.tables_awaiting_server() == [TABLE]


async def test_an_old_database_is_indexed_and_a_new_one_unpacked(bare_database_url: str) -> None:
    """Down to the tables before packed logs, and up again: every step is still there."""
    from alembic import command

    await upgrade(bare_database_url)
    storage = Storage(bare_database_url)
    await storage.open()
    for name, turns in (("a", 5), ("b", 1000)):
        paper = Paper(("me", None, "clerk"))
        paper.sit("ann")
        paper.start()
        paper.play(turns)
        await stored(storage, paper, name)
    logs = await storage.logs.logs(["a", "b"])
    rows = await storage.logs.all_tables()
    assert await packed(storage, "b")
    await storage.close()
    database = Database(bare_database_url)
    async with database.engine.begin() as connection:
        await connection.run_sync(lambda sync: command.downgrade(alembic_config(sync), "0006"))
        count = await connection.scalar(text("SELECT count(*) FROM step"))
    assert count == sum(map(len, logs.values()))
    await database.engine.dispose()
    await upgrade(bare_database_url)
    storage = Storage(bare_database_url)
    await storage.open()
    assert await storage.logs.logs(["a", "b"]) == logs
    assert await storage.logs.all_tables() == rows
    assert await packed(storage, "b")
    await storage.close()
