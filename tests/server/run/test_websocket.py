"""Frames that never reach the app: how many a socket may send, and what the answers take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.uri import parse_uri

from lastspike.server.http.costs.messages import MESSAGE_BYTES
from lastspike.server.http.limits import rate_limits
from lastspike.server.run.websocket import (
    FRAMES_AT_ONCE,
    MOST_FRAGMENTS,
    PIECE_BYTES,
    LimitedSocket,
)

pytestmark = pytest.mark.anyio

PING = bytes([0x89, 0x80, 0, 0, 0, 0])
BEGIN, MORE, END = (bytes([head, 0x80, 0, 0, 0, 0]) for head in (0x01, 0x00, 0x80))


class Wire(asyncio.Transport):
    """A transport whose client reads nothing until `read` is called."""

    HIGH = 64 * 1024

    def __init__(self) -> None:
        super().__init__()
        self.protocol: Any = None
        self.waiting = bytearray()
        self.reading = True
        self.paused_writing = False
        self.closing = self.aborted = False

    def write(self, data: Any) -> None:
        self.waiting += data
        if len(self.waiting) > self.HIGH and not self.paused_writing:
            self.paused_writing = True
            self.protocol.pause_writing()

    def read(self) -> bytes:
        data, self.waiting = bytes(self.waiting), bytearray()
        if self.paused_writing:
            self.paused_writing = False
            self.protocol.resume_writing()
        return data

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True

    def is_closing(self) -> bool:
        return self.closing

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 2)}.get(name, default)


class Socket:
    """A client's end of an accepted socket, whose app keeps what it is told."""

    def __init__(self, listens: bool = True) -> None:
        self.listens = listens
        self.told: list[Any] = []
        self.wire = Wire()
        self.send: Any = None
        config = uvicorn.Config(
            self.app, interface="asgi3", ws_max_size=MESSAGE_BYTES, log_config=None
        )
        config.load()
        self.server = LimitedSocket(config, ServerState(), {})
        self.wire.protocol = self.server
        self.server.connection_made(self.wire)
        self.client = ClientProtocol(parse_uri("ws://example.org/"))
        self.client.send_request(self.client.connect())
        self.server.data_received(b"".join(self.client.data_to_send()))

    async def app(self, _scope: Any, receive: Callable[..., Any], send: Any) -> None:
        self.send = send
        await receive()
        await send({"type": "websocket.accept"})
        while self.listens:
            self.told.append(await receive())
            if self.told[-1]["type"] == "websocket.disconnect":
                return
        await asyncio.sleep(1000)

    async def flood(self, data: bytes) -> None:
        """Send as a kernel delivers it: as much at once as it has, while anybody reads."""
        for start in range(0, len(data), 256 * 1024):
            if self.wire.reading and not self.wire.closing:
                self.server.data_received(data[start : start + 256 * 1024])
            while self.server._held:
                await asyncio.sleep(0)

    def reads(self) -> bool:
        return self.wire.reading

    def frames(self) -> list[Frame]:
        """What the server has sent."""
        self.client.receive_data(self.wire.read())
        return [each for each in self.client.events_received() if isinstance(each, Frame)]


async def accepted(**more: Any) -> Socket:
    socket = Socket(**more)
    for _ in range(5):
        await asyncio.sleep(0)
    assert socket.client.handshake_exc is None
    socket.frames()
    assert socket.server.handshake_complete
    return socket


def reason_of(frames: list[Frame]) -> tuple[int, str]:
    assert frames[-1].opcode == Opcode.CLOSE
    close = Close.parse(frames[-1].data)
    return close.code, close.reason


async def settle(socket: Socket) -> None:
    for _ in range(5):
        await asyncio.sleep(0)
    socket.server.connection_lost(None)
    await asyncio.sleep(0)


@pytest.mark.parametrize(
    "flood",
    [PING * 50_000, BEGIN + MORE * 50_000, (BEGIN + END) * 25_000],
    ids=["pings", "fragments", "messages in two frames"],
)
async def test_a_flood_of_frames_is_closed_before_it_costs_anything(flood: bytes) -> None:
    socket = await accepted()
    parsed: list[object] = []
    recv_frame = socket.server.conn.recv_frame
    socket.server.conn.recv_frame = lambda frame: (parsed.append(frame), recv_frame(frame))  # type: ignore[assignment, func-returns-value]
    await socket.flood(flood)
    assert len(parsed) <= rate_limits.FRAMES_PER_10S + 200
    assert reason_of(socket.frames()) == (4003, "too many frames")
    assert not socket.wire.reading
    assert len(socket.server.frames) <= MOST_FRAGMENTS
    await settle(socket)
    assert socket.told[-1]["type"] == "websocket.disconnect"


