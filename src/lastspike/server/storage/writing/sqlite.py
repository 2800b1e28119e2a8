"""Writes batches of steps into SQLite, over one connection in its own thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from lastspike.server.storage.database import BUSY_SECONDS, SQLITE_PRAGMAS
from lastspike.server.storage.open_file import OpenFile

from .committer import Entry, Passing

CREATE = (
    "INSERT INTO game_table (id, status, listed, created_at, changed_at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
# Steps of a deleted table are skipped.
STORE = (
    "INSERT INTO step (table_id, number, turn, request, token, at, body, secret)"
    " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8"
    " WHERE EXISTS (SELECT 1 FROM game_table WHERE id = ?1)"
    " ON CONFLICT DO NOTHING"
)
IS_OURS = "SELECT 1 FROM step WHERE table_id = ? AND number = ? AND token = ?"
CHANGED = (
    "UPDATE game_table SET changed_at = max(changed_at, ?), status = coalesce(?, status),"
    " listed = coalesce(?, listed) WHERE id = ?"
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
            stored = {entry.token for entry in batch if _store(connection, entry)}
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
            for pragma in SQLITE_PRAGMAS:
                self._connection.execute(pragma)
        return self._connection

    def _disconnect(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
            self._file.disconnected()


def _store(connection: sqlite3.Connection, entry: Entry) -> bool:
    step, index = entry.step, entry.step.index
    if entry.listed is not None:
        status = index.status if index is not None else None
        connection.execute(
            CREATE, (step.table_id, status or "waiting", entry.listed, step.at, step.at)
        )
    key = (step.table_id, step.number, step.turn, step.request)
    row = (*key, entry.token, step.at, step.body, step.secret)
    if not connection.execute(STORE, row).rowcount:
        return entry.tried and bool(
            connection.execute(IS_OURS, (step.table_id, step.number, entry.token)).fetchone()
        )
    if index is None:
        connection.execute(CHANGED, (step.at, None, None, step.table_id))
        return True
    connection.execute(CHANGED, (step.at, index.status, index.listed, step.table_id))
    connection.executemany(LEFT, [(step.table_id, person) for person in index.left])
    connection.executemany(JOINED, [(step.table_id, person, step.at) for person in index.joined])
    return True
