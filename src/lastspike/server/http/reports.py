"""Reports by players: what they tell the operator about a person, a message or a table."""

from __future__ import annotations

import math
import secrets

from lastspike import protocol as p
from lastspike.server.live.table import LiveTable
from lastspike.server.storage.rows import ReportRow, to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import Conflict, NotFound, TooMany
from lastspike.server.table.now import now_ms
from lastspike.server.table.text import clean_chat

from .services import Services

MOST_OPEN = 1000
"""Reports that wait for the operator."""


async def store_report(
    services: Services, table: LiveTable, person: str, caller: str, data: p.NewReport
) -> None:
    """Store a report. One about a message is about whoever wrote it."""
    reason, about, table_id = clean_chat(data.reason), data.person, table.state.id
    limits = services.limits
    wait = limits.reports.take(person) or limits.address_reports.take(caller)
    if wait:
        raise TooMany("you’ve sent too many reports; wait {seconds} s", seconds=math.ceil(wait))
    if data.step is not None:
        rows = await services.storage.logs.steps(table_id, data.step - 1, limit=1)
        said = [
            event
            for row in rows
            if row.number == data.step
            for event in to_step(row).events
            if isinstance(event, e.Said)
        ]
        if not said:
            raise NotFound("there is no such message")
        about = said[0].person
    moderation = services.storage.moderation
    if await moderation.open_reports() >= MOST_OPEN:
        raise Conflict("too many reports are waiting for the operator; try again later")
    row = ReportRow(secrets.token_hex(6), now_ms(), table_id, person, about, data.step, reason)
    await moderation.add_report(row)
