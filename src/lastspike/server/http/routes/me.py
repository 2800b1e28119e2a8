"""The routes about me: my name, tables, links and devices, history, data, and my erasure."""

from __future__ import annotations

import math
from typing import Any

from litestar import Controller, Request, Response
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.server.http.cookies import with_cookie, without_cookie
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.links import page_address, qr_code
from lastspike.server.http.routing import delete, get, post
from lastspike.server.http.services import FromServices
from lastspike.server.people.devices import device_of
from lastspike.server.people.history import history_of
from lastspike.server.people.personal_data import personal_data_of
from lastspike.server.people.sessions import device_id
from lastspike.server.storage.queries.audit import ERASED
from lastspike.server.table.errors import TooMany
from lastspike.server.table.now import now_ms
from lastspike.server.table.text import clean_name

MOST_LISTED = 100
EXPORT = "lastspike-data.json"
"""The name under which browsers save the export."""

AnyRequest = Request[Any, Any, Any]


class Me(Controller):
    path = "/api"
    tags = ("persons",)

    @get("/me", summary="Who I am")
    async def who(self, request: AnyRequest, services: FromServices) -> Response[p.Me]:
        session = await services.sessions.current_required(request)
        response = Response(p.Me(*session.person))
        secret = await services.sessions.renewed(session)
        return with_cookie(response, secret, services.config)

    @post("/me", summary="Say my name; the first time this makes me a person", status_code=200)
    async def name(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewPerson]
    ) -> Response[p.Me]:
        name = clean_name(data.name)
        person, secret = await services.person_for(request, name)
        if person.name != name:
            await services.storage.persons.rename(person.id, name)
        response = Response(p.Me(person.id, name))
        return with_cookie(response, secret, services.config)

    @delete("/me", summary="Delete all that this server has of me", status_code=200)
    async def erase(self, request: AnyRequest, services: FromServices) -> Response[p.Done]:
        """Also without a person: asking twice does no harm."""
        person = await services.sessions.known(request)
        if person is not None:
            await services.erasure.erase(person.id)
            await services.storage.audit.add(now_ms(), ERASED, "person_erased", person=ERASED)
        return without_cookie(Response(p.Done(0)), services.config)

    @get("/me/tables", summary="My tables, those with news first")
    async def tables(self, request: AnyRequest, services: FromServices) -> Response[p.Tables]:
        """The page asks for them at its start: its cookie lasts as long as it is used."""
        session = await services.sessions.current(request)
        if session is None:
            return Response(p.Tables([]))
        rows = await services.storage.logs.tables_of(session.person.id, MOST_LISTED)
        listed = await services.registry.listed((row.id for row in rows), session.person.id)
        secret = await services.sessions.renewed(session)
        return with_cookie(Response(p.Tables(listed)), secret, services.config)

    @post("/me/link", summary="A token that makes another device mine, once, within ten minutes")
    async def link(self, request: AnyRequest, services: FromServices) -> p.PersonalLink:
        person = await services.sessions.required(request)
        wait = services.limits.links.take(caller_key(request.scope))
        if wait:
            raise TooMany("too many links; wait {seconds} s", seconds=math.ceil(wait))
        token, expires = await services.sessions.new_link(person)
        scanned = page_address(request, services.config, f"history#link={token}")
        return p.PersonalLink(token, expires, qr_code(scanned).decode())

    @post("/me/use-link", summary="Make this device mine by such a token", status_code=200)
    async def use_link(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.UseLink]
    ) -> Response[p.Done]:
        secret = await services.sessions.use_link(data.token, device_of(request.headers))
        return with_cookie(Response(p.Done(0)), secret, services.config)

    @get("/me/devices", summary="My devices, the last seen first")
    async def devices(self, request: AnyRequest, services: FromServices) -> p.Devices:
        session = await services.sessions.current_required(request)
        return p.Devices(
            [
                p.Device(
                    device_id(row),
                    row.browser,
                    row.system,
                    row.created_at,
                    row.seen_at,
                    row.secret_hash == session.row.secret_hash,
                )
                for row in await services.sessions.devices(session.person)
            ]
        )

    @delete("/me/devices/{device:str}", summary="End one of my devices", status_code=200)
    async def end_device(
        self, request: AnyRequest, services: FromServices, device: FromPath[str]
    ) -> Response[p.Done]:
        session = await services.sessions.current_required(request)
        ended = await services.sessions.end_device(session, device)
        response = Response(p.Done(0))
        if ended.secret_hash == session.row.secret_hash:
            return without_cookie(response, services.config)
        return response

    @delete("/me/other-devices", summary="End all my devices but this one", status_code=200)
    async def end_others(self, request: AnyRequest, services: FromServices) -> p.Done:
        await services.sessions.end_others(await services.sessions.current_required(request))
        return p.Done(0)

    @post("/me/log-out", summary="End this device", status_code=200)
    async def log_out(self, request: AnyRequest, services: FromServices) -> Response[p.Done]:
        """Also without a person: asking twice does no harm."""
        session = await services.sessions.current(request)
        if session is not None:
            await services.sessions.log_out(session)
        return without_cookie(Response(p.Done(0)), services.config)

    @post("/me/publishing", summary="Agree that my games are published", status_code=200)
    async def publishing(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.Publishing]
    ) -> p.Done:
        """Or no longer agree. The host publishes games in which everyone agrees."""
        person = await services.sessions.required(request)
        since = now_ms() if data.agreed else None
        await services.storage.persons.let_publish(person.id, since)
        return p.Done(0)

    @get("/me/history", summary="My finished games, the newest first")
    async def history(self, request: AnyRequest, services: FromServices) -> p.History:
        person = await services.sessions.known(request)
        if person is None:
            return p.History(None, [], {})
        async with services.read_back(caller_key(request.scope)):
            return await history_of(services.storage, person)

    @get("/me/export", summary="All that this server has of me")
    async def export(self, request: AnyRequest, services: FromServices) -> Response[p.MyData]:
        person = await services.sessions.required(request)
        async with services.read_back(caller_key(request.scope)):
            data = await personal_data_of(services.storage, person)
        named = {"content-disposition": f'attachment; filename="{EXPORT}"'}
        return Response(data, headers={**named, "cache-control": "no-store"})
