"""A backup holds everything, and goes into either kind of database."""

from __future__ import annotations

import asyncio
import gzip
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import Storage, WebhookRow
from lastspike.server.storage.database import Database
from lastspike.server.storage.models import metadata
from lastspike.server.storage.upkeep.backup import backup, restore
from lastspike.server.storage.upkeep.upgrade import upgrade
from lastspike.server.table.log_events import Index

from .examples import TABLE, new_table, step

pytestmark = pytest.mark.anyio

STEPS = 1200


@pytest.fixture
async def target_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database; of which kind, the test says."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/target.sqlite"
    else:
        url = request.getfixturevalue("bare_postgres_url")
    await upgrade(url)
    return url


@pytest.fixture
async def full_url(database_url: str) -> str:
    """A database with rows in every table."""
    storage = Storage(database_url, "worker-1")
    await storage.open()
    await storage.persons.add("ann", "Änne 🚂", bytes(range(256)), 0, 2**45)
    await storage.persons.new_link(b"\0\1", "ann", 2**45)
    await new_table(storage, listed=True, index=Index(joined=("ann",)))
    steps = [step(n, secret=b"\xff{}" if n % 2 else None, turn=n) for n in range(2, STEPS + 1)]
    await asyncio.gather(*map(storage.logs.append, steps))
    await storage.hidden_chat.hide("ann", TABLE, "bob", undo=False)
    await storage.webhooks.add(WebhookRow("w", "ann", None, "https://example.org", "plain", "en"))
    assert await storage.reviews.begin(TABLE, 5, 0)
    await storage.reviews.keep(TABLE, b'{"found": "\xc3\xa4"}')
    await storage.presence.beat(5)
    await storage.presence.connected("c", TABLE, None)
    await storage.close()
    return database_url


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """A small backup."""
    url = f"sqlite:///{tmp_path}/small.sqlite"
    storage = Storage(url)
    await storage.open()
    await new_table(storage)
    await storage.logs.append(step(2, turn=1))
    await storage.close()
    await backup(url, tmp_path / "backup.gz")
    return tmp_path / "backup.gz"


@pytest.mark.parametrize("target_url", ["sqlite", "postgres"], indirect=True)
async def test_everything_comes_back_in_either_kind(
    full_url: str, target_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "backup.gz"
    told: list[tuple[int, int]] = []
    counts = await backup(full_url, path, lambda done, total: told.append((done, total)))
    assert counts == dict.fromkeys(metadata.tables, 1) | {"step": STEPS}
    every = STEPS + len(metadata.tables) - 1
    assert told[-1] == (every, every)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".backup*"))
    told.clear()
    assert await restore(target_url, path, lambda *now: told.append(now)) == counts
    every = STEPS + len(metadata.tables) - 1
    assert told[-1] == (every, every)
    assert await _rows(target_url) == await _rows(full_url)


