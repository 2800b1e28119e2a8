"""Writes batches of steps into SQLite, over one connection in its own thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain
from typing import Any

from lastspike.server.storage.database import BUSY_SECONDS, SQLITE_PRAGMAS
from lastspike.server.storage.open_file import OpenFile
from lastspike.server.storage.rows import Append
from lastspike.server.table.log_events import Index

from .committer import Entry, Passing

CREATE = (
    "INSERT INTO game_table (id, status, listed, created_at, changed_at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
# Steps of a deleted table are skipped, and those whose number is among the packed ones.
STORE = (
    "INSERT OR IGNORE INTO step (table_id, number, turn, request, token, at, body, secret)"
    " WITH given (table_id, number, turn, request, token, at, body, secret) AS (VALUES {rows})"
    " SELECT * FROM given WHERE EXISTS"
    " (SELECT 1 FROM game_table WHERE id = given.table_id AND packed < given.number)"
)
COLUMNS = 8
PRAGMAS = (
    *SQLITE_PRAGMAS,
    # All that refers to a table is stored only if the table is there. A statement that could still
    # be refused keeps a copy of each page that it changes, at twice the cost of all the rest of it.
    "PRAGMA foreign_keys = OFF",
)
IS_OURS = "SELECT 1 FROM step WHERE table_id = ? AND number = ? AND token = ?"
CHANGED = (
    "WITH given (table_id, at, turn) AS (VALUES {rows})"
    " UPDATE OR IGNORE game_table"
    " SET changed_at = max(changed_at, given.at), turn = max(game_table.turn, given.turn)"
    " FROM given WHERE id = given.table_id"
)
INDEXED = (
    "UPDATE game_table SET status = coalesce(?, status), listed = coalesce(?, listed),"
    " players = coalesce(?, players), turn = coalesce(?, turn),"
    " awaits_server = coalesce(?, awaits_server) WHERE id = ?"
)
JOINED = (
    "INSERT INTO membership (table_id, person_id, joined_at) VALUES (?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
LEFT = "DELETE FROM membership WHERE table_id = ? AND person_id = ?"


class SqliteWriter:
    """Checks the file after each commit: what was written into a file that is gone is promised to
    nobody."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._thread: ThreadPoolExecutor | None = None
        self._connection: sqlite3.Connection | None = None

    async def write(self, batch: Sequence[Entry]) -> set[bytes]:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="lastspike-commit")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._write, batch)

    async def close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(thread, self._disconnect)
            thread.shutdown()

    def _write(self, batch: Sequence[Entry]) -> set[bytes]:
        self._file.check()
        try:
            connection = self._connect()
            connection.execute("BEGIN IMMEDIATE")
            self._file.writing()
            stored = _store(connection, batch)
            connection.execute("COMMIT")
        except BaseException as error:
            self._disconnect()
            if isinstance(error, sqlite3.OperationalError):
                raise Passing from error
            raise
        self._file.check()
        return stored

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(
                self._file.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            for pragma in PRAGMAS:
                self._connection.execute(pragma)
        return self._connection

    def _disconnect(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
            self._file.disconnected()


def _store(connection: sqlite3.Connection, batch: Sequence[Entry]) -> set[bytes]:
    """The tokens of the steps that are in the database now.

    However many there are, two statements store them: with each, this thread gives way to the event
    loop, and waits for it.
    """
    for entry in batch:
        if entry.listed is not None:
            step, index = entry.step, entry.step.index
            status = (index.status if index is not None else None) or "waiting"
            connection.execute(CREATE, (step.table_id, status, entry.listed, step.at, step.at))
    new = _at_once(connection, STORE, COLUMNS, [_row(entry) for entry in batch])
    there = batch if new == len(batch) else [e for e in batch if _is_there(connection, e)]
    newest: dict[str, tuple[str, int, int]] = {}
    for table_id, _, at, _, _, turn, *_ in (entry.step for entry in there):
        _, before, made = newest.get(table_id, (table_id, 0, 0))
        newest[table_id] = table_id, max(at, before), max(turn or 0, made)
    _at_once(connection, CHANGED, 3, list(newest.values()))
    for entry in there:
        if entry.step.index is not None:
            _index(connection, entry.step, entry.step.index)
    return {entry.token for entry in there}


def _row(entry: Entry) -> tuple[Any, ...]:
    step = entry.step
    key = (step.table_id, step.number, step.turn, step.request)
    return (*key, entry.token, step.at, step.body, step.secret)


def _at_once(
    connection: sqlite3.Connection, statement: str, columns: int, rows: Sequence[tuple[Any, ...]]
) -> int:
    """Run a statement over all rows, and return how many it changed. It is made for a power of two
    of rows, the last of them null, which are no table's: so few different statements stay prepared.
    """
    if not rows:
        return 0
    size = 1 << (len(rows) - 1).bit_length()
    values = list(chain.from_iterable(rows))
    values += [None] * (columns * size - len(values))
    return connection.execute(_of_size(statement, columns, size), values).rowcount


@cache
def _of_size(statement: str, columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.format(rows=", ".join([row] * rows))


def _is_there(connection: sqlite3.Connection, entry: Entry) -> bool:
    place = (entry.step.table_id, entry.step.number, entry.token)
    return bool(connection.execute(IS_OURS, place).fetchone())


def _index(connection: sqlite3.Connection, step: Append, index: Index) -> None:
    if any(value is not None for value in index.columns):
        connection.execute(INDEXED, (*index.columns, step.table_id))
    connection.executemany(LEFT, [(step.table_id, person) for person in index.left])
    connection.executemany(JOINED, [(step.table_id, person, step.at) for person in index.joined])
