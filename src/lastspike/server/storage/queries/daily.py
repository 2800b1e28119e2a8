"""The Daily Deal: the server's own chain, people's tries, Tycoon's games, and listings."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update

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
    """The score of a day of a person in a list."""

    person_id: str
    day: str
    points: float


class DayScores(NamedTuple):
    """The ranked scores of a day: how many, their mean, and how many are below a score."""

    number: int
    mean: float
    below: int


_WITH_TABLE = daily_try.outerjoin(game_table, game_table.c.id == daily_try.c.table_id)
_TRY = select(
    *(daily_try.c[name] for name in TryRow._fields if name != "status"), game_table.c.status
).select_from(_WITH_TABLE)


def _scored(chain: str, first: str, last: str) -> tuple[ColumnElement[bool], ...]:
    """Ranked tries of these days whose score is known."""
    return (
        daily_try.c.chain == chain,
        daily_try.c.day.between(first, last),
        daily_try.c.ranked,
        daily_try.c.points.is_not(None),
    )


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
        found = await self.ranked_try(row.person_id, row.chain, row.day)
        assert found is not None
        return found

    async def ranked_try(self, person_id: str, chain: str, day: str) -> TryRow | None:
        found = await self._tries(
            (daily_try.c.chain == chain)
            & (daily_try.c.day == day)
            & (daily_try.c.person_id == person_id)
            & daily_try.c.ranked
        )
        return found[0] if found else None

    async def ranked_days(self, person_id: str, chain: str, most: int) -> list[str]:
        """The days of a person's ranked tries in a chain, the newest first."""
        theirs = (daily_try.c.person_id == person_id) & (daily_try.c.chain == chain)
        query = select(daily_try.c.day).where(theirs, daily_try.c.ranked)
        return await self._database.column(query.order_by(daily_try.c.day.desc()).limit(most))

    async def of_table(self, table_id: str) -> TryRow | None:
        found = await self._tries(daily_try.c.table_id == table_id)
        return found[0] if found else None

    async def of_person(self, person_id: str, chain: str, first: str, most: int) -> list[TryRow]:
        """A person's tries in a chain since a day: ranked ones first, then the newest day."""
        theirs = (daily_try.c.person_id == person_id) & (daily_try.c.chain == chain)
        newest = daily_try.c.day.desc(), daily_try.c.begun_at.desc()
        query = _TRY.where(theirs, daily_try.c.day >= first)
        query = query.order_by(daily_try.c.ranked.desc(), *newest).limit(most)
        return [TryRow._make(row) for row in await self._database.rows(query)]

    async def all_of_person(self, person_id: str) -> list[TryRow]:
        return await self._tries(daily_try.c.person_id == person_id)

    async def scores(self, chain: str, day: str, points: float) -> DayScores:
        """All ranked scores of a day, compared with these points."""
        lower = func.count().filter(daily_try.c.points < points)
        mean = func.coalesce(func.avg(daily_try.c.points), 0.0)
        rows = await self._database.rows(
            select(func.count(), mean, lower).where(*_scored(chain, day, day))
        )
        return DayScores._make(rows[0])

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

    async def best_scores(
        self, chain: str, first: str, last: str, least: int, most: int
    ) -> list[ListRow]:
        """The ranked scores of these days, of the listed people with the best means among those who
        have at least so many scores."""
        scored = _scored(chain, first, last)
        best = (
            select(daily_try.c.person_id)
            .join(daily_listing, daily_listing.c.person_id == daily_try.c.person_id)
            .join(person, person.c.id == daily_try.c.person_id)
            .where(*scored)
            .group_by(daily_try.c.person_id, person.c.name)
            .having(func.count() >= least)
            .order_by(func.avg(daily_try.c.points).desc(), person.c.name)
            .limit(most)
        )
        return await self._list_rows(*scored, daily_try.c.person_id.in_(best))

    async def scores_of(self, person_id: str, chain: str, first: str, last: str) -> list[ListRow]:
        """A person's ranked scores of these days."""
        theirs = daily_try.c.person_id == person_id
        return await self._list_rows(*_scored(chain, first, last), theirs)

    async def listed_names(self, persons: Collection[str]) -> dict[str, str]:
        """The names of those of these people who want to be listed."""
        query = (
            select(person.c.id, person.c.name)
            .join(daily_listing, daily_listing.c.person_id == person.c.id)
            .where(person.c.id.in_(persons))
        )
        return {row[0]: row[1] for row in await self._database.rows(query)}

    async def _list_rows(self, *conditions: ColumnElement[bool]) -> list[ListRow]:
        query = select(*(daily_try.c[name] for name in ListRow._fields)).where(*conditions)
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
