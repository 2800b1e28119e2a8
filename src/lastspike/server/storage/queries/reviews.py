"""Reviews of finished games, full or quick: each kind has a table."""

from __future__ import annotations

from sqlalchemy import Table, delete, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import review as full
from lastspike.server.storage.rows import ReviewRow

STALE_MS = 20_000
"""A worker that reported no progress for this long counts as dead."""


class Reviews:
    def __init__(self, database: Database, kind: Table = full) -> None:
        self._database = database
        self._kind = kind

    async def get(self, table_id: str) -> ReviewRow | None:
        review = self._kind
        query = select(review.c.progress, review.c.beat_at, review.c.body)
        rows = await self._database.rows(query.where(review.c.table_id == table_id))
        return ReviewRow._make(rows[0]) if rows else None

    async def begin(self, table_id: str, now: int, stale: int) -> bool:
        """Whether the caller should compute the review, because nobody does or the last heartbeat
        is older than `stale`."""
        review = self._kind
        begin = self._database.insert(review).values(table_id=table_id, progress=0.0, beat_at=now)
        abandoned = review.c.body.is_(None) & (review.c.beat_at < stale)
        begin = begin.on_conflict_do_update(
            index_elements=[review.c.table_id], set_={"beat_at": now}, where=abandoned
        )
        return bool(await self._database.execute(begin))

    async def release(self, table_id: str) -> None:
        """Forget that the review is being computed: nobody does so any longer."""
        review = self._kind
        unfinished = (review.c.table_id == table_id) & review.c.body.is_(None)
        await self._database.execute(delete(review).where(unfinished))

    async def note_progress(self, table_id: str, now: int, progress: float) -> None:
        review = self._kind
        change = update(review).where(review.c.table_id == table_id)
        await self._database.execute(change.values(beat_at=now, progress=progress))

    async def keep(self, table_id: str, body: bytes) -> None:
        review = self._kind
        change = update(review).where(review.c.table_id == table_id)
        await self._database.execute(change.values(body=body, progress=1.0))
