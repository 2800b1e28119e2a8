"""Writes batches of steps into PostgreSQL: one statement stores them all and sends the news."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import URL

from lastspike.server.storage.database import postgres_creator

from .committer import Entry, Passing

if TYPE_CHECKING:
    import asyncpg  # type: ignore[import-untyped]

COMMAND_SECONDS = 15
"""Timeout of a statement, after which the connection is dropped."""

CREATE = """
INSERT INTO game_table (id, status, listed, created_at, changed_at)
VALUES ($1, $2, $3, $4, $4)
ON CONFLICT DO NOTHING
"""

# The rows of game_table are locked in order, then the steps are inserted in order, so that two
# workers can't deadlock, and a log is not being packed meanwhile. Steps of a deleted table are
# skipped, and those whose number is among the packed ones. A notification is limited to 8000 bytes,
# hence the parts.
STORE = """
WITH locked AS (
    SELECT id, packed FROM game_table WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE
), stored AS (
    INSERT INTO step (table_id, number, turn, request, token, at, body, secret)
    SELECT given.*
    FROM unnest(
        $1::text[], $2::int[], $3::int[], $4::text[], $5::bytea[], $6::bigint[], $7::bytea[],
        $8::bytea[]
    ) AS given (table_id, number, turn, request, token, at, body, secret)
    JOIN locked ON locked.id = given.table_id AND locked.packed < given.number
    ORDER BY given.table_id, given.number
    ON CONFLICT DO NOTHING
    RETURNING table_id, number, token, at, turn
), newest AS (
    SELECT table_id, max(at) AS at, max(turn) AS turn FROM stored GROUP BY table_id
), changed AS (
    UPDATE game_table
    SET changed_at = greatest(changed_at, newest.at),
        turn = greatest(game_table.turn, newest.turn)
    FROM newest WHERE game_table.id = newest.table_id
), part AS (
    SELECT string_agg(table_id || ' ' || number, E'\\n') AS news
    FROM (SELECT table_id, number, row_number() OVER () / 100 AS part FROM stored) AS numbered
    GROUP BY part
)
SELECT
    ARRAY(SELECT token FROM stored) AS tokens,
    ARRAY(SELECT pg_notify('lastspike_news', news)::text FROM part) AS sent
"""

WHICH_ARE_OURS = """
SELECT step.token
FROM unnest($1::text[], $2::int[], $3::bytea[]) AS given (table_id, number, token)
JOIN step USING (table_id, number, token)
"""

INDEXED = """
UPDATE game_table
SET status = coalesce($2, status), listed = coalesce($3, listed), players = coalesce($4, players),
    turn = coalesce($5, turn), awaits_server = coalesce($6, awaits_server)
WHERE id = $1
"""

JOINED = """
INSERT INTO membership (table_id, person_id, joined_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""

LEFT = "DELETE FROM membership WHERE table_id = $1 AND person_id = $2"


class PostgresWriter:
    def __init__(self, url: URL) -> None:
        import asyncpg

        self._connect = postgres_creator(url, command_timeout=COMMAND_SECONDS)
        self._connection: asyncpg.Connection | None = None
        self._passing = (
            OSError,
            TimeoutError,
            asyncpg.InterfaceError,
            asyncpg.PostgresConnectionError,
            asyncpg.TransactionRollbackError,  # deadlocks, serialization failures
            asyncpg.InsufficientResourcesError,
            asyncpg.OperatorInterventionError,  # shutting down, starting up
            asyncpg.ReadOnlySQLTransactionError,  # failover to another server
            asyncpg.ForeignKeyViolationError,  # the table was deleted just now
            asyncpg.InternalClientError,
        )

    async def write(self, batch: Sequence[Entry]) -> set[bytes]:
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await self._connect()
            return await _write(self._connection, batch)
        except BaseException as error:
            self._terminate()
            if isinstance(error, self._passing):
                raise Passing from error
            raise

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and not connection.is_closed():
            try:
                await connection.close(timeout=5)
            except self._passing:
                connection.terminate()

    def _terminate(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()


async def _write(connection: asyncpg.Connection, batch: Sequence[Entry]) -> set[bytes]:
    if any(entry.listed is not None or entry.step.index is not None for entry in batch):
        async with connection.transaction():
            await _create(connection, batch)
            stored = await _store(connection, batch)
            await _change_index(connection, [entry for entry in batch if entry.token in stored])
    else:
        # A single statement is its own transaction and one round trip.
        stored = await _store(connection, batch)
    missing = [entry for entry in batch if entry.tried and entry.token not in stored]
    if missing:
        stored.update(await _ours(connection, missing))
    return stored


async def _create(connection: asyncpg.Connection, batch: Sequence[Entry]) -> None:
    for entry in batch:
        if entry.listed is not None:
            step, index = entry.step, entry.step.index
            status = (index.status if index is not None else None) or "waiting"
            await connection.execute(CREATE, step.table_id, status, entry.listed, step.at)


async def _store(connection: asyncpg.Connection, batch: Sequence[Entry]) -> set[bytes]:
    steps = [entry.step for entry in batch]
    tokens, _sent = await connection.fetchrow(
        STORE,
        [step.table_id for step in steps],
        [step.number for step in steps],
        [step.turn for step in steps],
        [step.request for step in steps],
        [entry.token for entry in batch],
        [step.at for step in steps],
        [step.body for step in steps],
        [step.secret for step in steps],
    )
    return set(tokens)


async def _ours(connection: asyncpg.Connection, missing: Sequence[Entry]) -> list[bytes]:
    found = await connection.fetch(
        WHICH_ARE_OURS,
        [entry.step.table_id for entry in missing],
        [entry.step.number for entry in missing],
        [entry.token for entry in missing],
    )
    return [token for (token,) in found]


async def _change_index(connection: asyncpg.Connection, stored: Sequence[Entry]) -> None:
    indexed = [(entry.step, entry.step.index) for entry in stored if entry.step.index is not None]
    for step, index in indexed:
        if any(value is not None for value in index.columns):
            await connection.execute(INDEXED, step.table_id, *index.columns)
        if index.left:
            await connection.executemany(LEFT, [(step.table_id, who) for who in index.left])
        if index.joined:
            await connection.executemany(
                JOINED, [(step.table_id, who, step.at) for who in index.joined]
            )
