"""WebSockets that cost as little as possible, so that thousands fit beside the server they load.

Just enough of the protocol: text frames that come whole, pings, and what a player must read.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from lastspike import protocol as p

TEXT, CLOSE, PING = 1, 8, 9
FINAL, MASKED = 0x80, 0x80
NO_MASK = bytes(4)
"""A mask of zeros leaves the payload as it is; the server can't tell it from any other."""


class SeenView(Struct):
    """What a player needs of the view to make a turn."""

    number: int
    turn: int | None
    seat: int | None
    cash: list[int | None]
    track: list[str]
    land: dict[str, list[int | str | None]]
    legal: list[str]


class SeenShuffle(Struct):
    round: int
    reveal_by: int | None


class SeenTable(Struct):
    shuffle: SeenShuffle


class SeenProblem(Struct):
    message: str


class Seen(Struct):
    """Any message of the server, as far as it matters here; the rest is skipped unread."""

    type: str
    view: SeenView | None = None
    table: SeenTable | None = None
    problem: SeenProblem | None = None


_decode = msgspec.json.Decoder(Seen).decode
encode = msgspec.json.Encoder().encode


class Socket(asyncio.Protocol):
    """One open socket; `take` gets each message."""

    __slots__ = ("_buffer", "_opened", "_transport", "_welcomed", "closed", "take")

    def __init__(self, take: Callable[[Seen], None]) -> None:
        self.take = take
        self.closed = False
        self._buffer = b""
        self._opened: asyncio.Future[None] | None = None
        self._welcomed: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None

    async def open(self, url: str, path: str, cookie: str | None) -> None:
        """Connect, shake hands and say hello; on return the welcome has come through `take`."""
        loop = asyncio.get_running_loop()
        place = urlsplit(url)
        assert place.hostname is not None
        assert place.port is not None
        self._opened = loop.create_future()
        transport, _ = await loop.create_connection(lambda: self, place.hostname, place.port)
        self._transport = transport
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {place.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}",
            *([] if cookie is None else [f"Cookie: {cookie}"]),
        ]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())
        await self._opened
        self._opened = None
        self._welcomed = loop.create_future()
        self.send(encode(p.Hello(p.PROTOCOL)))
        await self._welcomed
        self._welcomed = None

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        assert self._transport is not None
        size = len(payload)
        if size < 126:
            head = bytes((FINAL | kind, MASKED | size))
        else:
            head = bytes((FINAL | kind, MASKED | 126)) + size.to_bytes(2, "big")
        self._transport.write(head + NO_MASK + payload)

    def close(self) -> None:
        if self._transport is not None and not self.closed:
            self.closed = True
            self.send((1000).to_bytes(2, "big"), CLOSE)
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._buffer:
            data = self._buffer + data
        if self._opened is not None and not self._opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self._opened.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._opened.set_result(None)
        begin, size = 0, len(data)
        while size - begin >= 2:
            kind, length, start = data[begin] & 15, data[begin + 1], begin + 2
            if length == 126:
                length, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif length == 127:
                length, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            end_of_frame = start + length
            if end_of_frame > size or start > size:
                break
            if kind == TEXT:
                self.take(_decode(data[start:end_of_frame]))
                if self._welcomed is not None and not self._welcomed.done():
                    self._welcomed.set_result(None)
            elif kind == PING:
                self.send(data[start:end_of_frame], PING + 1)
            begin = end_of_frame
        self._buffer = data[begin:]

    def connection_lost(self, error: Exception | None) -> None:
        for waiting in (self._opened, self._welcomed):
            if waiting is not None and not waiting.done():
                waiting.set_exception(error or ConnectionError("closed at once"))
        self.closed = True
