"""The routes of turn alerts."""

from __future__ import annotations

import math
import secrets
from typing import Any

from litestar import Controller, Request
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.routing import delete, get, post
from lastspike.server.http.services import FromServices
from lastspike.server.storage.rows import WebhookRow
from lastspike.server.table.errors import NotAllowed, NotFound, TooMany

MOST_WEBHOOKS = 10

AnyRequest = Request[Any, Any, Any]


class Webhooks(Controller):
    path = "/api/webhooks"
    tags = ("persons",)

    @get("/", summary="Where my turn alerts go")
    async def webhooks(self, request: AnyRequest, services: FromServices) -> p.Webhooks:
        person = await services.sessions.required(request)
        rows = await services.storage.webhooks.of_person(person.id)
        return p.Webhooks([p.Webhook(row.id, row.url, row.form, row.table_id) for row in rows])

    @post("/", summary="Send turn alerts here")
    async def add_webhook(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewWebhook]
    ) -> p.Webhook:
        person = await services.sessions.required(request)
        mine = await services.storage.webhooks.of_person(person.id)
        if len(mine) >= MOST_WEBHOOKS:
            raise TooMany("you’ve reached this server’s limit for alerts; delete one first")
        if data.table is not None:
            table = await services.registry.table(data.table)
            if not table.state.seats_of(person.id) and table.state.host != person.id:
                raise NotAllowed("take a seat first")
        wait = services.limits.webhooks.take(caller_key(request.scope))
        if wait:
            raise TooMany("too many requests; wait {seconds} s", seconds=math.ceil(wait))
        await services.alerts.check_url(data.url, person.id)
        hook = WebhookRow(
            secrets.token_urlsafe(9), person.id, data.table, data.url, data.form, data.language
        )
        if not await services.storage.webhooks.add(hook, MOST_WEBHOOKS):
            raise TooMany("you’ve reached this server’s limit for alerts; delete one first")
        return p.Webhook(hook.id, hook.url, hook.form, hook.table_id)

    @delete("/{webhook_id:str}", summary="Send none there any more", status_code=200)
    async def delete_webhook(
        self, request: AnyRequest, services: FromServices, webhook_id: FromPath[str]
    ) -> p.Done:
        person = await services.sessions.required(request)
        hook = await services.storage.webhooks.get(webhook_id)
        if hook is None or hook.person_id != person.id:
            raise NotFound("you have no such alert")
        await services.storage.webhooks.delete(webhook_id)
        return p.Done(0)
