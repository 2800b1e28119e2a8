"""A WebSocket whose every frame is counted before anybody acts on it.

Pings, pongs and fragments never reach the app, which counts whole messages. Without this, one
client could keep the event loop busy with frames of six bytes, and fill its memory with answers
that nobody reads.
"""

from __future__ import annotations

from asyncio import TimerHandle
from time import monotonic
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from lastspike.protocol import CLOSE_TOO_MANY
from lastspike.server.http import rate_limits
from lastspike.server.http.rate_limits import MessageLimit
from lastspike.server.monitoring import metrics

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent
    from websockets.frames import Frame

PIECE_BYTES = 1024
"""How much is parsed before its frames are counted: at most 170 of them. However little comes at
once counts as one piece."""
MOST_FRAGMENTS = 64
"""Frames of one message."""
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
        self._abort_timer: TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE_BYTES):
            if self._refused or self.transport.is_closing():
                return
            if not self._pieces_left.take(monotonic()):
                self._refuse()
                return
            super().data_received(data[start : start + PIECE_BYTES])

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

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not (self.read_paused or self._refused or self.transport.is_closing()):
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        if not self.writable.is_set() and not self.transport.is_closing():
            self.transport.pause_reading()  # it was just resumed
        return message

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_in(FAREWELL_S)

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            self._abort_in(CLOSE_S)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._abort_timer is not None:
            self._abort_timer.cancel()

    def _refuse(self) -> None:
        metrics.REFUSED.labels("frames").inc()
        self._refused = True
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
