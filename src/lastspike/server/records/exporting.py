"""Export of stored games as records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from lastspike.server.storage import Storage
from lastspike.server.table.records import finished_record, full_record
from lastspike.server.table.state import TableState

from .listing import UnreadableLog, state_from, state_of

AT_ONCE = 100
"""Logs read from the database together."""


async def record_of(storage: Storage, table_id: str, secret: bool) -> dict[str, Any] | None:
    """The record of a table's game; None before it starts.

    `secret` also allows the record of an unfinished game, which contains hands and seed.
    """
    return _record(await state_of(storage, table_id), secret)


async def records_of(
    storage: Storage, table_ids: Sequence[str], secret: bool
) -> AsyncIterator[dict[str, Any] | UnreadableLog | None]:
    """The same of many tables, in order; an unreadable log gives its error."""
    for begin in range(0, len(table_ids), AT_ONCE):
        some = table_ids[begin : begin + AT_ONCE]
        for table_id, rows in (await storage.logs.logs(some)).items():
            try:
                state = state_from(table_id, rows)
            except UnreadableLog as error:
                yield error
            else:
                yield _record(state, secret)


def _record(state: TableState, secret: bool) -> dict[str, Any] | None:
    if state.game is None:
        return None
    return full_record(state) if secret else finished_record(state)
