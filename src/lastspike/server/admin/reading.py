"""What the operator sees: the server's load, tables, persons, connections, reports, the audit log.

Nothing here shows a game: neither hands nor cash, of running or finished games.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence

from lastspike import protocol as p
from lastspike.release import full_version
from lastspike.server.config.settings import Config, cores
from lastspike.server.live.registry import TableRegistry
from lastspike.server.monitoring import metrics
from lastspike.server.storage import Storage
from lastspike.server.storage.queries.overview import KnownPerson, OpenConnection
from lastspike.server.storage.rows import ALIVE_MS, ReportRow, TableRow, to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound
from lastspike.server.table.now import now_ms
from lastspike.server.table.views import table_info

from .announcements import Announcements

MOST_TABLES = 50
MOST_PERSONS = 50
MOST_CONNECTIONS = 500
MOST_REPORTS = 50
MOST_EVENTS = 100
MOST_LINES = 200
"""Messages of a table's chat, the last ones."""
LINES_AROUND = 5
"""Messages before and after the one that a report is about."""


class Reading:
    def __init__(
        self,
        config: Config,
        storage: Storage,
        registry: TableRegistry,
        announcements: Announcements,
    ) -> None:
        self._config = config
        self._storage = storage
        self._registry = registry
        self._announcements = announcements

    async def instance(self) -> p.Instance:
        storage, now = self._storage, now_ms()
        return p.Instance(
            name=self._config.name,
            version=full_version(),
            now=now,
            workers=max(1, len(await storage.presence.workers(now - ALIVE_MS))),
            load=self._load(),
            tables=await storage.logs.count_by_status(),
            persons=await storage.persons.count(),
            connections=len(await self._connections()),
            open_reports=await storage.moderation.open_reports(),
            bans=len(await storage.moderation.bans(now)),
            announcements=self._announcements.now,
        )

    def _load(self) -> p.Load:
        metrics.TABLES.set(len(self._registry.live))
        found = metrics.sums()
        commits = found.get("lastspike_commit_seconds_count", 0)
        busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
        return p.Load(
            sockets=int(found.get("lastspike_sockets_open", 0)),
            tables=int(found.get("lastspike_tables_live", 0)),
            turns=int(found.get("lastspike_turns_total", 0)),
            commit_ms=1000 * found["lastspike_commit_seconds_sum"] / commits if commits else None,
            load=busy,
            cores=cores(),
        )

    # ---- tables -----------------------------------------------------------------------------

    async def tables(self, status: str | None, before: int | None) -> p.TablesKept:
        rows = await self._storage.overview.tables(MOST_TABLES, status=status, before=before)
        more = rows[-1].changed_at if len(rows) == MOST_TABLES else None
        return p.TablesKept(await self._listed(rows), more)

    async def table(self, table_id: str) -> p.TableDetails:
        table = await self._registry.newest(table_id)
        row = await self._storage.logs.table(table_id)
        if row is None:
            raise NotFound("there is no such table")
        state, info = table.state, table_info(table.state)
        lines = await self._lines(table_id)
        here = [each for each in await self._connections() if each.table_id == table_id]
        return p.TableDetails(
            table=table_id,
            status=state.status,
            created=state.created,
            changed=row.changed_at,
            turn=state.turn,
            settings=state.settings,
            seats=info.seats,
            host=state.host,
            chat=lines[-MOST_LINES:],
            connections=await self._kept(here),
        )

    async def _listed(self, rows: Sequence[TableRow]) -> list[p.TableKept]:
        members = await self._storage.overview.members([row.id for row in rows])
        here = Counter(each.table_id for each in await self._connections())
        return [
            p.TableKept(
                table=row.id,
                status=row.status,  # type: ignore[arg-type]
                public=row.listed,
                created=row.created_at,
                changed=row.changed_at,
                persons=[p.Somebody(each.id, each.name) for each in members[row.id]],
                connections=here[row.id],
            )
            for row in rows
        ]

    async def _lines(self, table_id: str) -> list[p.Line]:
        """All messages of a table's chat."""
        return [
            p.Line(row.number, row.at, said.channel, said.person, said.name, said.text)
            for row in await self._storage.overview.messages(table_id)
            for said in to_step(row).events
            if isinstance(said, e.Said)
        ]

    # ---- persons and connections ------------------------------------------------------------

    async def persons(self, wanted: str) -> p.PersonsKept:
        found = await self._storage.overview.persons(wanted.strip(), MOST_PERSONS)
        return p.PersonsKept(await self._known(found))

    async def person(self, person: str) -> p.PersonDetails:
        found = await self._storage.overview.person(person)
        if found is None:
            raise NotFound("there is no such person")
        (about,) = await self._known([found])
        rows = await self._storage.logs.tables_of(person, MOST_TABLES)
        here = [each for each in await self._connections() if each.person_id == person]
        addresses = sorted({each.address for each in here if each.address})
        return p.PersonDetails(about, await self._listed(rows), addresses)

    async def connections(self) -> p.ConnectionsKept:
        found = await self._connections()
        return p.ConnectionsKept(len(found), await self._kept(found[:MOST_CONNECTIONS]))

    async def _known(self, found: Iterable[KnownPerson]) -> list[p.PersonKept]:
        here = Counter(each.person_id for each in await self._connections())
        bans = {ban.person_id: ban.ends_at for ban in await self._storage.moderation.bans(now_ms())}
        return [
            p.PersonKept(
                person=each.id,
                name=each.name,
                created=each.created_at,
                tables=each.tables,
                devices=each.devices,
                connections=here[each.id],
                banned=bans.get(each.id),
            )
            for each in found
        ]

    async def _connections(self) -> list[OpenConnection]:
        """Those through all workers."""
        if self._storage.shared:
            return await self._storage.overview.connections(now_ms() - ALIVE_MS)
        return [
            OpenConnection(table.state.id, each.person, each.address)
            for table in self._registry.live.values()
            for each in table.connections.values()
        ]

    async def _kept(self, found: Sequence[OpenConnection]) -> list[p.ConnectionKept]:
        names = await self._names(each.person_id for each in found)
        return [
            p.ConnectionKept(
                each.table_id, each.person_id, names.get(each.person_id or ""), each.address
            )
            for each in found
        ]

    async def _names(self, persons: Iterable[str | None]) -> dict[str, str]:
        return await self._storage.overview.names(sorted({each for each in persons if each}))

    # ---- bans, reports, the audit log -------------------------------------------------------

    async def bans(self) -> p.Bans:
        rows = await self._storage.moderation.bans(now_ms())
        names = await self._names(row.person_id for row in rows)
        return p.Bans(
            [
                p.Ban(
                    row.id,
                    row.person_id,
                    names.get(row.person_id or ""),
                    row.network,
                    row.reason,
                    row.created_at,
                    row.ends_at,
                )
                for row in rows
            ]
        )

    async def reports(self, *, settled: bool) -> p.Reports:
        rows = await self._storage.moderation.reports(settled=settled, limit=MOST_REPORTS)
        names = await self._names(who for row in rows for who in (row.person_id, row.about_id))
        chats: dict[str, list[p.Line] | None] = {}
        for row in rows:
            if row.table_id not in chats:
                there = await self._storage.logs.table(row.table_id)
                chats[row.table_id] = await self._lines(row.table_id) if there else None
        return p.Reports([_report(row, names, chats[row.table_id]) for row in rows])

    async def audit(self, before: str | None, table: str | None, person: str | None) -> p.AuditLog:
        events = await self._storage.audit.newest(
            MOST_EVENTS, before=before, table=table, person=person
        )
        return p.AuditLog([p.Audited(*event) for event in events])


def _report(row: ReportRow, names: dict[str, str], chat: list[p.Line] | None) -> p.Report:
    def somebody(person: str) -> p.Somebody:
        return p.Somebody(person, names.get(person))

    return p.Report(
        id=row.id,
        at=row.at,
        table=row.table_id,
        by=somebody(row.person_id),
        about=None if row.about_id is None else somebody(row.about_id),
        step=row.step,
        reason=row.reason,
        context=_around(chat or [], row.step),
        gone=chat is None,
        settled=row.settled_at,
        note=row.note,
    )


def _around(chat: list[p.Line], step: int | None) -> list[p.Line]:
    place = next((at for at, line in enumerate(chat) if line.step == step), None)
    if place is None:
        return chat[-2 * LINES_AROUND :]
    return chat[max(0, place - LINES_AROUND) : place + LINES_AROUND + 1]
