"""The open sockets of this worker by session, so that they end with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lastspike.protocol import CLOSE_LOGGED_OUT
from lastspike.server.storage import Storage

from .connection import Connection


class OpenSockets:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._of: dict[bytes, set[Connection]] = {}

    @contextmanager
    def opened(self, connection: Connection, sessions: set[bytes]) -> Iterator[None]:
        """While inside, the connection is dropped when one of these sessions ends. Enter before the
        session is looked up: then it can't end unnoticed in between."""
        for session in sessions:
            self._of.setdefault(session, set()).add(connection)
        try:
            yield
        finally:
            for session in sessions:
                self._of[session].discard(connection)
                if not self._of[session]:
                    del self._of[session]

    def end(self, sessions: Iterable[bytes]) -> None:
        """Drop the connections of sessions that have ended. What they asked for before and is being
        stored just now still happens."""
        for session in sessions:
            for connection in list(self._of.get(session, ())):
                connection.drop(CLOSE_LOGGED_OUT)

    async def on_ended(self, sessions: list[bytes]) -> None:
        """Any worker has ended these sessions."""
        self.end(sessions)

    async def on_gap(self) -> None:
        """News may have been missed: compare every session with the database."""
        open_now = list(self._of)
        living = await self._storage.persons.living(open_now)
        self.end(session for session in open_now if session not in living)
