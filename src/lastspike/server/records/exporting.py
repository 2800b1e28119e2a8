"""Export of stored games as records."""

from __future__ import annotations

from typing import Any

from lastspike.server.storage import Storage
from lastspike.server.table.records import finished_record, full_record

from .listing import state_of


async def record_of(storage: Storage, table_id: str, secret: bool) -> dict[str, Any] | None:
    """The record of a table's game; None before it starts.

    `secret` also allows the record of an unfinished game, which contains hands and seed.
    """
    state = await state_of(storage, table_id)
    if state.game is None:
        return None
    return full_record(state) if secret else finished_record(state)