@pytest.mark.parametrize("target_url", ["sqlite", "postgres"], indirect=True)
async def test_a_cut_off_file_is_refused_and_changes_nothing(target_url: str, file: Path) -> None:
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    whole = file.read_bytes()
    for cut in (whole[: len(whole) // 2], whole[:-4], gzip.compress(b"".join(lines[:-1]))):
        file.write_bytes(cut)
        with pytest.raises(LastSpikeError, match=r"backup.gz is cut off"):
            await restore(target_url, file)
        assert not any((await _rows(target_url)).values())
    file.write_bytes(whole)
    await restore(target_url, file)


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no gzip": (lambda _text: b"hello", "is not a backup"),
    "empty": (lambda _text: gzip.compress(b""), "is not a backup"),
    "something else": (lambda _text: gzip.compress(b'{"name":"x"}\n'), "is not a backup"),
    "not JSON": (lambda text: gzip.compress(text.replace(b'["', b"[[[")), "is damaged"),
    "more than its end": (lambda text: gzip.compress(text + b"[1]\n"), "is damaged"),
    "a wrong checksum": (lambda text: gzip.compress(text)[:-8] + b"\0" * 8, "is damaged"),
    "another revision": (
        lambda text: gzip.compress(text.replace(b'"revision":"', b'"revision":"9')),
        "made by another version: its tables are 9",
    ),
    "a row missing": (
        lambda text: gzip.compress(b"".join(_without_a_step(text))),
        "is damaged: its rows don’t add up",
    ),
    "a row too long": (
        lambda text: gzip.compress(text.replace(b'"waiting"', b'"waiting",1')),
        "a row of game_table does not fit",
    ),
    "a row of another kind": (
        lambda text: gzip.compress(text.replace(b'"waiting"', b"null")),
        "a row of game_table does not fit",
    ),
    "an unknown table": (
        lambda text: gzip.compress(text.replace(b'"table":"link"', b'"table":"x"')),
        "is damaged",
    ),
    "a broken stream": (
        lambda text: gzip.compress(text)[:40] + b"\0" * 40 + gzip.compress(text)[80:],
        "is damaged|is cut off|is not a backup",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_foreign_or_damaged_file_is_refused(
    file: Path, tmp_path: Path, damage: str
) -> None:
    url = f"sqlite:///{tmp_path}/target.sqlite"
    await upgrade(url)
    change, message = DAMAGES[damage]
    file.write_bytes(change(gzip.decompress(file.read_bytes())))
    with pytest.raises(LastSpikeError, match=message):
        await restore(url, file)
    assert not any((await _rows(url)).values())


async def test_only_an_empty_database_is_filled(full_url: str, file: Path) -> None:
    before = await _rows(full_url)
    with pytest.raises(LastSpikeError, match="the database is not empty"):
        await restore(full_url, file)
    assert await _rows(full_url) == before


async def test_only_a_migrated_database_is_filled(bare_postgres_url: str, file: Path) -> None:
    with pytest.raises(LastSpikeError, match="run: lastspike db upgrade"):
        await restore(bare_postgres_url, file)
    with pytest.raises(LastSpikeError, match="run: lastspike db upgrade"):
        await backup(bare_postgres_url, file)


async def test_places_that_cannot_be(sqlite_url: str, file: Path, tmp_path: Path) -> None:
    await upgrade(sqlite_url)
    with pytest.raises(LastSpikeError, match="can't be written: No such file"):
        await backup(sqlite_url, tmp_path / "none" / "backup.gz")
    with pytest.raises(LastSpikeError, match="can't be written"):
        await backup(sqlite_url, tmp_path)
    with pytest.raises(LastSpikeError, match=r"none.gz can't be read: No such file"):
        await restore(sqlite_url, tmp_path / "none.gz")
    with pytest.raises(LastSpikeError, match="there is no database"):
        await backup(f"sqlite:///{tmp_path}/none.sqlite", file)
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.parametrize("target_url", ["sqlite"], indirect=True)
async def test_a_backup_is_of_one_moment(
    full_url: str, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server goes on playing meanwhile."""
    storage = Storage(full_url)
    await storage.open()
    before = await _rows(full_url)
    from lastspike.server.storage.upkeep import backup as module

    write = module._write

    async def write_late(connection: object, *rest: object) -> object:
        await connection.execute(select(metadata.tables["person"]))  # type: ignore[attr-defined]
        assert await storage.logs.append(step(STEPS + 1, index=Index(status="over")))
        return await write(connection, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_write", write_late)
    await backup(full_url, tmp_path / "backup.gz")
    await storage.close()
    await restore(target_url, tmp_path / "backup.gz")
    assert await _rows(target_url) == before


async def _rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    database = Database(url)
    async with database.engine.connect() as connection:
        rows = {
            table.name: [
                tuple(row)
                for row in await connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
        }
    await database.engine.dispose()
    return rows


def _without_a_step(text: bytes) -> list[bytes]:
    lines = text.splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if line.startswith(f'["{TABLE}",2'.encode()))
    return lines[:place] + lines[place + 1 :]
