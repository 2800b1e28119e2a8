"""The logs of the game tables, and the index of tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection
from typing import Any

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Integer,
    Select,
    bindparam,
    delete,
    func,
    literal,
    null,
    select,
    union_all,
)

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.database import Database
from lastspike.server.storage.models import (
    game_table,
    link,
    membership,
    packed_log,
    person,
    session,
    step,
)
from lastspike.server.storage.packing import number_of, unpack
from lastspike.server.storage.rows import Append, Row, TableRow, to_step
from lastspike.server.storage.writing.committer import Committer
from lastspike.server.table import log_events as e

_TABLES = select(
    game_table.c.id,
    game_table.c.status,
    game_table.c.listed,
    game_table.c.created_at,
    game_table.c.changed_at,
    game_table.c.players,
    game_table.c.turn,
)
FINISHED = ("over", "closed")
ROWS_AT_ONCE = 200
"""Rows of one query when a log is read in pieces: more than most games have."""
STEPS_AT_ONCE = 50
BYTES_AT_ONCE = 64 * 1024
"""How much of a log is decoded before others are served."""
MOST_IDS = 500
"""Ids in one statement; databases limit the number of parameters."""


def _logs() -> CompoundSelect[Any]:
    ids: BindParameter[list[str]] = bindparam("table_ids", expanding=True)
    after: BindParameter[int] = bindparam("after", type_=Integer)
    columns = (step.c.number, step.c.at, step.c.body, step.c.secret, step.c.turn, step.c.request)
    steps = select(*columns, step.c.table_id, literal(0).label("packed")).where(
        step.c.table_id.in_(ids), step.c.number > after
    )
    place = packed_log.c.last.label("number")
    packed = select(
        *(place, literal(0), packed_log.c.body, null(), null(), null()),
        *(packed_log.c.table_id, literal(1)),
    ).where(packed_log.c.table_id.in_(ids), packed_log.c.last > after)
    return union_all(steps, packed).order_by("number")


LOGS = _logs()
"""The steps of `table_ids` that come `after` a number, in order, and for each packed log its body.
One statement reads both, or a log that is packed meanwhile would seem to be gone."""
_PIECE = LOGS.limit(bindparam("most", type_=Integer))
"""At most so many rows of them."""


def rows_of(found: Any, after: int = 0) -> list[Row]:
    """The steps of a row of `LOGS`."""
    if not found.packed:
        return [Row._make(found[: len(Row._fields)])]
    return [row for row in unpack(found.body) if row.number > after]


class Logs:
    def __init__(self, database: Database, committer: Committer) -> None:
        self._database = database
        self._committer = committer

    async def create_table(self, first: Append, listed: bool) -> None:
        """Store a table with its first step; its status is `first.index.status` or waiting."""
        if not await self._committer.append(first, listed):
            raise LastSpikeError("table {table} already exists", table=first.table_id)

    async def append(self, step: Append) -> bool:
        """True when the step is durable, False if its number, turn or request is taken or its table
        is deleted. `StorageDown` if the database stays unavailable."""
        return await self._committer.append(step)

    async def steps(self, table_id: str, after: int = 0, limit: int | None = None) -> list[Row]:
        query = LOGS.limit(limit)  # None: all of them
        found = await self._database.rows(query, table_ids=[table_id], after=after)
        return [row for each in found for row in rows_of(each, after)][:limit]

    async def read(self, table_id: str, after: int = 0) -> AsyncIterator[list[e.Step]]:
        """The steps after this one, a few at a time. In between, the event loop serves others: a
        log may hold thousands of steps and many megabytes."""
        while True:
            found = await self._database.rows(
                _PIECE, table_ids=[table_id], after=after, most=ROWS_AT_ONCE
            )
            rows = [row for each in found for row in rows_of(each, after)]
            steps: list[e.Step] = []
            size = 0
            for row in rows:
                steps.append(to_step(row))
                size += len(row.body)
                if len(steps) == STEPS_AT_ONCE or size > BYTES_AT_ONCE:
                    yield steps
                    await asyncio.sleep(0)
                    steps, size = [], 0
            if steps:
                yield steps
            if len(found) < ROWS_AT_ONCE:
                return
            after = rows[-1].number

    async def logs(self, table_ids: Collection[str]) -> dict[str, list[Row]]:
        """All steps of these tables, at most `MOST_IDS`, in the given order."""
        found: dict[str, list[Row]] = {table_id: [] for table_id in table_ids}
        for each in await self._database.rows(LOGS, table_ids=list(found), after=0):
            found[each.table_id] += rows_of(each)
        return found

    async def step_of_request(self, table_id: str, request: str) -> int | None:
        """The number of the step that a request made, if any."""
        query = select(step.c.number).where(step.c.table_id == table_id, step.c.request == request)
        packed = select(packed_log.c.body).where(packed_log.c.table_id == table_id)
        for number in await self._database.column(query):
            return int(number)
        for body in await self._database.column(packed):
            return number_of(body, request)
        return None

    async def numbers(self, table_ids: Collection[str]) -> dict[str, int]:
        """The number of the newest step of each existing table."""
        ids = list(table_ids)
        found: dict[str, int] = {}
        async with self._database.single() as connection:
            for start in range(0, len(ids), MOST_IDS):
                query = (
                    select(game_table.c.id, game_table.c.packed, func.max(step.c.number))
                    .outerjoin(step)
                    .where(game_table.c.id.in_(ids[start : start + MOST_IDS]))
                    .group_by(game_table.c.id)
                )
                rows = await connection.execute(query)
                found.update((row[0], max(row[1], row[2] or 0)) for row in rows)
        return found

    async def table(self, table_id: str) -> TableRow | None:
        rows = await self._tables(_TABLES.where(game_table.c.id == table_id))
        return rows[0] if rows else None

    async def count_by_status(self) -> dict[str, int]:
        query = select(game_table.c.status, func.count()).group_by(game_table.c.status)
        return {row[0]: row[1] for row in sorted(await self._database.rows(query))}

    async def tables_by_status(self, status: str) -> list[str]:
        query = select(game_table.c.id).where(game_table.c.status == status)
        return await self._database.column(query)

    async def tables_awaiting_server(self) -> list[str]:
        """The tables at which a clock runs or a computer player's turn has come."""
        playing = game_table.c.status == "playing"
        query = select(game_table.c.id).where(playing, game_table.c.awaits_server)
        return await self._database.column(query)

    async def listed_tables(self, limit: int) -> list[TableRow]:
        """Public tables that are waiting or playing, newest first."""
        return await self._tables(
            _TABLES.where(game_table.c.listed, game_table.c.status.in_(("waiting", "playing")))
            .order_by(game_table.c.created_at.desc(), game_table.c.id)
            .limit(limit)
        )

    async def tables_of(
        self, person_id: str, limit: int | None, status: str | None = None
    ) -> list[TableRow]:
        """The tables of which the person is a member, last changed first."""
        query = (
            _TABLES.join(membership, membership.c.table_id == game_table.c.id)
            .where(membership.c.person_id == person_id)
            .order_by(game_table.c.changed_at.desc(), game_table.c.id)
            .limit(limit)
        )
        return await self._tables(
            query if status is None else query.where(game_table.c.status == status)
        )

    async def all_tables(self) -> list[TableRow]:
        return await self._tables(_TABLES.order_by(game_table.c.created_at, game_table.c.id))

    async def delete_table(self, table_id: str) -> None:
        await self._database.execute(delete(game_table).where(game_table.c.id == table_id))

    async def delete_older(self, before_ms: int, now: int | None = None) -> int:
        """Delete tables unchanged since `before_ms`, expired sessions and links, and persons
        without session, link and membership. Returns the number of deleted tables."""
        expired = time.time_ns() // 1_000_000 if now is None else now
        async with self._database.writing() as connection:
            gone = await connection.execute(
                delete(game_table).where(game_table.c.changed_at < before_ms)
            )
            for kind in (session, link):
                await connection.execute(delete(kind).where(kind.c.expires_at <= expired))
            await connection.execute(
                delete(person).where(
                    *(
                        ~select(kind.c.person_id).where(kind.c.person_id == person.c.id).exists()
                        for kind in (session, link, membership)
                    )
                )
            )
            return gone.rowcount

    async def _tables(self, query: Select[Any]) -> list[TableRow]:
        return [TableRow._make(row) for row in await self._database.rows(query)]
