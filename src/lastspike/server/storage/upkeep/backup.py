"""Backup and restore: the whole database as one file, in one of three formats.

`portable.py` has the format for any database; SQLite and PostgreSQL each have their own as well.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import URL, select
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import VERSION_TABLE, Database, dsn, reporting_down
from lastspike.server.storage.models import metadata

from . import portable
from .portable import Progress, reporting_unwritable
from .revision import current_revision, newest_revision

SQLITE_NAMES = (".db", ".sqlite", ".sqlite3")
DUMP_NAME = ".dump"
_SQLITE_BEGINS = b"SQLite format 3\0"
_DUMP_BEGINS = b"PGDMP"


async def backup(url: str, path: Path | str, progress: Progress | None = None) -> None:
    """Write a snapshot of the database to a file, while others may write.

    The suffix chooses the format: a SQLite database, a dump of `pg_dump`, or the portable format.
    The file appears complete or not at all. Only its owner can read it, as it holds secrets.
    """
    path = Path(path)
    database = Database(url)
    database.prepare(create=False)
    try:
        await _checked_revision(database)
        with _appearing_whole(path) as file:
            if path.suffix in SQLITE_NAMES:
                _require(not database.shared, "SQLite", path)
                await asyncio.to_thread(_copy_sqlite, Path(database.file), file, path)
            elif path.suffix == DUMP_NAME:
                _require(database.shared, "PostgreSQL", path)
                tables = [f"--table={name}" for name in (*metadata.tables, VERSION_TABLE)]
                options = ("--format=custom", "--no-owner", "--no-privileges", *tables)
                await _run("pg_dump", database.url, path, *options, f"--file={file}")
            else:
                async with _snapshot(database) as connection:
                    await connection.run_sync(
                        portable.write, file, path, progress or portable.ignore
                    )
    finally:
        await database.engine.dispose()


async def restore(url: str, path: Path | str, progress: Progress | None = None) -> None:
    """Fill an empty database from a file that `backup` wrote, completely or not at all.

    The database must have the tables of this version and no rows.
    """
    path = Path(path)
    database = Database(url)
    database.prepare(create=False)
    try:
        revision = await _checked_revision(database)
        begins = _beginning(path)
        if begins.startswith(_DUMP_BEGINS):
            await _restore_dump(database, path, revision)
            return
        source = (
            portable.lines_of_sqlite(path, revision)
            if begins.startswith(_SQLITE_BEGINS)
            else portable.lines_of_gzip(path)
        )
        with closing(source) as lines, reporting_down():
            total = portable.read_header(path, lines, revision)
            async with database.engine.begin() as connection:
                if not database.shared:
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                await _refuse_unless_empty(connection)
                await portable.read(connection, path, lines, total, progress or portable.ignore)
    finally:
        await database.engine.dispose()


async def _checked_revision(database: Database) -> str:
    current = await current_revision(database.engine)
    if current is None or current != newest_revision():
        raise LastSpikeError(
            "the database is not ready for this version; run: lastspike db upgrade"
        )
    return current


def _require(fits: bool, kind: str, path: Path) -> None:
    if not fits:
        raise LastSpikeError(
            "{path}: this format is for {database} only; use a *.jsonl.gz file for any database",
            path=path,
            database=kind,
        )


async def _refuse_unless_empty(connection: AsyncConnection) -> None:
    for table in metadata.sorted_tables:
        if (await connection.execute(select(table).limit(1))).first() is not None:
            raise LastSpikeError(
                "the database is not empty: {table} has rows; restore into a new one",
                table=table.name,
            )


@asynccontextmanager
async def _snapshot(database: Database) -> AsyncIterator[AsyncConnection]:
    with reporting_down():
        async with database.engine.connect() as connection:
            if database.shared:
                await connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            else:
                # Without a transaction, each SELECT would see newer writes.
                await connection.exec_driver_sql("BEGIN")
            yield connection


@contextmanager
def _appearing_whole(path: Path) -> Iterator[Path]:
    """A temporary file that becomes `path` once it is complete and synced."""
    with reporting_unwritable(path):
        folder = TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent)
    with folder:
        file = Path(folder.name) / path.name
        with reporting_unwritable(path):
            file.touch(0o600)
        yield file
        with reporting_unwritable(path):
            _sync(file)
            os.replace(file, path)
            _sync(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _beginning(path: Path) -> bytes:
    """The first bytes of a file; empty if it can't be read, which is reported later."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE_BEGINS))
    except OSError:
        return b""


# ---- formats of SQLite and PostgreSQL -------------------------------------------------------


def _copy_sqlite(database: Path, file: Path, path: Path) -> None:
    """Copy the database in one step, which with a write-ahead log does not block writers."""
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)
            # Without a write-ahead log it is a single file.
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise LastSpikeError(
            "{path} can’t be written: {reason}", path=path, reason=error
        ) from error


async def _restore_dump(database: Database, path: Path, revision: str) -> None:
    """Replace the empty tables by those of the dump, in one transaction."""
    _require(database.shared, "PostgreSQL", path)
    versions = ("--data-only", f"--table={VERSION_TABLE}", "--file=-")
    text = await _run("pg_restore", None, path, *versions, str(path))
    found = re.search(rf"(?m)^COPY .*\b{VERSION_TABLE}\b.*\n(\S+)$", text)
    portable.check_revision(path, found and found[1], revision)
    with reporting_down():
        async with database.engine.connect() as connection:
            await _refuse_unless_empty(connection)
    replacing = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction")
    await _run("pg_restore", database.url, path, *replacing, str(path))


async def _run(program: str, url: URL | None, path: Path, *arguments: str) -> str:
    """Run one of PostgreSQL's programs and return its output."""
    environment = dict(os.environ)
    if url is not None:
        if url.password is not None:  # arguments are visible to other users
            environment["PGPASSWORD"] = str(url.password)
        arguments = (f"--dbname={dsn(url._replace(password=None))}", *arguments)
    try:
        done = await asyncio.to_thread(
            subprocess.run,
            [program, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise LastSpikeError(
            "{path}: {program} was not found; install PostgreSQL’s client programs, "
            "or back up to a *.jsonl.gz file",
            path=path,
            program=program,
        ) from None
    if done.returncode != 0:
        reason = done.stderr.strip().partition("\n")[0].removeprefix(f"{program}: ")
        raise LastSpikeError(
            "{path}: {program} failed: {reason}", path=path, program=program, reason=reason
        )
    return str(done.stdout)
