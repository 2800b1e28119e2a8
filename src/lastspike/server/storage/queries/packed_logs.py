"""Packed logs: packing those of finished tables, and storing whole games at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import game_table, packed_log, step
from lastspike.server.storage.packing import PackedLog, pack, persons_in, unpack
from lastspike.server.storage.rows import Row

_ROWS = select(
    step.c.number, step.c.at, step.c.body, step.c.secret, step.c.turn, step.c.request
).order_by(step.c.number)


class WholeGame(NamedTuple):
    """A finished game to store as a table with a packed log."""

    players: str
    turn: int
    created_at: int
    changed_at: int
    log: PackedLog


class PackedLogs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def unpacked(self, before_ms: int, limit: int) -> list[str]:
        """Finished tables whose logs are not packed, unchanged since then."""
        query = (
            select(game_table.c.id)
            .where(game_table.c.status.in_(("over", "closed")), game_table.c.packed == 0)
            .where(game_table.c.changed_at < before_ms)
            .order_by(game_table.c.id)
            .limit(limit)
        )
        return await self._database.column(query)

    async def pack(
        self, table_ids: Sequence[str], content_of: Callable[[Sequence[Row]], bytes | None]
    ) -> int:
        """Pack the logs of these tables in one transaction, and return how many it were. While a
        table's row is locked, nobody appends to its log. A log with a gap is left as it is."""
        packed = 0
        async with self._database.writing() as connection:
            for table_id in sorted(table_ids):
                packed += await _pack(connection, table_id, content_of)
        return packed

    async def store(self, games: Sequence[WholeGame]) -> set[str]:
        """Store whole games in one transaction; returns the ids that were free."""
        tables = [
            {
                "id": game.log.table_id,
                "status": "over",
                "listed": False,
                "created_at": game.created_at,
                "changed_at": game.changed_at,
                "players": game.players,
                "turn": game.turn,
                "awaits_server": False,
                "packed": game.log.last,
            }
            for game in games
        ]
        new: set[str] = set()
        async with self._database.writing() as connection:
            for begin in range(0, len(tables), ROWS_AT_ONCE):
                some = tables[begin : begin + ROWS_AT_ONCE]
                storing = self._database.insert(game_table).values(some).on_conflict_do_nothing()
                new.update(await connection.scalars(storing.returning(game_table.c.id)))
            logs = [game.log._asdict() for game in games if game.log.table_id in new]
            if logs:
                await connection.execute(insert(packed_log), logs)
        return new

    async def contents(self) -> dict[bytes, str]:
        """The content of every game in a packed log, and its table."""
        query = select(packed_log.c.content, packed_log.c.table_id)
        rows = await self._database.rows(query.where(packed_log.c.content.is_not(None)))
        return {row.content: row.table_id for row in rows}

    async def unpacked_games(self) -> list[str]:
        """The tables of finished games whose logs are not packed."""
        query = select(game_table.c.id).where(
            game_table.c.status == "over", game_table.c.packed == 0
        )
        return await self._database.column(query)


ROWS_AT_ONCE = 100
"""Rows of one statement; databases limit the number of parameters."""


async def _pack(
    connection: AsyncConnection,
    table_id: str,
    content_of: Callable[[Sequence[Row]], bytes | None],
) -> bool:
    here = game_table.c.id == table_id
    finished = game_table.c.status.in_(("over", "closed"))
    lock = update(game_table).where(here, finished, game_table.c.packed == 0).values(packed=0)
    if not (await connection.execute(lock)).rowcount:
        return False
    found = await connection.execute(_ROWS.where(step.c.table_id == table_id))
    rows = [Row._make(row) for row in found]
    try:
        body = pack(rows)
    except ValueError:
        return False
    log = PackedLog(table_id, len(rows), persons_in(rows), content_of(rows), body)
    await connection.execute(insert(packed_log), log._asdict())
    await connection.execute(delete(step).where(step.c.table_id == table_id))
    await connection.execute(update(game_table).where(here).values(packed=log.last))
    return True


async def rewrite(connection: AsyncConnection, table_id: str, bodies: Mapping[int, bytes]) -> None:
    """Replace the bodies of steps by number, as far as they are packed."""
    here = packed_log.c.table_id == table_id
    body = await connection.scalar(select(packed_log.c.body).where(here))
    if body is None:
        return
    rows = unpack(body)
    changed = [row._replace(body=bodies.get(row.number, row.body)) for row in rows]
    if changed != rows:
        await connection.execute(update(packed_log).where(here).values(body=pack(changed)))
