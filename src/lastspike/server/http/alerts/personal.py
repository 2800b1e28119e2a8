"""The routes of my alerts: which I want, and the browsers and e-mail addresses they go to."""

from __future__ import annotations

import math
import secrets
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Controller, Request, Response
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.alerts.mail import check_address, mailbox_of
from lastspike.server.alerts.push import check_subscription
from lastspike.server.alerts.timing import check_choices
from lastspike.server.http.limits.rate_limits import Buckets, caller_key
from lastspike.server.http.routing import delete, get, post, put
from lastspike.server.http.services import FromServices, Services
from lastspike.server.people.holidays import MOST_DAYS_A_YEAR
from lastspike.server.storage.rows import ChannelRow
from lastspike.server.table.errors import NotAllowed, NotFound, TooMany
from lastspike.server.table.now import now_ms

MOST_CHANNELS = 12

AnyRequest = Request[Any, Any, Any]


class PersonalAlertRoutes(Controller):
    path = "/api"
    tags = ("persons",)

    @get("/me/alerts", summary="My alerts: which, where and when")
    async def alerts(self, request: AnyRequest, services: FromServices) -> p.MyAlerts:
        person = await services.sessions.required(request)
        channels = await services.storage.alerts.channels_of(person.id)
        holidays = await services.storage.holidays.of_person(person.id)
        return p.MyAlerts(
            await services.personal_alerts.choices_of(person.id),
            [_shown(row) for row in channels],
            [
                p.Holiday(row.id, row.begins_at, row.ends_at)
                for row in holidays
                if row.ends_at > now_ms()
            ],
            services.personal_alerts.push_key,
            services.personal_alerts.can_mail,
            MOST_DAYS_A_YEAR,
        )

    @put("/me/alerts", summary="Choose which alerts I get")
    async def choose(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.AlertChoices]
    ) -> p.Done:
        person = await services.sessions.required(request)
        check_choices(data)
        body = msgspec.json.encode(data).decode()
        await services.storage.alerts.choose(person.id, body)
        return p.Done(0)

    @post("/me/alerts/push", summary="Send my alerts to this browser")
    async def add_push(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewPush]
    ) -> p.Channel:
        person = await services.sessions.required(request)
        check_subscription(data.p256dh, data.auth)
        if not services.config.allow_private_webhooks and not data.endpoint.startswith("https:"):
            raise LastSpikeError("this is not a browser’s push subscription")
        await _room(services, person.id, data.endpoint)
        _take(services.limits.webhooks, caller_key(request.scope))
        await services.alerts.check_url(data.endpoint, person.id)
        row = _row(person.id, "push", data.endpoint, data.language)
        row = row._replace(public_key=data.p256dh, auth=data.auth, confirmed_at=row.created_at)
        await _add(services, row)
        return _shown(row)

    @post("/me/alerts/mail", summary="Send my alerts to this e-mail address, once confirmed")
    async def add_mail(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewMail]
    ) -> p.Channel:
        person = await services.sessions.required(request)
        if not services.personal_alerts.can_mail:
            raise NotAllowed("this server doesn’t send e-mail")
        address = check_address(data.address)
        await _room(services, person.id, address)
        _take(services.limits.webhooks, caller_key(request.scope))
        for key in (f"to {mailbox_of(address)}", f"by {person.id}"):
            _take(services.limits.mails, key)
        row = _row(person.id, "mail", address, data.language)
        await _add(services, row)
        services.personal_alerts.ask_to_confirm(row)
        return _shown(row)

    @delete("/me/alerts/{channel_id:str}", summary="Send none there any more", status_code=200)
    async def delete_channel(
        self, request: AnyRequest, services: FromServices, channel_id: FromPath[str]
    ) -> p.Done:
        person = await services.sessions.required(request)
        row = await services.storage.alerts.channel(channel_id)
        if row is None or row.person_id != person.id:
            raise NotFound("you have no such alert")
        await services.storage.alerts.delete_channel(channel_id)
        return p.Done(0)

    @post("/alerts/confirm", summary="Confirm an e-mail address", status_code=200)
    async def confirm(self, services: FromServices, data: JSONBody[p.MailToken]) -> p.Done:
        """Without a cookie: the message may be read on another device."""
        channel_id = services.personal_alerts.channel_of("confirm", data.token)
        if await services.storage.alerts.channel(channel_id) is None:
            raise NotFound("this link is not valid")
        await services.storage.alerts.confirm(channel_id, now_ms())
        return p.Done(0)

    @post("/me/holidays", summary="Announce a holiday to my games of days")
    async def add_holiday(
        self, request: AnyRequest, services: FromServices, data: JSONBody[p.NewHoliday]
    ) -> p.Holiday:
        person = await services.sessions.required(request)
        _take(services.limits.holidays, person.id)
        row = await services.holidays.announce(person.id, data.begins, data.ends)
        return p.Holiday(row.id, row.begins_at, row.ends_at)

    @delete("/me/holidays/{holiday:str}", summary="End a holiday", status_code=200)
    async def end_holiday(
        self, request: AnyRequest, services: FromServices, holiday: FromPath[str]
    ) -> p.Done:
        person = await services.sessions.required(request)
        _take(services.limits.holidays, person.id)
        await services.holidays.end(person.id, holiday)
        return p.Done(0)


@post(
    "/unsubscribe/{token:str}",
    summary="Stop e-mail to an address, with one click (RFC 8058)",
    tags=["persons"],
    status_code=200,
)
async def unsubscribe(services: FromServices, token: FromPath[str]) -> Response[p.Done]:
    """Without a cookie: programs for e-mail send this by themselves. Doing it twice does no
    harm."""
    channel_id = services.personal_alerts.channel_of("stop", token)
    await services.storage.alerts.delete_channel(channel_id)
    return Response(p.Done(0))


def _row(person: str, kind: str, address: str, language: str) -> ChannelRow:
    channel_id = secrets.token_urlsafe(12).replace(".", "_")
    return ChannelRow(channel_id, person, kind, address, "", "", language, now_ms(), None)


def _shown(row: ChannelRow) -> p.Channel:
    if row.kind == "mail":
        return p.Channel(row.id, "mail", row.address, row.confirmed_at is not None)
    return p.Channel(row.id, "push", urlsplit(row.address).hostname or "", True, row.public_key)


async def _room(services: Services, person: str, address: str) -> None:
    mine = await services.storage.alerts.channels_of(person)
    if len([row for row in mine if row.address != address]) >= MOST_CHANNELS:
        raise TooMany("you’ve reached this server’s limit for alerts; delete one first")


async def _add(services: Services, row: ChannelRow) -> None:
    """`_room` may have been there when another request filled it."""
    if not await services.storage.alerts.add_channel(row, MOST_CHANNELS):
        raise TooMany("you’ve reached this server’s limit for alerts; delete one first")


def _take(buckets: Buckets, key: str) -> None:
    wait = buckets.take(key)
    if wait:
        raise TooMany("too many requests; wait {seconds} s", seconds=math.ceil(wait))
