"""A person at a server: who they are, what they do over HTTP, and the tables they watch."""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import msgspec

from lastspike import protocol as p

from .errors import LostError, RefusedError
from .table import PATIENCE_S, Table

COOKIE = "lastspike"
KEEP_S = 2.0
"""Idle connections are let go before the server does, which might be just when we write."""
T = TypeVar("T")


class Person:
    """Somebody who uses a server; use as a context manager.

    `base_url` is where the server is, perhaps with a sub-path. Nothing is asked of it until a
    method does. The first that needs to know who asks makes a new person of this name, whose
    `secret` brings them back another time; keep it as you keep a password. Methods raise
    `RefusedError` if the server refuses and `LostError` if it can't be reached.
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
        # We keep the cookie ourselves: a jar would not give back one that is for https only to a
        # server that is reached behind its proxy.
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
        """A person who was there before."""
        return cls(base_url, name, secret=secret)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    # ---- who I am ---------------------------------------------------------------------------

    async def me(self) -> p.Me:
        return await self._get("/api/me", p.Me)

    async def introduce(self, name: str | None = None) -> p.Me:
        """Say my name, or a new one."""
        self.name = name or self.name
        return await self._post("/api/me", p.Me, p.NewPerson(self.name))

    async def tables(self) -> list[p.TableListed]:
        """My tables, those with news first."""
        return (await self._get("/api/me/tables", p.Tables)).tables

    async def link(self) -> p.PersonalLink:
        """A token that makes another device mine."""
        return await self._post("/api/me/link", p.PersonalLink)

    async def use_link(self, token: str) -> None:
        """Be the person who made this token."""
        await self._post("/api/me/use-link", p.Done, p.UseLink(token))

    async def forget_other_devices(self) -> None:
        await self._ask("DELETE", "/api/me/other-devices", p.Done)

    async def history(self) -> p.History:
        """My finished games, the newest first."""
        return await self._get("/api/me/history", p.History)

    async def export(self) -> p.MyData:
        """All that the server has of me."""
        return await self._get("/api/me/export", p.MyData)

    async def be_forgotten(self) -> None:
        """Delete all that the server has of me. There is no way back."""
        await self._ask("DELETE", "/api/me", p.Done)
        self.secret = None

    async def webhooks(self) -> list[p.Webhook]:
        return (await self._get("/api/webhooks", p.Webhooks)).webhooks

    async def add_webhook(self, webhook: p.NewWebhook) -> p.Webhook:
        return await self._post("/api/webhooks", p.Webhook, webhook)

    async def delete_webhook(self, webhook_id: str) -> None:
        await self._ask("DELETE", f"/api/webhooks/{webhook_id}", p.Done)

    # ---- tables -----------------------------------------------------------------------------

    async def create(
        self,
        seats: Sequence[str | None],
        settings: p.Settings | None = None,
        names: Mapping[int, str] | None = None,
    ) -> str:
        """Make a table; returns its id. Each seat is `me`, a computer player's level, or None for
        whoever comes. `names` are for my own seats, if they are several."""
        named = {str(seat): name for seat, name in (names or {}).items()}
        wanted = p.CreateTable(self.name, list(seats), settings or p.Settings(), named)
        return (await self._post("/api/tables", p.TableMade, wanted, self._for_makers())).table

    async def play_on(
        self, record: dict[str, Any], turns: int, seat: int, level: str = "clerk"
    ) -> str:
        """A new table, at which a recorded game goes on after so many turns; its id."""
        wanted = p.PlayOn(self.name, record, turns, seat, level)
        headers = self._for_makers()
        return (await self._post("/api/records/play-on", p.TableMade, wanted, headers)).table

    async def public_tables(self) -> list[p.TableListed]:
        return (await self._get("/api/tables", p.Tables)).tables

    async def info(self, table_id: str) -> p.TableInfo:
        return await self._get(f"/api/tables/{table_id}", p.TableInfo)

    async def take_seat(self, table_id: str, seat: int | None = None) -> int:
        """Take this seat, or the first free one. Like everything that changes a table it returns
        the number of the step that it made, 0 if nothing had to change."""
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
        """As the host, let a computer play for somebody who is away."""
        return await self._do(table_id, "hand-over", p.HandOver(seat))

    async def remove(self, table_id: str, person: str) -> int:
        return await self._do(table_id, "remove", p.AboutPerson(person))

    async def mute(self, table_id: str, person: str, *, undo: bool = False) -> int:
        return await self._do(table_id, "mute", p.AboutPerson(person, undo))

    async def hide(self, table_id: str, person: str, *, undo: bool = False) -> int:
        """Don't show me what this person writes."""
        return await self._do(table_id, "hide", p.AboutPerson(person, undo))

    async def close_table(self, table_id: str) -> int:
        return await self._do(table_id, "close")

    async def rematch(self, table_id: str) -> str:
        """The same again; returns the id of the new table, the same for everybody who asks."""
        return (await self._post(f"/api/tables/{table_id}/rematch", p.Rematch)).table

    async def record(self, table_id: str) -> dict[str, Any]:
        """The record of a finished game, as `lastspike verify` takes it."""
        return await self._get(f"/api/tables/{table_id}/record", dict[str, Any])

    def watch(self, table_id: str, *, sit: bool = True, have: int | None = None) -> Table:
        """The table, live. `sit` takes back seats that a computer plays for me; `have` is the
        number of the last step that I know, so that only later ones are told."""
        return Table(
            f"{self.base_url.replace('http', 'ws', 1)}/api/tables/{table_id}/live",
            self._cookie,
            sit=sit,
            have=have,
            language=self.language,
            patience=self._patience,
        )

    # ---- helpers ----------------------------------------------------------------------------

    def _for_makers(self) -> dict[str, str]:
        return {} if self._create_token is None else {"x-create-token": self._create_token}

    def _cookie(self) -> dict[str, str]:
        return {} if self.secret is None else {"cookie": f"{COOKIE}={self.secret}"}

    async def _do(self, table_id: str, what: str, body: msgspec.Struct | None = None) -> int:
        return (await self._post(f"/api/tables/{table_id}/{what}", p.Done, body)).number

    async def _get(self, path: str, kind: type[T]) -> T:
        return await self._ask("GET", path, kind)

    async def _post(
        self,
        path: str,
        kind: type[T],
        body: msgspec.Struct | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        return await self._ask("POST", path, kind, body, headers)

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
            self.secret = answer.cookies.get(COOKIE) or self.secret
            return msgspec.json.decode(answer.content, type=kind)
        try:
            problem = msgspec.json.decode(answer.content, type=p.Problem)
        except msgspec.MsgspecError:
            raise LostError(f"{self.base_url} answered {answer.status_code}") from None
        raise RefusedError(problem, status=answer.status_code)


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates are believed. Reading them takes longer than a whole turn does, so many
    persons of one process share them."""
    return httpx.create_ssl_context()
