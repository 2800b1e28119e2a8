"""The portable backup format, for SQLite and PostgreSQL.

The file is gzip with one JSON value per line: a header; for each table its name and columns, then
its rows as lists; and the numbers of rows, so that a truncated file is detected.
"""

from __future__ import annotations

import base64
import gzip
import sqlite3
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, LargeBinary, Table, create_engine, func, insert, select
from sqlalchemy.exc import DatabaseError, DBAPIError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.models import metadata

from .revision import revision_of

FORMAT = "lastspike-backup"
VERSION = 1
ROWS_AT_ONCE = 500

Progress = Callable[[int, int], None]
"""Called with the number of rows done and in total."""


def ignore(_done: int, _total: int) -> None:
    """Report no progress."""


@contextmanager
def reporting_unwritable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LastSpikeError(
            "{path} can’t be written: {reason}", path=path, reason=error.strerror
        ) from error


def write(connection: Connection, file: Path, path: Path, progress: Progress) -> None:
    """Write all rows into `file`, called `path` in errors."""
    with reporting_unwritable(path), gzip.open(file, "wb", compresslevel=6) as opened:
        for values in _dumped(connection, progress):
            opened.write(b"".join(msgspec.json.encode(value) + b"\n" for value in values))


def _dumped(connection: Connection, progress: Progress) -> Iterator[list[Any]]:
    """The values of a backup, in batches. Bytes are encoded as base64."""
    tables = metadata.sorted_tables
    counts = {
        str(table.name): connection.scalar(select(func.count()).select_from(table)) or 0
        for table in tables
    }
    done, total = 0, sum(counts.values())
    revision = revision_of(connection)
    yield [{"format": FORMAT, "version": VERSION, "revision": revision, "rows": total}]
    for table in tables:
        yield [{"table": str(table.name), "columns": [str(c.name) for c in table.columns]}]
        query = select(table).order_by(*table.primary_key).execution_options(yield_per=ROWS_AT_ONCE)
        for rows in connection.execute(query).partitions():
            yield [list(row) for row in rows]
            done += len(rows)
            progress(done, total)
    yield [{"end": counts}]


def lines_of_gzip(path: Path) -> Generator[Any]:
    """The values of a portable backup."""
    begun = False
    try:
        with gzip.open(path, "rb") as file:
            for line in file:
                yield msgspec.json.decode(line)
                begun = True
    except EOFError as error:
        raise _cut_off(path) from error
    except (gzip.BadGzipFile, msgspec.DecodeError, UnicodeDecodeError, zlib.error) as error:
        if not begun:
            raise _no_backup(path) from error
        raise LastSpikeError("{path} is damaged: {reason}", path=path, reason=error) from error
    except OSError as error:
        raise LastSpikeError(
            "{path} can’t be read: {reason}", path=path, reason=error.strerror
        ) from error


def lines_of_sqlite(path: Path, revision: str) -> Generator[Any]:
    """The same values, read from a SQLite file."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True))
    try:
        with engine.connect() as connection:
            check_revision(path, revision_of(connection), revision)
            yield from chain.from_iterable(_dumped(connection, ignore))
    except DatabaseError as error:
        raise LastSpikeError("{path} is damaged: {reason}", path=path, reason=error.orig) from error
    finally:
        engine.dispose()


def check_revision(path: Path, theirs: Any, ours: str) -> None:
    """`LastSpikeError` unless the file holds the tables of this version."""
    if theirs is None:
        raise _no_backup(path)
    if theirs != ours:
        raise LastSpikeError(
            "{path} was made by another version: its database schema is {theirs}, this "
            "version’s is {ours}",
            path=path,
            theirs=theirs,
            ours=ours,
        )


def _no_backup(path: Path) -> LastSpikeError:
    return LastSpikeError("{path} is not a backup of this game", path=path)


def _cut_off(path: Path) -> LastSpikeError:
    return LastSpikeError("{path} is cut off: its end is missing", path=path)


def read_header(path: Path, lines: Iterator[Any], revision: str) -> int:
    """The number of rows in the header. `LastSpikeError` if it is no backup of this version."""
    header = next(lines, None)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise _no_backup(path)
    known = header.get("version") == VERSION
    check_revision(path, header.get("revision") if known else "", revision)
    return int(header["rows"])


async def read(
    connection: AsyncConnection, path: Path, lines: Iterator[Any], total: int, progress: Progress
) -> None:
    """Insert all rows. `LastSpikeError` if rows are invalid or missing."""
    counts = dict.fromkeys((str(table.name) for table in metadata.sorted_tables), 0)
    into: _Inserter | None = None
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
                into = _Inserter(metadata.tables[name], columns)
            case {"end": dict(end)} if end == counts and next(lines, None) is None:
                return
            case _:
                raise LastSpikeError("{path} is damaged: its rows don’t add up", path=path)
    raise _cut_off(path)


class _Inserter:
    """Inserts rows into a table in batches."""

    def __init__(self, table: Table, columns: list[str]) -> None:
        self.table = table
        self.rows: list[dict[str, Any]] = []
        self._columns = columns
        self._bytes = [c.name for c in table.columns if isinstance(c.type, LargeBinary)]

    def add(self, values: list[Any], path: Path) -> None:
        try:
            row = dict(zip(self._columns, values, strict=True))
            for name in self._bytes:
                if not isinstance(row[name], bytes | None):
                    row[name] = base64.b64decode(row[name], validate=True)
        except (ValueError, TypeError, KeyError) as error:
            raise _does_not_fit(self.table, path, error) from error
        self.rows.append(row)

    async def flush(self, connection: AsyncConnection, path: Path) -> None:
        if not self.rows:
            return
        try:
            await connection.execute(insert(self.table), self.rows)
        except StatementError as error:
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                raise
            raise _does_not_fit(self.table, path, error.orig) from error
        self.rows.clear()


def _does_not_fit(table: Table, path: Path, reason: object) -> LastSpikeError:
    return LastSpikeError(
        "{path} is damaged: a row of {table} does not fit: {reason}",
        path=path,
        table=table.name,
        reason=reason,
    )
