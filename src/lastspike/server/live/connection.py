"""One viewer's socket: the person, the hand on show, and the queue of messages to send."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from lastspike.protocol import CLOSE_SLOW
from lastspike.rules.board import Seat
from lastspike.server.table.views import Viewer

Send = Callable[[str], Awaitable[None]]
Write = Callable[..., bool]
WRITE_AT_ONCE = "lastspike.write"
"""The ASGI extension in which `run/websocket.py` offers a `Write`: a fifth of the cost of `send`,
which passes through a task and every layer of the framework."""

MOST_WAITING_BYTES = 256 * 1024
"""Limit of the queue behind the message being sent. A slower viewer is dropped, and reconnects."""


@dataclass(slots=True, eq=False)
class Connection:
    id: str
    person: str | None
    name: str
    language: str
    send: Send
    address: str = ""
    """The key of the address: see `http/limits/rate_limits.py`."""
    write: Write | None = None
    """Sends messages at once, or returns False if `send` has to wait."""
    hidden: frozenset[str] = frozenset()
    seats: tuple[Seat, ...] = ()
    looking: Seat | None = None
    gone: bool = False
    code: int = CLOSE_SLOW
    """Why it was dropped, if it was."""
    when_gone: Callable[[], object] | None = None
    _sender: asyncio.Task[None] | None = None
    _waiting: deque[bytes] = field(default_factory=deque)
    _waiting_bytes: int = 0

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.looking, bool(self.seats), self.hidden)

    def sits(self, seats: Iterable[Seat]) -> None:
        """Set the person's seats. The hand of a single seat is shown at once."""
        self.seats = tuple(seats)
        if len(self.seats) == 1:
            self.looking = self.seats[0]
        elif self.looking not in self.seats:
            self.looking = None

    def push(self, *messages: bytes) -> None:
        """Send or queue messages without waiting. A viewer that is too slow is dropped."""
        if self.gone:
            return
        if self._sender is None and self.write is not None and self.write(*messages):
            return
        for data in messages:
            if self._sender is None:  # whatever the size: a welcome holds a whole log
                self._sender = asyncio.get_running_loop().create_task(self._send_waiting(data))
                continue
            self._waiting.append(data)
            self._waiting_bytes += len(data)
            if self._waiting_bytes > MOST_WAITING_BYTES:
                self.drop()
                return

    def drop(self, code: int = CLOSE_SLOW) -> None:
        """Drop the viewer and the queued messages; the socket closes with this code."""
        if self.gone:
            return
        self.gone = True
        self.code = code
        self._waiting.clear()
        if self._sender is not None:
            self._sender.cancel()
        if self.when_gone is not None:
            self.when_gone()

    async def drained(self) -> None:
        """Wait until everything was passed to the network."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    async def _send_waiting(self, data: bytes) -> None:
        try:
            await self.send(data.decode())
            while self._waiting:
                data = self._waiting.popleft()
                self._waiting_bytes -= len(data)
                await self.send(data.decode())
        except Exception:  # the socket is gone; its own loop cleans up
            self._waiting.clear()
            self.gone = True
        finally:
            self._sender = None
