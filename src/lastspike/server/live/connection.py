"""One viewer's socket: who it is, which hand it shows, and what waits to be sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from lastspike.rules.board import Seat
from lastspike.server.table.views import Viewer

Send = Callable[[str], Awaitable[None]]

MOST_WAITING_BYTES = 256 * 1024
"""What may wait behind a message that is being sent. A slower viewer is dropped, and reconnects."""


class Connection:
    __slots__ = (
        "_send",
        "_sender",
        "_waiting",
        "_waiting_bytes",
        "gone",
        "hidden",
        "id",
        "language",
        "looking",
        "name",
        "person",
        "seats",
        "when_gone",
    )

    def __init__(
        self, connection_id: str, person: str | None, name: str, language: str, send: Send
    ) -> None:
        self.id = connection_id
        self.person = person
        self.name = name
        self.language = language
        self.hidden: frozenset[str] = frozenset()
        self.seats: tuple[Seat, ...] = ()
        self.looking: Seat | None = None
        self.gone = False
        self.when_gone: Callable[[], object] | None = None
        self._send = send
        self._sender: asyncio.Task[None] | None = None
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.looking, bool(self.seats), self.hidden)

    def sits(self, seats: Iterable[Seat]) -> None:
        """The person has these seats now. A single seat's hand is shown without asking."""
        self.seats = tuple(seats)
        if len(self.seats) == 1:
            self.looking = self.seats[0]
        elif self.looking not in self.seats:
            self.looking = None

    def push(self, data: bytes) -> None:
        """Send when the viewer can take it. Never waits; a viewer that is too slow is dropped."""
        if self.gone:
            return
        if self._sender is None:  # it goes at once, however large: a welcome holds a whole log
            self._sender = asyncio.get_running_loop().create_task(self._send_waiting(data))
            return
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        if self._waiting_bytes > MOST_WAITING_BYTES:
            self.drop()

    def drop(self) -> None:
        """Drop the viewer; what waited is not sent."""
        if self.gone:
            return
        self.gone = True
        self._waiting.clear()
        if self._sender is not None:
            self._sender.cancel()
        if self.when_gone is not None:
            self.when_gone()

    async def drained(self) -> None:
        """Wait until everything is handed to the network."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    async def _send_waiting(self, data: bytes) -> None:
        try:
            await self._send(data.decode())
            while self._waiting:
                data = self._waiting.popleft()
                self._waiting_bytes -= len(data)
                await self._send(data.decode())
        except Exception:  # the socket is gone: its own loop finds out and cleans up
            self._waiting.clear()
            self.gone = True
        finally:
            self._sender = None