async def test_floods_of_many_sockets_wait_in_line() -> None:
    """In each round of the event loop, a piece of one of them is parsed, however many they are."""
    sockets = [await accepted() for _ in range(40)]
    light = await accepted()
    rounds: list[int] = [0]
    for each in sockets:
        recv_frame = each.server.conn.recv_frame

        def counting(frame: Any, recv_frame: Any = recv_frame) -> None:
            rounds[-1] += 1
            recv_frame(frame)

        each.server.conn.recv_frame = counting  # type: ignore[method-assign]
        each.server.data_received(PING * 500)
        assert not each.wire.reading
    at_once = rounds[0]
    assert at_once <= 40 * (FRAMES_AT_ONCE + PIECE_BYTES // len(PING))
    light.server.data_received(PING)
    assert light.wire.reading
    while any(each.server._held for each in sockets):
        rounds.append(0)
        await asyncio.sleep(0)
    assert max(rounds[1:]) <= PIECE_BYTES // len(PING) + 1
    assert sum(rounds) == 40 * 500
    for each in sockets:
        assert each.wire.reading
        assert len(each.frames()) == 500
    for each in (*sockets, light):
        await settle(each)


async def test_a_flood_of_bytes_is_closed_too() -> None:
    socket = await accepted()
    message = bytes([0x82, 0xFE]) + MESSAGE_BYTES.to_bytes(2) + bytes(4) + bytes(MESSAGE_BYTES)
    sent = 0
    while not socket.server.close_sent:
        socket.wire.reading = True
        await socket.flood(message)
        sent += len(message)
        await asyncio.sleep(0)
    assert sent <= (rate_limits.KIB_PER_10S + 17) * 1024
    assert reason_of(socket.frames())[0] == 4003
    await settle(socket)


async def test_what_a_browser_or_a_library_sends_is_let_through() -> None:
    socket = await accepted()
    for number in range(60):
        heads = [0x81] if number % 2 else [0x01, *([0x00] * 14), 0x80]
        for head in heads:
            part = MESSAGE_BYTES // len(heads)
            await socket.flood(bytes([head, 0xFE]) + part.to_bytes(2) + bytes(4) + b"x" * part)
            for _ in range(3):
                await asyncio.sleep(0)
        await socket.flood(PING)
    assert socket.told == [{"type": "websocket.receive", "text": "x" * MESSAGE_BYTES}] * 60
    await settle(socket)


async def test_nobody_reads_on_while_the_answers_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "FRAMES_PER_10S", 10**6)
    monkeypatch.setattr(rate_limits, "KIB_PER_10S", 10**6)
    ping = bytes([0x89, 0x80 | 125]) + bytes(4) + b"x" * 125
    socket = await accepted()
    await socket.flood(ping * 2000)  # as much as a kernel delivers at once
    assert not socket.reads()
    assert len(socket.wire.waiting) < 512 * 1024
    text = bytes([0x81, 0x81, 0, 0, 0, 0]) + b"x"
    socket.server.data_received(text)
    for _ in range(20):
        await asyncio.sleep(0)
    assert socket.told == [{"type": "websocket.receive", "text": "x"}]
    assert not socket.reads()  # though the app waits for more
    socket.frames()
    assert socket.reads()
    await socket.send({"type": "websocket.send", "text": "x" * 1_000_000})
    assert not socket.reads()  # nor while it is told something
    socket.frames()
    assert socket.reads()
    await settle(socket)


async def test_who_does_not_read_keeps_no_closed_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits until everything is written, which may be for ever."""
    timers: list[tuple[float, Any]] = []
    socket = await accepted(listens=False)
    later = socket.server.loop.call_later

    def noted(seconds: float, work: Any, *given: Any) -> Any:
        timers.append((seconds, work))
        return later(seconds, work, *given)

    monkeypatch.setattr(socket.server.loop, "call_later", noted)
    await socket.send({"type": "websocket.send", "text": "x" * 1_000_000})
    assert socket.wire.paused_writing
    socket.server.keepalive_timeout()
    assert socket.wire.closing
    (seconds, abort), *_ = timers
    assert seconds <= 1
    abort()
    assert socket.wire.aborted
    await settle(socket)
