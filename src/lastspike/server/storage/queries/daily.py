"""The Daily Deal: the server's own chain, people's tries, Tycoon's games, and listings."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, or_, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import (
    daily_chain,
    daily_listing,
    daily_try,
    daily_tycoon,
    game_table,
    person,
)

_OWN = "own"


class ChainRow(NamedTuple):
    """The server's own chain, or what is known of another's. `last` is secret."""

    first: str
    last: bytes
    days: int


class TryRow(NamedTuple):
    """A daily game of a person. `body` is its score in full as JSON, null until it is computed;
    `status` is its table's, null if there is none."""

    table_id: str
    person_id: str
    chain: str
    day: str
    ranked: bool
    begun_at: int
    points: float | None = None
    margin: float | None = None
    gave_up: bool = False
    body: bytes | None = None
    status: str | None = None


class ListRow(NamedTuple):
    """A person in a list, with the scores of their days."""

    person_id: str
    name: str
    points: float


_WITH_TABLE = daily_try.outerjoin(game_table, game_table.c.id == daily_try.c.table_id)
_TRY = select(
    *(daily_try.c[name] for name in TryRow._fields if name != "status"), game_table.c.status
).select_from(_WITH_TABLE)


class Daily:
    def __init__(self, database: Database) -> None:
        self._database = database

    # ---- the chain --------------------------------------------------------------------------

    async def chain(self, new: ChainRow) -> ChainRow:
        """The server's own chain; the first time, this new one."""
        known = await self.known_chain(_OWN)
        if known is None:
            insert = self._database.insert(daily_chain).values(id=_OWN, **new._asdict())
            await self._database.execute(insert.on_conflict_do_nothing())
            known = await self.known_chain(_OWN)
            assert known is not None
        return known

    async def known_chain(self, url: str) -> ChainRow | None:
        """The chain of another server, as far as it is known."""
        known = select(daily_chain.c.first, daily_chain.c.last, daily_chain.c.days)
        rows = await self._database.rows(known.where(daily_chain.c.id == url))
        return ChainRow._make(rows[0]) if rows else None

    async def keep_chain(self, url: str, row: ChainRow) -> None:
        """Keep what is known of another server's chain, instead of what was known before."""
        insert = self._database.insert(daily_chain).values(id=url, **row._asdict())
        update_it = insert.on_conflict_do_update(
            index_elements=[daily_chain.c.id], set_={"last": row.last, "days": row.days}
        )
        await self._database.execute(update_it)

    # ---- tries ------------------------------------------------------------------------------

    async def begin(self, row: TryRow) -> TryRow:
        """Store a new try. If the person has a ranked one for this day, returns that instead."""
        insert = self._database.insert(daily_try).values(
            {name: value for name, value in row._asdict().items() if name in _BEGUN}
        )
        await self._database.execute(insert.on_conflict_do_nothing())
        if not row.ranked:
            return row
        found = await self._tries(
            (daily_try.c.chain == row.chain)
            & (daily_try.c.day == row.day)
            & (daily_try.c.person_id == row.person_id)
            & daily_try.c.ranked
        )
        return found[0]

    async def of_table(self, table_id: str) -> TryRow | None:
        found = await self._tries(daily_try.c.table_id == table_id)
        return found[0] if found else None

    async def of_person(self, person_id: str, chain: str, most: int) -> list[TryRow]:
        """A person's tries in a chain, the newest day first."""
        theirs = (daily_try.c.person_id == person_id) & (daily_try.c.chain == chain)
        query = _TRY.where(theirs)
        query = query.order_by(daily_try.c.day.desc(), daily_try.c.begun_at.desc()).limit(most)
        return [TryRow._make(row) for row in await self._database.rows(query)]

    async def all_of_person(self, person_id: str) -> list[TryRow]:
        return await self._tries(daily_try.c.person_id == person_id)

    async def scores(self, chain: str, day: str) -> list[float]:
        """All ranked scores of a day."""
        query = select(daily_try.c.points).where(
            daily_try.c.chain == chain,
            daily_try.c.day == day,
            daily_try.c.ranked,
            daily_try.c.points.is_not(None),
        )
        return await self._database.column(query)

    async def forget(self, table_id: str) -> None:
        """Delete a try whose table could not be made."""
        await self._database.execute(delete(daily_try).where(daily_try.c.table_id == table_id))

    # ---- scoring ----------------------------------------------------------------------------

    async def unscored(self, stale: int, most: int) -> list[TryRow]:
        """Tries whose games are over and that nobody scores. Ranked ones come first, then people
        take turns: whose last score was begun longest ago is next, with their oldest try."""
        others = daily_try.alias()
        served = select(func.max(others.c.scoring_at)).where(
            others.c.person_id == daily_try.c.person_id
        )
        query = (
            _TRY.where(
                daily_try.c.body.is_(None),
                daily_try.c.scoring_at < stale,
                game_table.c.status == "over",
            )
            .order_by(daily_try.c.ranked.desc(), served.scalar_subquery(), daily_try.c.begun_at)
            .limit(most)
        )
        return [TryRow._make(row) for row in await self._database.rows(query)]

    async def unfinished(self, before: str, most: int) -> list[TryRow]:
        """Ranked tries of days before this one whose games still go on."""
        query = _TRY.where(
            daily_try.c.body.is_(None),
            daily_try.c.ranked,
            daily_try.c.day < before,
            game_table.c.status == "playing",
        ).limit(most)
        return [TryRow._make(row) for row in await self._database.rows(query)]

    async def claim(self, table_id: str, now: int, stale: int) -> bool:
        """Whether the caller should compute this score: nobody has since `stale`."""
        free = (daily_try.c.scoring_at < stale) & daily_try.c.body.is_(None)
        mine = update(daily_try).where((daily_try.c.table_id == table_id) & free)
        return bool(await self._database.execute(mine.values(scoring_at=now)))

    async def keep(
        self, table_id: str, points: float, margin: float, gave_up: bool, body: bytes
    ) -> None:
        change = update(daily_try).where(daily_try.c.table_id == table_id)
        values = {"points": points, "margin": margin, "gave_up": gave_up, "body": body}
        await self._database.execute(change.values(**values))

    async def tycoon(self, chain: str, day: str) -> bytes | None:
        """Tycoon's games on the deal of a day, as JSON."""
        query = select(daily_tycoon.c.body)
        rows = await self._database.rows(
            query.where(daily_tycoon.c.chain == chain, daily_tycoon.c.day == day)
        )
        return rows[0][0] if rows else None

    async def keep_tycoon(self, chain: str, day: str, body: bytes) -> None:
        insert = self._database.insert(daily_tycoon).values(chain=chain, day=day, body=body)
        await self._database.execute(insert.on_conflict_do_nothing())

    async def days_without_tycoon(self, chain: str, most: int) -> list[str]:
        """Days that somebody has played and Tycoon hasn't, the latest first."""
        there = select(daily_tycoon.c.day).where(daily_tycoon.c.chain == chain)
        query = select(daily_try.c.day).distinct()
        query = query.where(daily_try.c.chain == chain, daily_try.c.day.not_in(there))
        query = query.order_by(daily_try.c.day.desc()).limit(most)
        return await self._database.column(query)

    # ---- lists ------------------------------------------------------------------------------

    async def is_listed(self, person_id: str) -> bool:
        query = select(daily_listing.c.person_id)
        return bool(await self._database.rows(query.where(daily_listing.c.person_id == person_id)))

    async def set_listed(self, person_id: str, listed: bool) -> None:
        if listed:
            insert = self._database.insert(daily_listing).values(person_id=person_id)
            await self._database.execute(insert.on_conflict_do_nothing())
        else:
            theirs = daily_listing.c.person_id == person_id
            await self._database.execute(delete(daily_listing).where(theirs))

    async def listed_scores(
        self, chain: str, first: str, last: str, person_id: str | None
    ) -> list[ListRow]:
        """The ranked scores of these days, of all who want to be listed and of this person."""
        shown: ColumnElement[bool] = daily_listing.c.person_id.is_not(None)
        if person_id is not None:
            shown = or_(shown, daily_try.c.person_id == person_id)
        query = (
            select(daily_try.c.person_id, person.c.name, daily_try.c.points)
            .join(person, person.c.id == daily_try.c.person_id)
            .outerjoin(daily_listing, daily_listing.c.person_id == daily_try.c.person_id)
            .where(
                daily_try.c.chain == chain,
                daily_try.c.day.between(first, last),
                daily_try.c.ranked,
                daily_try.c.points.is_not(None),
                shown,
            )
        )
        return [ListRow._make(row) for row in await self._database.rows(query)]

    async def finished(self, chain: str, day: str) -> int:
        """How many ranked games of a day are over."""
        query = (
            select(func.count())
            .select_from(daily_try)
            .join(game_table, game_table.c.id == daily_try.c.table_id)
            .where(
                daily_try.c.chain == chain,
                daily_try.c.day == day,
                daily_try.c.ranked,
                game_table.c.status == "over",
            )
        )
        rows = await self._database.rows(query)
        return int(rows[0][0])

    async def _tries(self, condition: ColumnElement[bool]) -> list[TryRow]:
        query = _TRY.where(condition).order_by(daily_try.c.begun_at)
        return [TryRow._make(row) for row in await self._database.rows(query)]


_BEGUN = frozenset({"table_id", "person_id", "chain", "day", "ranked", "begun_at"})
