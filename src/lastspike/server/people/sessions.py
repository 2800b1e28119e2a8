"""Sessions: a secret in a cookie instead of an account, and links that add a device.

Only hashes are stored. The secrets are long and random, so a plain SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from typing import Any, NamedTuple

from litestar.connection import ASGIConnection

from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.storage import PersonRow, SessionRow, Storage, StorageDown
from lastspike.server.storage.queries.audit import ANYBODY, What
from lastspike.server.table.errors import NotAllowed, NotFound
from lastspike.server.table.now import now_ms

from .devices import UNKNOWN, Device, device_of

COOKIE = "lastspike"
HOST_COOKIE = "__Host-lastspike"
"""The cookie's name over https: browsers let only this host set it, and only over https."""
SECRET_CHARACTERS = 43
"""32 bytes as encoded by `token_urlsafe`."""
SESSION_MS = 400 * 86_400_000
"""Browsers allow no longer cookies."""
LINK_MS = 10 * 60_000
SEEN_EVERY_MS = 10 * 60_000
"""How exactly it is stored when a device was last seen: each time is a write."""
RENEW_EVERY_MS = 86_400_000
"""How often a cookie in use gets its full life again."""
MOST_DEVICES = 50
"""Of one person. Another one ends the session that was not seen for longest."""

AnyConnection = ASGIConnection[Any, Any, Any, Any]


class Session(NamedTuple):
    """A device of a person, who sends its secret. `name` is that of the cookie."""

    person: PersonRow
    row: SessionRow
    secret: str
    name: str


