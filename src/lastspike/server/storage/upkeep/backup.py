"""Backup and restore: every row of the database in one file, which either kind can read.

The file is gzip with one JSON value a line: a header; for each table its name and columns, and then
its rows as lists; and a closing line that counts them, by which a cut-off file is known.
"""

from __future__ import annotations

import base64
import gzip
import os
import tempfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Insert, LargeBinary, Table, func, insert, select
from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import Database, telling_if_down
from lastspike.server.storage.models import metadata

from .upgrade import current_revision, newest_revision

FORMAT = "lastspike-backup"
VERSION = 1
ROWS_AT_ONCE = 500

Progress = Callable[[int, int], None]
"""Is told how many rows are done, and of how many."""

_encode = msgspec.json.encode
_decode = msgspec.json.decode


async def backup(url: str, path: Path | str, progress: Progress | None = None) -> dict[str, int]:
    """Writes all rows, as they are at one moment, into the file; returns how many of each table.

    The file appears complete or not at all. Only its owner may read it: it holds secrets.
    """
    database = Database(url)
    database.prepare(create=False)
    try:
        revision = await _checked_revision(database)
        with _appearing_whole(Path(path)) as write:
            async with _snapshot(database) as connection:
                return await _write(connection, write, revision, progress or _ignore)
    finally:
        await database.engine.dispose()


async def restore(url: str, path: Path | str, progress: Progress | None = None) -> dict[str, int]:
    """Fills an empty database from the file, all of it or nothing; returns how many rows of each
    table. The database must have the tables of this version and no rows."""
    database = Database(url)
    database.prepare(create=False)
    try:
        revision = await _checked_revision(database)
        lines = _lines(Path(path))
        total = _read_header(Path(path), lines, revision)
        with telling_if_down():
            async with database.engine.begin() as connection:
                if not database.shared:
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                await _refuse_unless_empty(connection)
                return await _read(connection, Path(path), lines, total, progress or _ignore)
    finally:
        await database.engine.dispose()


async def _checked_revision(database: Database) -> str:
    current = await current_revision(database.engine)
    if current is None or current != newest_revision(database.engine):
        raise LastSpikeError(
            "the database is not ready for this version; run: lastspike db upgrade"
        )
    return current


# ---- writing --------------------------------------------------------------------------------


@asynccontextmanager
async def _snapshot(database: Database) -> AsyncIterator[AsyncConnection]:
    with telling_if_down():
        async with database.engine.connect() as connection:
            if database.shared:
                await connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            else:
                # Otherwise each SELECT would see what was written since the one before.
                await connection.exec_driver_sql("BEGIN")
            yield connection


