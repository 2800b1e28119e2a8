"""Clients that keep no rules: they send whatever bytes they like, and say what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from lastspike import protocol as p
from lastspike.client import Person

PATIENCE_S = 60.0


class Answer(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    def header(self, name: str) -> str | None:
        return dict(self.headers).get(name)

    @property
    def cookie(self) -> str | None:
        """The secret that was given, if one was."""
        given = self.header("set-cookie")
        return None if given is None else given.partition("=")[2].partition(";")[0]


async def ask(
    server: str,
    method: str,
    path: str,
    body: Any = None,
    *,
    cookie: str | None = None,
    headers: Mapping[str, str] | None = None,
    chunked: bool = False,
) -> Answer:
    """One request, written by hand: the path and the headers go out as they are. A body that is
    not bytes becomes JSON."""
    host, _, port = server.removeprefix("http://").partition(":")
    # Without "Connection: close": a server that closes before it has read everything resets the
    # connection, and the answer may be lost.
    sent = {"Host": f"{host}:{port}"}
    if cookie is not None:
        sent["Cookie"] = f"lastspike={cookie}"
    content = b""
    if body is not None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent["Content-Type"] = "application/json"
        if chunked:
            sent["Transfer-Encoding"] = "chunked"
            content = b"%x\r\n%b\r\n0\r\n\r\n" % (len(content), content)
        else:
            sent["Content-Length"] = str(len(content))
    sent |= headers or {}
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    async with asyncio.timeout(PATIENCE_S):
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + content)
            return await _read(reader, method)
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader, method: str) -> Answer:
    head = await reader.readuntil(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").rstrip().split("\r\n")
    headers = [(n.lower(), v.strip()) for n, _, v in (one.partition(":") for one in lines)]
    given = dict(headers)
    body = b""
    if given.get("transfer-encoding") == "chunked":
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += (await reader.readexactly(size + 2))[:-2]
    elif method != "HEAD":
        body = await reader.readexactly(int(given.get("content-length", 0)))
    return Answer(int(line.split()[1]), headers, body)


class Line:
    """An open socket. `closed` is the code with which the server has closed it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, message: p.FromClient | dict[str, Any] | str | bytes) -> None:
        """A message as JSON, or any text, or any bytes in a binary frame."""
        if not isinstance(message, str | bytes):
            message = msgspec.json.encode(message).decode()
        await self.socket.send(message)

    async def frame(self, data: bytes, opcode: int = 1, *, final: bool = True) -> None:
        """A frame of one's own making: masked with zeroes, which leaves its bytes as they are."""
        size = len(data)
        head = bytes([(0x80 if final else 0) | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + size.to_bytes(2)
        else:
            head += bytes([0x80 | 127]) + size.to_bytes(8)
        self.socket.transport.write(head + bytes(4) + data)
        await asyncio.sleep(0)

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                if message["type"] in kinds:
                    return message

    async def refused(self, message: p.FromClient | dict[str, Any] | str) -> dict[str, Any]:
        """Send this, which must be refused; returns the refusal."""
        await self.send(message)
        answer = await self.hear("refused", "accepted", "previewed", "hinted", "view", "pong")
        assert answer["type"] == "refused", answer
        return answer

    async def closed(self) -> tuple[int | None, str | None]:
        """Wait until the server closes the socket: with which code and for which reason."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    await self.socket.recv()
        except ConnectionClosed:
            return self.socket.close_code, self.socket.close_reason


@asynccontextmanager
async def line(
    server: str,
    table_id: str,
    cookie: str | None = None,
    *,
    hello: bool = True,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[Line]:
    """A socket to a table that has said hello, unless it should not."""
    sent = dict(headers or {})
    if cookie is not None:
        sent["Cookie"] = f"lastspike={cookie}"
    url = f"{server.replace('http', 'ws', 1)}/api/tables/{table_id}/live"
    async with connect(
        url, additional_headers=sent, compression=None, close_timeout=2, max_size=None
    ) as socket:
        opened = Line(socket)
        if hello:
            await opened.send(p.Hello(p.PROTOCOL))
            await opened.hear("welcome")
        yield opened


async def not_let_in(
    server: str, table_id: str, cookie: str | None = None, **headers: str
) -> Answer:
    """Open a socket with these headers, which must not succeed; returns the HTTP answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        async with line(server, table_id, cookie, hello=False, headers=named):
            raise AssertionError("the socket was let in")
    except InvalidStatus as error:
        response = error.response
        got = [(name.lower(), value) for name, value in response.headers.raw_items()]
        return Answer(response.status_code, got, bytes(response.body or b""))


def secret_of(person: Person) -> str:
    assert person.secret is not None
    return person.secret
