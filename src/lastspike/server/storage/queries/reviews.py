"""Reviews, kept with the games they are of."""

from __future__ import annotations

from sqlalchemy import select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import review
from lastspike.server.storage.rows import ReviewRow

STALE_MS = 20_000
"""A worker that has not noted any progress for this long is taken for dead."""


class Reviews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, table_id: str) -> ReviewRow | None:
        query = select(review.c.progress, review.c.beat_at, review.c.body)
        async with self._database.single() as connection:
            row = (await connection.execute(query.where(review.c.table_id == table_id))).first()
            return None if row is None else ReviewRow._make(row)

    async def begin(self, table_id: str, now: int, stale: int) -> bool:
        """Whether it is for the caller to do: nobody does, or who did has not been heard of since
        `stale`."""
        begin = self._database.insert(review).values(table_id=table_id, progress=0.0, beat_at=now)
        abandoned = review.c.body.is_(None) & (review.c.beat_at < stale)
        begin = begin.on_conflict_do_update(
            index_elements=[review.c.table_id], set_={"beat_at": now}, where=abandoned
        )
        async with self._database.single() as connection:
            return bool((await connection.execute(begin)).rowcount)

    async def note_progress(self, table_id: str, now: int, progress: float) -> None:
        change = update(review).where(review.c.table_id == table_id)
        async with self._database.single() as connection:
            await connection.execute(change.values(beat_at=now, progress=progress))

    async def keep(self, table_id: str, body: bytes) -> None:
        change = update(review).where(review.c.table_id == table_id)
        async with self._database.single() as connection:
            await connection.execute(change.values(body=body, progress=1.0))
