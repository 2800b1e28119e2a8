"""Sessions: a secret in a cookie instead of an account, and links that add a device.

Only hashes are stored. The secrets are long and random, so a plain SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from litestar.connection import ASGIConnection

from lastspike.server.storage import PersonRow, Storage
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.now import now_ms

COOKIE = "lastspike"
SECRET_CHARACTERS = 43
"""32 bytes as encoded by `token_urlsafe`."""
SESSION_MS = 400 * 86_400_000
"""Browsers allow no longer cookies."""
LINK_MS = 10 * 60_000


class Sessions:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def known(self, connection: ASGIConnection[Any, Any, Any, Any]) -> PersonRow | None:
        """The person of the cookie; None if it is missing, unknown or expired."""
        secret = connection.cookies.get(COOKIE, "")
        if len(secret) != SECRET_CHARACTERS or not secret.isascii():
            return None
        return await self._storage.persons.of_session(hashed(secret), now_ms())

    async def required(self, connection: ASGIConnection[Any, Any, Any, Any]) -> PersonRow:
        person = await self.known(connection)
        if person is None:
            raise NotAllowed("tell us your name first")
        return person

    async def new(self, name: str) -> tuple[PersonRow, str]:
        """Create a person; returns them with the secret for their cookie."""
        person = PersonRow(secrets.token_urlsafe(9), name)
        secret = secrets.token_urlsafe(32)
        now = now_ms()
        await self._storage.persons.add(person.id, name, hashed(secret), now, now + SESSION_MS)
        return person, secret

    async def extend(self, connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
        """Extend the current session; returns its secret."""
        secret = connection.cookies.get(COOKIE)
        if secret is not None:
            await self._storage.persons.extend_session(hashed(secret), now_ms() + SESSION_MS)
        return secret

    async def new_link(self, person: PersonRow) -> tuple[str, int]:
        """A one-time token and its expiry."""
        token = secrets.token_urlsafe(32)
        expires = now_ms() + LINK_MS
        await self._storage.persons.new_link(hashed(token), person.id, expires)
        return token, expires

    async def use_link(self, token: str) -> str:
        """Use up the token; returns the secret for a new device."""
        now = now_ms()
        person = await self._storage.persons.use_link(hashed(token), now)
        if person is None:
            raise NotAllowed(
                "this link has already been used, or it expired after ten minutes; create a new one"
            )
        secret = secrets.token_urlsafe(32)
        await self._storage.persons.add_session(person, hashed(secret), now, now + SESSION_MS)
        return secret

    async def end_other_sessions(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        person = await self.required(connection)
        await self._storage.persons.end_sessions(person.id, hashed(connection.cookies[COOKIE]))


def hashed(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
