"""A person at a server: their identity, requests over HTTP, and the tables they watch."""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Self, TypeVar

import httpx
import msgspec

from lastspike import protocol as p

from .errors import LostError, RefusedError
from .table import PATIENCE_S, Table

COOKIES = ("__Host-lastspike", "lastspike")
"""What the cookie is called over https, and otherwise. We send it by both names."""
KEEP_S = 2.0
"""Close idle connections before the server does, which might be during a request."""
T = TypeVar("T")


class Person:
    """A person who uses a server; use it as a context manager.

    `base_url` is the server's URL, perhaps with a sub-path. The first request that needs a person
    creates one with this name. Their `secret` identifies them later: keep it like a password.
    Methods raise `RefusedError` if the server refuses and `LostError` if it can't be reached.
    """

    def __init__(
        self,
        base_url: str,
        name: str = "",
        *,
        secret: str | None = None,
        create_token: str | None = None,
        language: p.Language = "en",
        patience: float = PATIENCE_S,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.name = name
        self.secret = secret
        self.language = language
        self._create_token = create_token
        self._patience = patience
        # We send the cookie ourselves: a jar would not return a secure cookie to a server that is
        # reached behind its proxy.
        nowhere = DefaultCookiePolicy(allowed_domains=[])
        self._http = httpx.AsyncClient(
            headers={"accept-language": language},
            cookies=CookieJar(nowhere),
            limits=httpx.Limits(keepalive_expiry=KEEP_S),
            timeout=patience,
            verify=_trusted(),
        )

    @classmethod
    def with_secret(cls, base_url: str, secret: str, name: str = "") -> Person:
        """A person whom the server knows."""
        return cls(base_url, name, secret=secret)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    # ---- who I am ---------------------------------------------------------------------------

    async def me(self) -> p.Me:
        return await self._get("/api/me", p.Me)

    async def introduce(self, name: str | None = None) -> p.Me:
        """Register or change my name."""
        self.name = name or self.name
        return await self._post("/api/me", p.Me, p.NewPerson(self.name))

    async def tables(self) -> list[p.TableListed]:
        """My tables, last changed first."""
        return (await self._get("/api/me/tables", p.Tables)).tables

    async def link(self) -> p.PersonalLink:
        """A token that adds another device."""
        return await self._post("/api/me/link", p.PersonalLink)

    async def use_link(self, token: str) -> None:
        """Become the person who made this token."""
        await self._post("/api/me/use-link", p.Done, p.UseLink(token))

    async def devices(self) -> list[p.Device]:
        """My devices, the last seen first."""
        return (await self._get("/api/me/devices", p.Devices)).devices

    async def end_device(self, device_id: str) -> None:
        """Log one of my devices out; its sockets close at once."""
        await self._ask("DELETE", f"/api/me/devices/{device_id}", p.Done)

    async def log_out(self) -> None:
        """End this device. Without a link or another device, nobody can be this person again."""
        await self._post("/api/me/log-out", p.Done)
        self.secret = None

    async def forget_other_devices(self) -> None:
        await self._ask("DELETE", "/api/me/other-devices", p.Done)

    async def let_publish(self, agreed: bool) -> None:
        """Agree, or no longer agree, that my finished games are published without names."""
        await self._post("/api/me/publishing", p.Done, p.Publishing(agreed))

    async def history(self) -> p.History:
        """My finished games, the newest first."""
        return await self._get("/api/me/history", p.History)

    async def export(self) -> p.MyData:
        """Everything the server has about me."""
        return await self._get("/api/me/export", p.MyData)

    async def be_forgotten(self) -> None:
        """Erase everything the server has about me. This can't be undone."""
        await self._ask("DELETE", "/api/me", p.Done)
        self.secret = None

    async def webhooks(self) -> list[p.Webhook]:
        return (await self._get("/api/webhooks", p.Webhooks)).webhooks

    async def add_webhook(self, webhook: p.NewWebhook) -> p.Webhook:
        return await self._post("/api/webhooks", p.Webhook, webhook)

    async def delete_webhook(self, webhook_id: str) -> None:
        await self._ask("DELETE", f"/api/webhooks/{webhook_id}", p.Done)

    # ---- alerts -----------------------------------------------------------------------------

    async def alerts(self) -> p.MyAlerts:
        """Which alerts I get, where and when, and my holidays."""
        return await self._get("/api/me/alerts", p.MyAlerts)

    async def choose_alerts(self, choices: p.AlertChoices) -> None:
        await self._ask("PUT", "/api/me/alerts", p.Done, choices)

    async def add_push(self, subscription: p.NewPush) -> p.Channel:
        """Send my alerts to a browser."""
        return await self._post("/api/me/alerts/push", p.Channel, subscription)

    async def add_mail(self, address: str) -> p.Channel:
        """Send my alerts to an e-mail address, once its owner has confirmed it."""
        return await self._post("/api/me/alerts/mail", p.Channel, p.NewMail(address, self.language))

    async def delete_channel(self, channel_id: str) -> None:
        await self._ask("DELETE", f"/api/me/alerts/{channel_id}", p.Done)

    async def announce_holiday(self, begins: int, ends: int) -> p.Holiday:
        """My time in games of days stands still then (milliseconds since 1970)."""
        return await self._post("/api/me/holidays", p.Holiday, p.NewHoliday(begins, ends))

    async def end_holiday(self, holiday_id: str) -> None:
        await self._ask("DELETE", f"/api/me/holidays/{holiday_id}", p.Done)

    async def nudge(self, table_id: str) -> int:
        """Remind the person whose turn it is."""
        return (await self._post(f"/api/tables/{table_id}/nudge", p.Done)).number

    # ---- tables -----------------------------------------------------------------------------

    async def create(
        self,
        seats: Sequence[str | None],
        settings: p.Settings | None = None,
        names: Mapping[int, str] | None = None,
    ) -> str:
        """Create a table; returns its id. Each seat is `me`, a computer player's level, or None for
        a free seat. `names` are for my own seats, if I have several."""
        named = {str(seat): name for seat, name in (names or {}).items()}
        request = p.CreateTable(self.name, list(seats), settings or p.Settings(), named)
        return await self._create("/api/tables", request)

    async def play_on(
        self, record: dict[str, Any], turns: int, seat: int, level: str = "clerk"
    ) -> str:
        """Create a table that continues a recorded game after `turns` turns; returns its id."""
        request = p.PlayOn(self.name, record, turns, seat, level)
        return await self._create("/api/records/play-on", request)

    async def report(
        self, table_id: str, reason: str, *, person: str | None = None, step: int | None = None
    ) -> None:
        """Tell the operator of the server about a person at a table, or about a message."""
        request = p.NewReport(reason, person, step)
        await self._post(f"/api/tables/{table_id}/report", p.Done, request)

    async def public_tables(self) -> list[p.TableListed]:
        return (await self._get("/api/tables", p.Tables)).tables

    async def info(self, table_id: str) -> p.TableInfo:
        return await self._get(f"/api/tables/{table_id}", p.TableInfo)

    async def take_seat(self, table_id: str, seat: int | None = None) -> int:
        """Take this seat, or the first free one. Like all changes of a table it returns the number
        of its step, 0 if it had no effect."""
        return await self._do(table_id, "seats", p.TakeSeat(self.name, seat))

    async def set_seat(self, table_id: str, seat: int, level: str | None) -> int:
        path = f"/api/tables/{table_id}/seats/{seat}"
        return (await self._ask("PUT", path, p.Done, p.SetSeat(level))).number

    async def change_settings(self, table_id: str, settings: p.Settings) -> int:
        path = f"/api/tables/{table_id}/settings"
        return (await self._ask("PATCH", path, p.Done, p.ChangeSettings(settings))).number

    async def leave(self, table_id: str, *, for_good: bool = False) -> int:
        return await self._do(table_id, "leave", p.Leave(for_good))

    async def come_back(self, table_id: str) -> int:
        return await self._do(table_id, "return")

    async def hand_over(self, table_id: str, seat: int) -> int:
        """As the host, hand an absent person's seat to a computer."""
        return await self._do(table_id, "hand-over", p.HandOver(seat))

    async def remove(self, table_id: str, person: str, *, undo: bool = False) -> int:
        """As the host, remove a person from the table before the start, or let them back."""
        return await self._do(table_id, "remove", p.AboutPerson(person, undo))

    async def mute(self, table_id: str, person: str, *, undo: bool = False) -> int:
        return await self._do(table_id, "mute", p.AboutPerson(person, undo))

    async def hide(self, table_id: str, person: str, *, undo: bool = False) -> int:
        """Hide this person's chat."""
        return await self._do(table_id, "hide", p.AboutPerson(person, undo))

    async def close_table(self, table_id: str) -> int:
        return await self._do(table_id, "close")

    async def agree_to_end(self, table_id: str, *, undo: bool = False) -> int:
        """End a running game without a result, once everybody who plays agrees."""
        return await self._do(table_id, "agree-to-end", p.AgreeToEnd(undo))

    async def rematch(self, table_id: str) -> str:
        """Offer or join a rematch; returns the id of the new table."""
        return (await self._post(f"/api/tables/{table_id}/rematch", p.Rematch)).table

    async def record(self, table_id: str) -> dict[str, Any]:
        """The record of a finished game."""
        return await self._get(f"/api/tables/{table_id}/record", dict[str, Any])

    def watch(self, table_id: str, *, sit: bool = True, have: int | None = None) -> Table:
        """The live table. `sit` takes back seats that a computer plays for me; only steps after the
        number `have` are sent."""
        return Table(
            f"{self.base_url.replace('http', 'ws', 1)}/api/tables/{table_id}/live",
            self._cookie,
            sit=sit,
            have=have,
            language=self.language,
            patience=self._patience,
        )

    # ---- helpers ----------------------------------------------------------------------------

    async def _create(self, path: str, body: msgspec.Struct) -> str:
        token = self._create_token
        headers = {} if token is None else {"x-create-token": token}
        return (await self._ask("POST", path, p.TableMade, body, headers)).table

    def _cookie(self) -> dict[str, str]:
        if self.secret is None:
            return {}
        return {"cookie": "; ".join(f"{name}={self.secret}" for name in COOKIES)}

    async def _do(self, table_id: str, what: str, body: msgspec.Struct | None = None) -> int:
        return (await self._post(f"/api/tables/{table_id}/{what}", p.Done, body)).number

    async def _get(self, path: str, kind: type[T]) -> T:
        return await self._ask("GET", path, kind)

    async def _post(self, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        return await self._ask("POST", path, kind, body)

    async def _ask(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: msgspec.Struct | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        content = None if body is None else msgspec.json.encode(body)
        sent = {**self._cookie(), **(headers or {})}
        if content is not None:
            sent["content-type"] = "application/json"
        try:
            answer = await self._http.request(
                method, self.base_url + path, content=content, headers=sent
            )
        except httpx.TransportError as error:
            raise LostError(f"{self.base_url} can't be reached: {error!r}") from error
        if answer.is_success:
            given = (answer.cookies.get(name) for name in COOKIES)
            self.secret = next(filter(None, given), self.secret)
            return msgspec.json.decode(answer.content, type=kind)
        try:
            problem = msgspec.json.decode(answer.content, type=p.Problem)
        except msgspec.MsgspecError:
            raise LostError(f"{self.base_url} answered {answer.status_code}") from None
        raise RefusedError(problem, status=answer.status_code)


@cache
def _trusted() -> ssl.SSLContext:
    """The trusted certificates, shared by all persons because loading them is slow."""
    return httpx.create_ssl_context()
