"""What the operator decides and is told: bans, announcements, and reports by players."""

from __future__ import annotations

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import announcement, ban, report
from lastspike.server.storage.notifications import CHANNEL
from lastspike.server.storage.rows import AnnouncementRow, BanRow, ReportRow

BANS = "!bans"
ANNOUNCEMENTS = "!announcements"
"""Topics of news, beside the ids of tables, which have no such characters."""


class Moderation:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def tell(self, topic: str) -> None:
        """Notify all workers that bans or announcements have changed."""
        if self._database.shared:
            await self._database.rows(select(func.pg_notify(CHANNEL, f"{topic} 0")))

    # ---- bans -------------------------------------------------------------------------------

    async def add_ban(self, row: BanRow) -> None:
        await self._database.execute(ban.insert().values(row._asdict()))

    async def bans(self, now: int) -> list[BanRow]:
        """The bans that have not ended, the newest first."""
        query = select(*(ban.c[name] for name in BanRow._fields)).where(ban.c.ends_at > now)
        rows = await self._database.rows(query.order_by(ban.c.created_at.desc(), ban.c.id))
        return [BanRow._make(row) for row in rows]

    async def end_ban(self, ban_id: str) -> BanRow | None:
        """Delete a ban; returns what it was."""
        gone = delete(ban).where(ban.c.id == ban_id)
        fields = (ban.c[name] for name in BanRow._fields)
        rows = await self._database.rows(gone.returning(*fields))
        return BanRow._make(rows[0]) if rows else None

    # ---- announcements ----------------------------------------------------------------------

    async def add_announcement(self, row: AnnouncementRow) -> None:
        await self._database.execute(announcement.insert().values(row._asdict()))

    async def announcements(self, now: int) -> list[AnnouncementRow]:
        """Those that have not ended, the oldest first."""
        query = select(*(announcement.c[name] for name in AnnouncementRow._fields))
        query = query.where(announcement.c.ends_at > now)
        query = query.order_by(announcement.c.created_at, announcement.c.id)
        return [AnnouncementRow._make(row) for row in await self._database.rows(query)]

    async def end_announcement(self, announcement_id: str) -> bool:
        gone = delete(announcement).where(announcement.c.id == announcement_id)
        return bool(await self._database.execute(gone))

    # ---- reports ----------------------------------------------------------------------------

    async def add_report(self, row: ReportRow) -> None:
        await self._database.execute(report.insert().values(row._asdict()))

    async def open_reports(self) -> int:
        query = select(func.count()).select_from(report).where(report.c.settled_at.is_(None))
        return sum(await self._database.column(query))

    async def reports(self, *, settled: bool, limit: int | None) -> list[ReportRow]:
        """Open reports from the oldest, or settled ones from the newest."""
        query = select(*(report.c[name] for name in ReportRow._fields)).limit(limit)
        if settled:
            query = query.where(report.c.settled_at.is_not(None))
            query = query.order_by(report.c.settled_at.desc(), report.c.id)
        else:
            query = query.where(report.c.settled_at.is_(None)).order_by(report.c.at, report.c.id)
        return [ReportRow._make(row) for row in await self._database.rows(query)]

    async def reports_by(self, person: str) -> list[ReportRow]:
        """A person's own reports, the oldest first."""
        query = select(*(report.c[name] for name in ReportRow._fields))
        query = query.where(report.c.person_id == person).order_by(report.c.at, report.c.id)
        return [ReportRow._make(row) for row in await self._database.rows(query)]

    async def settle(self, report_id: str, now: int, note: str) -> ReportRow | None:
        """Mark an open report as settled; returns it, or None if there is no such report."""
        change = update(report).where(report.c.id == report_id, report.c.settled_at.is_(None))
        change = change.values(settled_at=now, note=note)
        fields = (report.c[name] for name in ReportRow._fields)
        rows = await self._database.rows(change.returning(*fields))
        return ReportRow._make(rows[0]) if rows else None

    async def delete_ended(self, now: int, before: int) -> None:
        """Delete bans and announcements that have ended, and reports settled before this time."""
        async with self._database.writing() as writing:
            for kind in (ban, announcement):
                await writing.execute(delete(kind).where(kind.c.ends_at <= now))
            await writing.execute(delete(report).where(report.c.settled_at < before))


async def forget(writing: AsyncConnection, person: str) -> None:
    """Delete a person's ban, and the reports by them and about them."""
    await writing.execute(delete(ban).where(ban.c.person_id == person))
    either = or_(report.c.person_id == person, report.c.about_id == person)
    await writing.execute(delete(report).where(either))
