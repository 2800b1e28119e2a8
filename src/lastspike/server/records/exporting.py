"""Stored games as records."""

from __future__ import annotations

from typing import Any

from lastspike.server.storage import Storage
from lastspike.server.table.records import finished_record, full_record

from .listing import state_of


async def record_of(storage: Storage, table_id: str, secret: bool) -> dict[str, Any] | None:
    """The record of a table's game; None if none has begun.

    The record of an unfinished game holds hands and seed, so it is given only if `secret`.
    """
    state = await state_of(storage, table_id)
    if state.game is None:
        return None
    return full_record(state) if secret else finished_record(state)
