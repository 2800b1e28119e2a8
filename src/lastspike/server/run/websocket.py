"""A WebSocket whose every frame is counted before anybody acts on it.

Pings, pongs and fragments never reach the app, which counts whole messages. Without this, one
client could keep the event loop busy with frames of six bytes, and fill its memory with answers
that nobody reads.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections import deque
from struct import Struct
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from lastspike.protocol import CLOSE_TOO_MANY
from lastspike.server.http.limits import rate_limits
from lastspike.server.http.limits.rate_limits import MessageLimit
from lastspike.server.live.connection import WRITE_AT_ONCE
from lastspike.server.monitoring import metrics

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent
    from websockets.frames import Frame

PIECE_BYTES = 256
"""How much is parsed before its frames are counted: at most 42 of them."""
KIB = 1024
"""However little comes at once counts as one."""
FRAMES_AT_ONCE = 20
"""Who has sent more frames than these just now waits in line with all others who have: one piece of
one of them is parsed in each round of the event loop."""
MOST_FRAGMENTS = 64
"""Frames of one message."""
TEXT_FRAME = 0x81
"""A whole text message in one frame, as a server sends it: unmasked."""
LONG_HEAD, LONGEST_HEAD = Struct("!BBH"), Struct("!BBQ")
FAREWELL_S = 1.0
"""How long a client that sent too much has to read why the socket closes."""
CLOSE_S = 10.0
"""How long a client may take to read what is left, when the app has done with it."""


class LimitedSocket(WebSocketsSansIOProtocol):
    """Closes above a rate of frames or bytes, reads no more than it can answer, and lets no client
    keep a closed socket open by not reading."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        now = monotonic()
        frames, pieces = rate_limits.FRAMES_PER_10S, rate_limits.KIB_PER_10S
        self._frames_left = MessageLimit(frames, frames / 10, now)
        self._pieces_left = MessageLimit(pieces, pieces / 10, now)
        self._refused = False
        self._held: deque[bytes] = deque()
        """What waits to be parsed. Meanwhile nothing more is read."""
        self._abort_timer: TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        now = monotonic()
        if self._refused or self.transport.is_closing():
            return
        if not self._pieces_left.take(now, -(-len(data) // KIB)):
            self._refuse()
            return
        for start in range(0, len(data), PIECE_BYTES):
            piece = data[start : start + PIECE_BYTES]
            if self._held or self._frames_left.used(now) > FRAMES_AT_ONCE:
                self._hold(piece)
            else:
                self._parse(piece)

    def _parse(self, piece: bytes) -> None:
        if not (self._refused or self.transport.is_closing()):
            super().data_received(piece)

    def _hold(self, piece: bytes) -> None:
        if not self._held:
            self.transport.pause_reading()
            _join_line(self)
        self._held.append(piece)

    def _read_on(self) -> None:
        """Read again, unless there is a reason not to."""
        waits = self._held or self.read_paused or not self.writable.is_set()
        if not (waits or self._refused or self.transport.is_closing()):
            self.transport.resume_reading()

    def handle_events(self) -> None:
        now = monotonic()
        if all(self._frames_left.take(now) for _ in self.conn.events):
            super().handle_events()
        else:
            self._refuse()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        elif not self._refused:
            self._refuse()

    def write(self, *texts: bytes) -> bool:
        """Send text messages now; False if the client must read first, or the socket closes."""
        if (
            self.close_sent
            or not self.handshake_complete
            or not self.writable.is_set()
            or self.transport.is_closing()
            or self.conn.state is not State.OPEN
        ):
            return False
        frames: list[bytes] = []
        for text in texts:
            frames += (_head(len(text)), text)
        self.transport.write(b"".join(frames))
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        waits = self._held or not self.writable.is_set()
        if waits and not self.transport.is_closing():
            self.transport.pause_reading()  # it was just resumed
        return message

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_in(FAREWELL_S)

    async def run_asgi(self) -> None:
        self.scope["extensions"][WRITE_AT_ONCE] = {"write": self.write}
        try:
            await super().run_asgi()
        finally:
            self._abort_in(CLOSE_S)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._held.clear()
        if self._abort_timer is not None:
            self._abort_timer.cancel()

    def _refuse(self) -> None:
        metrics.REFUSED.labels("frames").inc()
        self._refused = True
        self._held.clear()
        self.conn.data_to_send()  # answers to pings, which are dropped
        if self.close_sent or self.conn.state is not State.OPEN:
            self.transport.abort()
            return
        reason = "too many frames"
        gone: Any = {"type": "websocket.disconnect", "code": CLOSE_TOO_MANY, "reason": reason}
        self.queue.put_nowait(gone)
        self.conn.send_close(CLOSE_TOO_MANY, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        # A socket that is closed with unread data is reset, and the client would not learn why.
        self.transport.pause_reading()
        self.close_timer = self.loop.call_later(FAREWELL_S, self.transport.close)
        self._abort_in(2 * FAREWELL_S)

    def _abort_in(self, seconds: float) -> None:
        """A transport that is closed first writes what is left, which may take for ever."""
        if not self.disconnected and self._abort_timer is None:
            self._abort_timer = self.loop.call_later(seconds, self.transport.abort)


_LINES: WeakKeyDictionary[AbstractEventLoop, deque[LimitedSocket]] = WeakKeyDictionary()
"""The sockets with something held, in the order in which they are served, by event loop."""


def _join_line(socket: LimitedSocket) -> None:
    line = _LINES.setdefault(socket.loop, deque())
    if not line:
        socket.loop.call_soon(_serve_line, line)
    line.append(socket)


def _serve_line(line: deque[LimitedSocket]) -> None:
    """Parse the next piece. Between two pieces, the event loop serves everybody else."""
    socket = line.popleft()
    if socket._held:
        socket._parse(socket._held.popleft())
    if socket._held:
        line.append(socket)
    else:
        socket._read_on()
    if line:
        socket.loop.call_soon(_serve_line, line)


def _head(size: int) -> bytes:
    if size < 126:
        return bytes((TEXT_FRAME, size))
    if size < 0x10000:
        return LONG_HEAD.pack(TEXT_FRAME, 126, size)
    return LONGEST_HEAD.pack(TEXT_FRAME, 127, size)
