"""The routes of a person: who am I, my tables, my links, my alerts; and to be nobody any more."""

from __future__ import annotations

import secrets
from typing import Any

from litestar import Controller, Request, Response
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.server.http.routing import delete, get, post
from lastspike.server.http.services import FromServices
from lastspike.server.people.sessions import with_cookie, without_cookie
from lastspike.server.storage.rows import WebhookRow
from lastspike.server.table.errors import NotAllowed, NotFound, TooMany
from lastspike.server.table.text import clean_name

from .pages import address, picture_of
from .tables import listed

MOST_LISTED = 100
MOST_WEBHOOKS = 10

AnyRequest = Request[Any, Any, Any]


class Me(Controller):
    path = "/api"
    tags = ("persons",)

    @get("/me", summary="Who I am")
    async def who(self, request: AnyRequest, services: FromServices) -> Response[p.Me]:
        person = await services.persons.required(request)
        response = Response(p.Me(person.id, person.name))
        secret = await services.persons.prolong(request)
        return response if secret is None else with_cookie(response, secret, services.config)

    @post("/me", summary="Say my name; the first time this makes me a person", status_code=200)
    async def name(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewPerson]
    ) -> Response[p.Me]:
        name = clean_name(data.name)
        person, secret = await services.person_for(request, name)
        if person.name != name:
            await services.storage.rename(person.id, name)
        response = Response(p.Me(person.id, name))
        return response if secret is None else with_cookie(response, secret, services.config)

    @delete("/me", summary="Delete all that this server has of me", status_code=200)
    async def be_forgotten(self, request: AnyRequest, services: FromServices) -> Response[p.Done]:
        """Also for who is nobody any more: asking twice does no harm."""
        person = await services.persons.known(request)
        if person is not None:
            await services.erasure.forget(person.id)
        return without_cookie(Response(p.Done(0)), services.config)

    @get("/me/tables", summary="My tables, those with news first")
    async def tables(self, request: AnyRequest, services: FromServices) -> p.Tables:
        person = await services.persons.known(request)
        if person is None:
            return p.Tables([])
        rows = await services.storage.tables_of(person.id, MOST_LISTED)
        return p.Tables(await listed(services, rows, person.id))

    @post("/me/link", summary="A token that makes another device mine, once, within ten minutes")
    async def link(self, request: AnyRequest, services: FromServices) -> p.PersonalLink:
        person = await services.persons.required(request)
        token, expires = await services.persons.new_link(person)
        scanned = address(request, services, f"history#link={token}")
        return p.PersonalLink(token, expires, picture_of(scanned).decode())

    @post("/me/use-link", summary="Make this device mine by such a token", status_code=200)
    async def use_link(self, services: FromServices, data: JSONBody[p.UseLink]) -> Response[p.Done]:
        secret = await services.persons.use_link(data.token)
        return with_cookie(Response(p.Done(0)), secret, services.config)

    @delete("/me/other-devices", summary="Forget all my devices but this one", status_code=200)
    async def forget(self, request: AnyRequest, services: FromServices) -> p.Done:
        await services.persons.end_other_sessions(request)
        return p.Done(0)

    @get("/webhooks", summary="Where my turn alerts go")
    async def webhooks(self, request: AnyRequest, services: FromServices) -> p.Webhooks:
        person = await services.persons.required(request)
        rows = await services.storage.webhooks_of_person(person.id)
        return p.Webhooks([p.Webhook(row.id, row.url, row.form, row.table_id) for row in rows])

    @post("/webhooks", summary="Send turn alerts here")
    async def add_webhook(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewWebhook]
    ) -> p.Webhook:
        person = await services.persons.required(request)
        mine = await services.storage.webhooks_of_person(person.id)
        if len(mine) >= MOST_WEBHOOKS:
            raise TooMany("you have as many alerts as this server allows; delete one first")
        if data.table is not None:
            table = await services.registry.table(data.table)
            if not table.state.seats_of(person.id) and table.state.host != person.id:
                raise NotAllowed("take a seat first")
        await services.alerts.check_url(data.url)
        hook = WebhookRow(
            secrets.token_urlsafe(9), person.id, data.table, data.url, data.form, data.language
        )
        await services.storage.add_webhook(hook)
        return p.Webhook(hook.id, hook.url, hook.form, hook.table_id)

    @delete("/webhooks/{webhook_id:str}", summary="Send none there any more", status_code=200)
    async def delete_webhook(
        self, request: AnyRequest, services: FromServices, webhook_id: FromPath[str]
    ) -> p.Done:
        person = await services.persons.required(request)
        hook = await services.storage.webhook(webhook_id)
        if hook is None or hook.person_id != person.id:
            raise NotFound("you have no such alert")
        await services.storage.delete_webhook(webhook_id)
        return p.Done(0)
