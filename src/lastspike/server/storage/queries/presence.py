"""Heartbeats of workers, and the connections of persons to tables through them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, delete, func, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import connection as link_up
from lastspike.server.storage.models import membership, worker
from lastspike.server.storage.notifications import CHANNEL
from lastspike.server.storage.rows import ALIVE_MS


class Presence:
    def __init__(self, database: Database, worker_id: str) -> None:
        self._database = database
        self._worker_id = worker_id

    async def set_right(self, now: int) -> None:
        """Count heartbeats far ahead of now as of now. They were stored before the clock was set
        back, and a worker that died meanwhile would look alive until it has caught up."""
        ahead = update(worker).where(worker.c.beat_at > now + ALIVE_MS)
        await self._database.execute(ahead.values(beat_at=now))

    async def beat(self, now: int) -> None:
        """Store this worker's heartbeat."""
        await self.set_right(now)
        beat = self._database.insert(worker).values(id=self._worker_id, beat_at=now)
        await self._database.execute(
            beat.on_conflict_do_update(index_elements=[worker.c.id], set_={"beat_at": now})
        )

    async def workers(self, since: int) -> list[str]:
        """The ids of the workers with a heartbeat since then."""
        query = select(worker.c.id).where(worker.c.beat_at >= since).order_by(worker.c.id)
        return await self._database.column(query)

    async def last_beat(self) -> int | None:
        """The time of the newest heartbeat of any worker."""
        newest: int | None
        (newest,) = await self._database.column(select(func.max(worker.c.beat_at)))
        return newest

    async def announce(self, table_id: str, number: int = 0) -> None:
        """Notify all workers that a table's connections changed, as news of step 0, or that it was
        deleted, as news of step `DELETED`."""
        if self._database.shared:
            await self._database.rows(select(func.pg_notify(CHANNEL, f"{table_id} {number}")))

    async def forget_workers(self, before: int) -> None:
        """Delete workers without a heartbeat since then, and their connections. Persons who were
        connected only through them have been away since that heartbeat."""
        dead = select(worker.c.id).where(worker.c.beat_at < before)
        through_dead = and_(_theirs(), link_up.c.worker_id.in_(dead))
        last_seen = (
            select(func.max(worker.c.beat_at))
            .join(link_up, link_up.c.worker_id == worker.c.id)
            .where(through_dead)
            .scalar_subquery()
        )
        async with self._database.writing() as connection:
            await connection.execute(
                update(membership)
                .where(
                    membership.c.away_since.is_(None),
                    select(link_up.c.id).where(through_dead).exists(),
                    ~select(link_up.c.id)
                    .where(_theirs(), link_up.c.worker_id.not_in(dead))
                    .exists(),
                )
                .values(away_since=last_seen)
            )
            await connection.execute(delete(link_up).where(link_up.c.worker_id.in_(dead)))
            await connection.execute(delete(worker).where(worker.c.beat_at < before))

    async def connected(
        self,
        connection_id: str,
        table_id: str,
        person_id: str | None,
        address: str | None = None,
    ) -> None:
        row = {
            "worker_id": self._worker_id,
            "table_id": table_id,
            "person_id": person_id,
            "address": address,
        }
        async with self._database.writing() as connection:
            await connection.execute(
                self._database.insert(link_up)
                .values(id=connection_id, **row)
                .on_conflict_do_update(index_elements=[link_up.c.id], set_=row)
            )
            if person_id is not None:
                await connection.execute(
                    update(membership).where(_member(table_id, person_id)).values(away_since=None)
                )

    async def disconnected(self, connection_id: str, now: int) -> None:
        """Delete a connection; if it was the person's last to the table, they are away now."""
        gone = (
            delete(link_up)
            .where(link_up.c.id == connection_id)
            .returning(link_up.c.table_id, link_up.c.person_id)
        )
        async with self._database.writing() as connection:
            row = (await connection.execute(gone)).first()
            if row is None or row.person_id is None:
                return
            member = _member(row.table_id, row.person_id)
            # Lock the row: if two connections end at once, the second must see the first one gone.
            await connection.execute(
                update(membership).where(member).values(joined_at=membership.c.joined_at)
            )
            await connection.execute(
                update(membership)
                .where(member, ~select(link_up.c.id).where(_theirs()).exists())
                .values(away_since=now)
            )

    async def own_connections(self) -> dict[str, str]:
        """This worker's stored connections, each with its table."""
        own = select(link_up.c.id, link_up.c.table_id).where(link_up.c.worker_id == self._worker_id)
        return {row.id: row.table_id for row in await self._database.rows(own)}

    async def at_table(self, table_id: str, alive_since: int) -> tuple[dict[str, int | None], int]:
        """Since when each member has been away, None if they are connected through a live worker;
        and the number of other connections."""
        members = select(
            membership.c.person_id, membership.c.joined_at, membership.c.away_since
        ).where(membership.c.table_id == table_id)
        connections = (
            select(link_up.c.person_id, worker.c.beat_at)
            .join(worker, worker.c.id == link_up.c.worker_id)
            .where(link_up.c.table_id == table_id)
        )
        async with self._database.single() as connection:
            member_rows = (await connection.execute(members)).all()
            connection_rows = (await connection.execute(connections)).all()
        here = [row.person_id for row in connection_rows if row.beat_at >= alive_since]
        # A dead worker could not store the disconnection.
        last_seen: dict[str | None, int] = {}
        for who, beat_at in connection_rows:
            last_seen[who] = max(beat_at, last_seen.get(who, 0))
        since: dict[str, int | None] = {}
        for row in member_rows:
            if row.person_id in here:
                since[row.person_id] = None
            elif row.away_since is not None:
                since[row.person_id] = row.away_since
            else:
                since[row.person_id] = last_seen.get(row.person_id, row.joined_at)
        return since, sum(who not in since for who in here)


def _member(table_id: str, person_id: str) -> ColumnElement[bool]:
    return and_(membership.c.table_id == table_id, membership.c.person_id == person_id)


def _theirs() -> ColumnElement[bool]:
    """A connection of the member to the table of the membership."""
    return and_(
        link_up.c.table_id == membership.c.table_id, link_up.c.person_id == membership.c.person_id
    )