@contextmanager
def _appearing_whole(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Gives what writes into the file."""
    with _telling_if_not_written(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as raw:
            file = gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6)

            def write(data: bytes) -> None:
                with _telling_if_not_written(path):
                    file.write(data)

            yield write
            with _telling_if_not_written(path):
                file.close()
                raw.flush()
                os.fsync(raw.fileno())
        with _telling_if_not_written(path):
            os.replace(name, path)
            _sync_folder(path.parent)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _telling_if_not_written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LastSpikeError(
            "{path} can't be written: {reason}", path=path, reason=error.strerror
        ) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


async def _write(
    connection: AsyncConnection, write: Callable[[bytes], None], revision: str, progress: Progress
) -> dict[str, int]:
    tables = metadata.sorted_tables
    counts = {
        str(table.name): await connection.scalar(select(func.count()).select_from(table)) or 0
        for table in tables
    }
    total = sum(counts.values())
    write(_line({"format": FORMAT, "version": VERSION, "revision": revision, "rows": total}))
    done = 0
    for table in tables:
        write(_line({"table": str(table.name), "columns": [str(c.name) for c in table.columns]}))
        query = select(table).order_by(*table.primary_key).execution_options(yield_per=ROWS_AT_ONCE)
        async for rows in (await connection.stream(query)).partitions():
            # bytes become base64 by themselves
            write(b"".join(_line(tuple(row)) for row in rows))
            done += len(rows)
            progress(done, total)
    write(_line({"end": counts}))
    return counts


def _line(value: Any) -> bytes:
    return _encode(value) + b"\n"


# ---- reading --------------------------------------------------------------------------------


def _lines(path: Path) -> Iterator[Any]:
    """The lines of the file, decoded. Whatever is wrong with them is told in one line."""
    begun = False
    try:
        with gzip.open(path, "rb") as file:
            for line in file:
                yield _decode(line)
                begun = True
    except EOFError as error:
        raise _cut_off(path) from error
    except (gzip.BadGzipFile, msgspec.DecodeError, UnicodeDecodeError, zlib.error) as error:
        if not begun:
            raise LastSpikeError("{path} is not a backup of this game", path=path) from error
        raise LastSpikeError("{path} is damaged: {reason}", path=path, reason=error) from error
    except OSError as error:
        raise LastSpikeError(
            "{path} can't be read: {reason}", path=path, reason=error.strerror
        ) from error


def _cut_off(path: Path) -> LastSpikeError:
    return LastSpikeError("{path} is cut off: its end is missing", path=path)


def _read_header(path: Path, lines: Iterator[Any], revision: str) -> int:
    """How many rows the file says it holds."""
    header = next(lines, None)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise LastSpikeError("{path} is not a backup of this game", path=path)
    if header.get("version") != VERSION or header.get("revision") != revision:
        raise LastSpikeError(
            "{path} was made by another version: its tables are {theirs}, ours are {ours}",
            path=path,
            theirs=header.get("revision"),
            ours=revision,
        )
    return int(header["rows"])


async def _refuse_unless_empty(connection: AsyncConnection) -> None:
    for table in metadata.sorted_tables:
        if (await connection.execute(select(table).limit(1))).first() is not None:
            raise LastSpikeError(
                "the database is not empty: {table} has rows; restore into a new one",
                table=table.name,
            )


async def _read(
    connection: AsyncConnection, path: Path, lines: Iterator[Any], total: int, progress: Progress
) -> dict[str, int]:
    counts = dict.fromkeys((str(table.name) for table in metadata.sorted_tables), 0)
    into: _Into | None = None
    done = 0
    for line in lines:
        if isinstance(line, list) and into is not None:
            into.add(line, path)
            counts[into.table.name] += 1
            done += 1
            if len(into.rows) < ROWS_AT_ONCE:
                continue
        if into is not None:
            await into.flush(connection, path)
            progress(done, total)
        match line:
            case list():
                pass
            case {"table": str(name), "columns": list(columns)} if name in counts:
                into = _Into(metadata.tables[name], columns)
            case {"end": dict(end)} if end == counts and next(lines, None) is None:
                return counts
            case _:
                raise LastSpikeError("{path} is damaged: its rows don’t add up", path=path)
    raise _cut_off(path)


class _Into:
    """Rows on their way into a table."""

    def __init__(self, table: Table, columns: list[str]) -> None:
        self.table = table
        self.rows: list[dict[str, Any]] = []
        self._columns = columns
        self._bytes = [c.name for c in table.columns if isinstance(c.type, LargeBinary)]
        self._insert: Insert = insert(table)

    def add(self, values: list[Any], path: Path) -> None:
        try:
            row = dict(zip(self._columns, values, strict=True))
            for name in self._bytes:
                if row[name] is not None:
                    row[name] = base64.b64decode(row[name], validate=True)
        except (ValueError, TypeError, KeyError) as error:
            raise _does_not_fit(self.table, path, error) from error
        self.rows.append(row)

    async def flush(self, connection: AsyncConnection, path: Path) -> None:
        if not self.rows:
            return
        try:
            await connection.execute(self._insert, self.rows)
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
            raise _does_not_fit(self.table, path, error.orig) from error
        except StatementError as error:
            raise _does_not_fit(self.table, path, error.orig) from error
        self.rows.clear()


def _does_not_fit(table: Table, path: Path, reason: object) -> LastSpikeError:
    return LastSpikeError(
        "{path} is damaged: a row of {table} does not fit: {reason}",
        path=path,
        table=table.name,
        reason=reason,
    )


def _ignore(_done: int, _total: int) -> None:
    pass
