"""Lists of stored tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import NamedTuple

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import Row, Storage, TableRow
from lastspike.server.storage.rows import to_step
from lastspike.server.table.list_entry import read_players
from lastspike.server.table.state import TableState, replay


class TableLine(NamedTuple):
    """A table in a list. `turn` is the current turn, or the last of a finished game; `trouble` is
    the error if its log can't be read."""

    row: TableRow
    players: tuple[str, ...] = ()
    turn: int = 0
    trouble: LastSpikeError | None = None


async def lines(
    storage: Storage, rows: Sequence[TableRow], check: bool = False
) -> AsyncIterator[TableLine]:
    """The lines of these tables, from the index. With `check`, and where the index has no players,
    the log is read, which shows what is wrong with it."""
    for row in rows:
        if not check and row.players is not None:
            begun = row.status == "playing" or (row.status == "closed" and row.turn > 0)
            yield TableLine(row, read_players(row.players), row.turn + begun)
            continue
        try:
            state = await state_of(storage, row.id)
        except UnreadableLog as error:
            yield TableLine(row, trouble=error)
        else:
            names = tuple(seat.name or seat.level or "" for seat in state.seats)
            yield TableLine(row, names, state.turn - (state.status == "over"))


class UnreadableLog(LastSpikeError):
    """A table's log can't be replayed."""


async def state_of(storage: Storage, table_id: str) -> TableState:
    return state_from(table_id, await storage.logs.steps(table_id))


def state_from(table_id: str, rows: Sequence[Row]) -> TableState:
    """The state that these rows of a log replay to; `UnreadableLog` if they don't."""
    try:
        if not rows:
            raise LastSpikeError("there is no such table")
        return replay(table_id, map(to_step, rows))
    except Exception as error:  # whatever is wrong with this log
        reason = error if isinstance(error, LastSpikeError) else repr(error)
        raise UnreadableLog(
            "table {table} can’t be read: {reason}", table=table_id, reason=reason
        ) from error


async def chosen(
    storage: Storage, table_ids: Collection[str] = (), status: str | None = None
) -> list[TableRow]:
    """The tables with these ids and this status, oldest first. The default is all of them.

    `LastSpikeError` for an unknown id.
    """
    rows = await storage.logs.all_tables()
    for table_id in table_ids:
        if not any(row.id == table_id for row in rows):
            raise LastSpikeError("there is no table {table}", table=table_id)
    return [
        row
        for row in rows
        if (not table_ids or row.id in table_ids) and status in (None, row.status)
    ]
