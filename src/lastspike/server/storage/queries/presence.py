"""Which workers are alive, and who is connected to which table through which of them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, delete, func, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import connection as link_up
from lastspike.server.storage.models import membership, worker
from lastspike.server.storage.news import CHANNEL

ALIVE_MS = 7_000
"""A worker whose heartbeat is older than this is taken for dead."""


class Presence:
    def __init__(self, database: Database, worker_id: str) -> None:
        self._database = database
        self._worker_id = worker_id

    async def beat(self, now: int) -> None:
        """Note that this worker is alive."""
        beat = self._database.insert(worker).values(id=self._worker_id, beat_at=now)
        async with self._database.single() as connection:
            await connection.execute(
                beat.on_conflict_do_update(
                    index_elements=[worker.c.id], set_={"beat_at": beat.excluded.beat_at}
                )
            )

    async def workers(self, since: int) -> list[str]:
        """The ids of the workers whose last heartbeat is not older."""
        query = select(worker.c.id).where(worker.c.beat_at >= since).order_by(worker.c.id)
        async with self._database.single() as connection:
            return list((await connection.scalars(query)).all())

    async def last_beat(self) -> int | None:
        """When any worker was last known to live."""
        async with self._database.single() as connection:
            newest: int | None = await connection.scalar(select(func.max(worker.c.beat_at)))
            return newest

    async def announce(self, table_id: str) -> None:
        """Sends all workers the news that who is connected to a table has changed: step 0."""
        if self._database.shared:
            news = select(func.pg_notify(CHANNEL, f"{table_id} 0"))
            async with self._database.single() as connection:
                await connection.execute(news)

    async def forget_workers(self, before: int) -> None:
        """Forgets workers whose last heartbeat is older, with the connections through them. Whoever
        was connected only through one of them has been away since its last heartbeat."""
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

    async def connected(self, connection_id: str, table_id: str, person_id: str | None) -> None:
        row = {"worker_id": self._worker_id, "table_id": table_id, "person_id": person_id}
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
        """Whoever has no other connection to the table is away since now."""
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
            # Locks the row, so that of two connections that end at the same moment the second sees
            # that the first is gone.
            await connection.execute(
                update(membership).where(member).values(joined_at=membership.c.joined_at)
            )
            await connection.execute(
                update(membership)
                .where(member, ~select(link_up.c.id).where(_theirs()).exists())
                .values(away_since=now)
            )

    async def own_connections(self) -> dict[str, str]:
        """The connections that are written down as this worker's, each with its table."""
        own = select(link_up.c.id, link_up.c.table_id).where(link_up.c.worker_id == self._worker_id)
        async with self._database.single() as connection:
            return {row.id: row.table_id for row in await connection.execute(own)}

    async def at_table(self, table_id: str, alive_since: int) -> tuple[dict[str, int | None], int]:
        """For each member None if they are connected through a worker that lives, otherwise since
        when they are away; and how many connections others have."""
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
        # A worker that died could not write down that they went.
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
    """That a connection is the member's and to the table that they are a member of."""
    return and_(
        link_up.c.table_id == membership.c.table_id, link_up.c.person_id == membership.c.person_id
    )
