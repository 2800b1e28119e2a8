"""Packs the logs of finished games, which nobody adds to any longer but with chat."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lastspike.server.storage import Row, Storage
from lastspike.server.storage.rows import to_step
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import content_of

REST_MS = 10 * 60_000
"""A log is packed when nothing has changed for so long: whoever resends a request has done so."""
AT_ONCE = 5
"""Logs of one transaction, which takes a few milliseconds; then others may write."""


async def pack_finished(storage: Storage, rest_ms: int = REST_MS) -> int:
    """Pack the logs of all finished games; returns how many there were. It may be interrupted."""
    done = 0
    while True:
        found = await storage.packed_logs.unpacked(now_ms() - rest_ms, 100 * AT_ONCE)
        packed = 0
        for begin in range(0, len(found), AT_ONCE):
            packed += await storage.packed_logs.pack(found[begin : begin + AT_ONCE], content)
            await asyncio.sleep(0)
        done += packed
        if not packed:  # none is left, or only damaged ones
            return done


def content(rows: Sequence[Row]) -> bytes | None:
    """What tells the game of these steps from others; None if there is no game to read."""
    try:
        return content_of([to_step(row) for row in rows])
    except Exception:  # whatever is wrong with this log: it is packed as it is
        return None
