"""The routes of the operator. `reading.py` in `server/admin` looks up, `actions.py` acts."""

from __future__ import annotations

from litestar import Controller
from litestar.params import FromPath, FromQuery, JSONBody

from lastspike import protocol as p
from lastspike.server.http.routing import delete, get, post
from lastspike.server.http.services import FromServices

from .key_guard import operator_only


class Admin(Controller):
    path = "/api/admin"
    tags = ("operator",)
    guards = (operator_only,)

    @get("/", summary="The server: version, load, counts, announcements")
    async def instance(self, services: FromServices) -> p.Instance:
        return await services.reading.instance()

    @get("/tables", summary="Tables, the last changed first")
    async def tables(
        self,
        services: FromServices,
        status: FromQuery[p.Status | None] = None,
        before: FromQuery[int | None] = None,
    ) -> p.TablesKept:
        return await services.reading.tables(status, before)

    @get("/tables/{table_id:str}", summary="A table with its chat, but without its game")
    async def table(self, services: FromServices, table_id: FromPath[str]) -> p.TableDetails:
        return await services.reading.table(table_id)

    @get("/persons", summary="Persons by a part of their name or by their id, the newest first")
    async def persons(self, services: FromServices, name: FromQuery[str] = "") -> p.PersonsKept:
        return await services.reading.persons(name)

    @get("/persons/{person:str}", summary="A person with their tables")
    async def person(self, services: FromServices, person: FromPath[str]) -> p.PersonDetails:
        return await services.reading.person(person)

    @get("/connections", summary="Open sockets, through all workers")
    async def connections(self, services: FromServices) -> p.ConnectionsKept:
        return await services.reading.connections()

    @get("/bans", summary="The bans that hold")
    async def bans(self, services: FromServices) -> p.Bans:
        return await services.reading.bans()

    @get("/reports", summary="Open reports from the oldest, or settled ones from the newest")
    async def reports(self, services: FromServices, settled: FromQuery[bool] = False) -> p.Reports:
        return await services.reading.reports(settled=settled)

    @get("/audit", summary="The audit log, the newest first")
    async def audit(
        self,
        services: FromServices,
        before: FromQuery[str | None] = None,
        table: FromQuery[str | None] = None,
        person: FromQuery[str | None] = None,
    ) -> p.AuditLog:
        return await services.reading.audit(before, table, person)

    # ---- what they do ---------------------------------------------------------------------

    @post("/tables/{table_id:str}/close", summary="Close a table", status_code=200)
    async def close_table(
        self, services: FromServices, table_id: FromPath[str], data: JSONBody[p.Because]
    ) -> p.Managed:
        await services.operator.close_table(table_id, data.reason)
        return p.Managed(table_id)

    @post("/tables/{table_id:str}/delete", summary="Delete a table", status_code=200)
    async def delete_table(
        self, services: FromServices, table_id: FromPath[str], data: JSONBody[p.Because]
    ) -> p.Managed:
        await services.operator.delete_table(table_id, data.reason)
        return p.Managed(table_id)

    @post("/tables/{table_id:str}/redact", summary="Remove a message", status_code=200)
    async def redact(
        self, services: FromServices, table_id: FromPath[str], data: JSONBody[p.Redact]
    ) -> p.Managed:
        await services.operator.redact(table_id, data.step, data.reason)
        return p.Managed(table_id)

    @post("/persons/{person:str}/rename", summary="Rename a person", status_code=200)
    async def rename(
        self, services: FromServices, person: FromPath[str], data: JSONBody[p.Rename]
    ) -> p.Managed:
        await services.operator.rename(person, data.name, data.reason)
        return p.Managed(person)

    @post("/persons/{person:str}/erase", summary="Erase a person's data", status_code=200)
    async def erase(
        self, services: FromServices, person: FromPath[str], data: JSONBody[p.Because]
    ) -> p.Managed:
        await services.operator.erase(person, data.reason)
        return p.Managed(person)

    @post("/bans", summary="Ban a person or a network")
    async def ban(self, services: FromServices, data: JSONBody[p.NewBan]) -> p.Managed:
        return p.Managed(await services.operator.ban(data))

    @delete("/bans/{ban_id:str}", summary="End a ban", status_code=200)
    async def end_ban(self, services: FromServices, ban_id: FromPath[str]) -> p.Managed:
        await services.operator.end_ban(ban_id)
        return p.Managed(ban_id)

    @post("/announcements", summary="Announce something to everybody")
    async def announce(
        self, services: FromServices, data: JSONBody[p.NewAnnouncement]
    ) -> p.Managed:
        return p.Managed(await services.operator.announce(data))

    @delete("/announcements/{announcement:str}", summary="End an announcement", status_code=200)
    async def end_announcement(
        self, services: FromServices, announcement: FromPath[str]
    ) -> p.Managed:
        await services.operator.end_announcement(announcement)
        return p.Managed(announcement)

    @post("/reports/{report:str}/settle", summary="Settle a report", status_code=200)
    async def settle(
        self, services: FromServices, report: FromPath[str], data: JSONBody[p.Settle]
    ) -> p.Managed:
        await services.operator.settle(report, data.note)
        return p.Managed(report)
