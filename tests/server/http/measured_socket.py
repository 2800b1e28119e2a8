"""A socket of the measured app, without a network, with the work of each message counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec
from litestar import Litestar

from lastspike.protocol import FromClient

from .measured_app import Counting


class Answered(NamedTuple):
    """What a message took, and the first answer to it."""

    calls: int
    statements: int
    answer: dict[str, Any]
    size: int


class MeasuredSocket:
    def __init__(self) -> None:
        self.coming: asyncio.Queue[Any] = asyncio.Queue()
        self.told: asyncio.Queue[bytes] = asyncio.Queue()
        self.code: int | None = None

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.told.put_nowait(message["text"].encode())
        elif message["type"] == "websocket.close":
            self.code = message["code"]
            self.told.put_nowait(b'{"type": "closed"}')

    async def hear(self, *kinds: str) -> None:
        while json.loads(await self.told.get())["type"] not in kinds:
            pass

    async def ask(self, message: FromClient, *kinds: str) -> Answered:
        """Send a message, and count until it is answered. `size` is that of all that is told."""
        text = msgspec.json.encode(message).decode()
        size = 0
        with Counting() as counted:
            self.coming.put_nowait({"type": "websocket.receive", "text": text})
            while True:
                told = await self.told.get()
                size += len(told)
                answer = json.loads(told)
                if answer["type"] in kinds:
                    return Answered(counted.calls, counted.statements, answer, size)


@asynccontextmanager
async def open_socket(
    app: Litestar, table_id: str, secret: str = ""
) -> AsyncIterator[MeasuredSocket]:
    socket = MeasuredSocket()
    path = f"/api/tables/{table_id}/live"
    cookie = [(b"cookie", f"lastspike={secret}".encode())] if secret else []
    scope: Any = {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), *cookie],
        "client": ("192.0.2.1", 1),
        "server": ("localhost", 80),
        "subprotocols": [],
        "state": {},
    }
    socket.coming.put_nowait({"type": "websocket.connect"})
    task = asyncio.create_task(app(scope, socket.coming.get, socket.send))
    try:
        yield socket
    finally:
        socket.coming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await task