class Sessions:
    """`host_only` means that browsers can get the cookie that only this host can set.

    Then cookies by the old name still count, so that nobody loses their games by an upgrade. But
    one that a browser has already sent by the new name no longer counts by the old one."""

    def __init__(
        self, storage: Storage, open_sockets: OpenSockets, *, host_only: bool = False
    ) -> None:
        self._storage = storage
        self._open_sockets = open_sockets
        self.cookie = HOST_COOKIE if host_only else COOKIE

    # ---- who asks ---------------------------------------------------------------------------

    async def current(self, connection: AnyConnection) -> Session | None:
        """The session of the cookie; None if it is missing, unknown or expired."""
        for name, secret in _sent(connection):
            found = await self._storage.persons.of_session(hashed(secret), now_ms())
            if found is None:
                continue
            person, row = found
            if name == COOKIE != self.cookie and row.host_only:
                continue
            device = device_of(connection.headers)
            known = Session(person, row, secret, name)
            by_host = row.host_only or name == HOST_COOKIE
            return await self.seen(known, device=device, host_only=by_host)
        return None

    async def known(self, connection: AnyConnection) -> PersonRow | None:
        """The person of the cookie; None if it is missing, unknown or expired."""
        session = await self.current(connection)
        return None if session is None else session.person

    async def required(self, connection: AnyConnection) -> PersonRow:
        return (await self.current_required(connection)).person

    async def current_required(self, connection: AnyConnection) -> Session:
        session = await self.current(connection)
        if session is None:
            raise NotAllowed("tell us your name first")
        return session

    async def seen(
        self, session: Session, *, device: Device | None = None, host_only: bool | None = None
    ) -> Session:
        """Store that the device is in use, unless that was stored a moment ago."""
        row, now = session.row, now_ms()
        if device is not None and any(device):
            row = row._replace(browser=device.browser, system=device.system)
        if host_only is not None:
            row = row._replace(host_only=host_only)
        if row == session.row and now - row.seen_at < SEEN_EVERY_MS:
            return session
        row = row._replace(seen_at=now)
        with suppress(StorageDown):  # who only reads is served while nothing can be stored
            await self._storage.persons.update_session(row)
        return session._replace(row=row)

    # ---- new sessions -----------------------------------------------------------------------

    async def new(self, name: str, device: Device = UNKNOWN) -> tuple[PersonRow, str]:
        """Create a person; returns them with the secret for their cookie."""
        person = PersonRow(secrets.token_urlsafe(9), name)
        secret, row = self._new_session(device)
        await self._storage.persons.add(person.id, name, row)
        return person, secret

    async def renewed(self, session: Session) -> str | None:
        """The secret for a new cookie, if the one sent is due for one: so that it lasts as long as
        it is used, and gets its new name."""
        left = session.row.expires_at - now_ms()
        if session.name == self.cookie and left > SESSION_MS - RENEW_EVERY_MS:
            return None
        await self._storage.persons.update_session(
            session.row._replace(expires_at=now_ms() + SESSION_MS)
        )
        return session.secret

    async def new_link(self, person: PersonRow) -> tuple[str, int]:
        """A one-time token and its expiry."""
        token = secrets.token_urlsafe(32)
        expires = now_ms() + LINK_MS
        await self._storage.persons.new_link(hashed(token), person.id, expires)
        await self._record("link_made", person.id)
        return token, expires

    async def use_link(self, token: str, device: Device) -> str:
        """Use up the token; returns the secret for a new device."""
        persons, now = self._storage.persons, now_ms()
        person = await persons.use_link(hashed(token), now)
        if person is None:
            await self._record_dead_link(token, device)
            raise NotAllowed(
                "this link has already been used, or it expired after ten minutes; create a new one"
            )
        rows = await persons.sessions_of(person, now)
        for row in rows[MOST_DEVICES - 1 :]:
            await self._end(person, only=row.secret_hash, keep_links=True)
        secret, row = self._new_session(device)
        await persons.add_session(person, row)
        await self._record("device_added", person, row)
        return secret

    def _new_session(self, device: Device) -> tuple[str, SessionRow]:
        secret, now = secrets.token_urlsafe(32), now_ms()
        expires = now + SESSION_MS
        by_host = self.cookie == HOST_COOKIE
        return secret, SessionRow(hashed(secret), now, expires, now, *device, host_only=by_host)

    # ---- devices and their end --------------------------------------------------------------

    async def devices(self, person: PersonRow) -> list[SessionRow]:
        """The devices of a person, the last seen first."""
        return await self._storage.persons.sessions_of(person.id, now_ms())

    async def log_out(self, session: Session) -> None:
        """End the session of the device that asks. Unused links stay: they may be the way on."""
        await self._end(session.person.id, only=session.row.secret_hash, keep_links=True)
        await self._record("logged_out", session.person.id, session.row)

    async def end_device(self, session: Session, device: str) -> SessionRow:
        """End one of the person's sessions, by its `device_id`; returns what it was."""
        person = session.person
        for row in await self.devices(person):
            if device_id(row) == device:
                await self._end(person.id, only=row.secret_hash)
                await self._record("device_ended", person.id, row)
                return row
        raise NotFound("you have no such device")

    async def end_others(self, session: Session) -> None:
        """End all sessions of the person but the one that asks."""
        person = session.person.id
        if count := await self._end(person, but=session.row.secret_hash):
            audit = self._storage.audit
            await audit.add(now_ms(), person, "other_devices_ended", person=person, count=count)

    async def end_all(self, person: str) -> int:
        """End all sessions of a person and their open sockets, on every worker, and delete their
        unused links. Returns how many sessions there were."""
        return await self._end(person)

    async def _end(
        self,
        person: str,
        *,
        only: bytes | None = None,
        but: bytes | None = None,
        keep_links: bool = False,
    ) -> int:
        ended = await self._storage.persons.end_sessions(
            person, only=only, but=but, keep_links=keep_links
        )
        self._open_sockets.end(ended)
        return len(ended)

    # ---- the audit log ----------------------------------------------------------------------

    async def _record(self, what: What, person: str, row: SessionRow | None = None) -> None:
        device = UNKNOWN if row is None else Device(row.browser, row.system)
        await self._storage.audit.add(now_ms(), person, what, person=person, **device._asdict())

    async def _record_dead_link(self, token: str, device: Device) -> None:
        """Record that a link was tried in vain: once a link, so that nobody fills the log."""
        dead = await self._storage.persons.dead_link(hashed(token))
        if dead is not None:
            person, used = dead
            why = "used" if used else "expired"
            await self._storage.audit.add(
                now_ms(), ANYBODY, "link_failed", person=person, why=why, **device._asdict()
            )


def device_id(row: SessionRow) -> str:
    """A name for a device that says nothing about its secret."""
    return row.secret_hash[:9].hex()


def sent_sessions(connection: AnyConnection) -> set[bytes]:
    """The hashes of the secrets that a connection sends."""
    return {hashed(secret) for _, secret in _sent(connection)}


def _sent(connection: AnyConnection) -> list[tuple[str, str]]:
    """What could be secrets among the cookies, by name, the safer one first."""
    sent = ((name, connection.cookies.get(name, "")) for name in (HOST_COOKIE, COOKIE))
    return [
        (name, secret)
        for name, secret in sent
        if len(secret) == SECRET_CHARACTERS and secret.isascii()
    ]


def hashed(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
