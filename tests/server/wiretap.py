"""A wiretap: a door to the server of each viewer's own, where every byte is written down.

Each viewer gets a port that leads to the server. What goes through is kept as it is, and afterwards
read as HTTP and as the frames of sockets, without any help from the code that is listened to.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Literal, NamedTuple

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_HEAD_END = b"\r\n\r\n"

Kind = Literal["answer", "request", "frame"]


class Message(NamedTuple):
    """One message of a connection: an HTTP answer or request, or a frame of a socket.

    `line` is the first line of HTTP; `code` the status of an answer or the opcode of a frame.
    """

    connection: int
    to_viewer: bool
    kind: Kind
    body: bytes
    code: int = 0
    line: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class Tap:
    """`url` leads to the server; `chunks` has what went through: of which connection, whether to
    the viewer, and the bytes."""

    def __init__(self, name: str, server: str) -> None:
        self.name = name
        self.url = ""
        self.chunks: list[tuple[int, bool, bytes]] = []
        self.reads = asyncio.Event()
        """Whether the viewer reads. A viewer who doesn't holds up the server's answers."""
        self.reads.set()
        self._host, _, port = server.removeprefix("http://").partition(":")
        self._port = int(port)
        self._connections = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def get(self, path: str) -> None:
        """Ask for this as a plain program would; what is answered is written down."""
        reader, writer = await asyncio.open_connection(*self.url.removeprefix("http://").split(":"))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await reader.readuntil(_HEAD_END)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        await reader.read()
        writer.close()

    def to_viewer(self) -> bytes:
        """Every byte that came from the server, as it was on the wire."""
        return b"".join(data for _, to_viewer, data in self.chunks if to_viewer)

    def messages(self) -> Iterator[Message]:
        """All that was said through here, in order."""
        ears: dict[int, tuple[_Ear, _Ear]] = {}
        for connection, to_viewer, data in self.chunks:
            if connection not in ears:
                answers, requests = _Ear(connection, True), _Ear(connection, False)
                ears[connection] = requests, answers
            yield from ears[connection][to_viewer].hear(data)
            if ears[connection][True].upgraded and not ears[connection][False].upgraded:
                ears[connection][False].upgraded = True
        for both in ears.values():
            for ear in both:
                assert not ear.left or ear.cut, f"{self.name}: not understood: {ear.left[:200]!r}"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = self._connections
        self._connections += 1
        try:
            from_server, to_server = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.close()
            return
        try:
            await asyncio.gather(
                self._pump(number, False, reader, to_server),
                self._pump(number, True, from_server, writer),
            )
        finally:
            writer.close()
            to_server.close()

    async def _pump(
        self, number: int, to_viewer: bool, reader: asyncio.StreamReader, to: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if to_viewer:
                    await self.reads.wait()
                self.chunks.append((number, to_viewer, data))
                to.write(data)
                await to.drain()
        with suppress(OSError):
            to.close()


@asynccontextmanager
async def taps(server: str, *names: str) -> AsyncIterator[list[Tap]]:
    """A tap for each of these viewers."""
    opened = [Tap(name, server) for name in names]
    for tap in opened:
        await tap.open()
    try:
        yield opened
    finally:
        for tap in opened:
            await tap.close()


class _Ear:
    """Reads one direction of one connection: HTTP, and frames once it is a socket."""

    def __init__(self, connection: int, to_viewer: bool) -> None:
        self.connection = connection
        self.to_viewer = to_viewer
        self.upgraded = False
        self.left = b""
        self._parts: list[bytes] = []
        self._opcode = 0

    @property
    def cut(self) -> bool:
        """Whether what is left can be the beginning of something: the connection was broken."""
        return self.upgraded or self.left.startswith((b"HTTP/1.1 ", b"GET ", b"POST "))

    def hear(self, data: bytes) -> Iterator[Message]:
        self.left += data
        while True:
            message = self._frame() if self.upgraded else self._http()
            if message is None:
                return
            if message.kind != "frame" or message.code:
                yield message

    def _http(self) -> Message | None:
        head, end, rest = self.left.partition(_HEAD_END)
        if not end:
            return None
        line, *lines = head.decode("latin-1").split("\r\n")
        headers = tuple(
            (name.strip().lower(), value.strip())
            for name, _, value in (one.partition(":") for one in lines)
        )
        found = dict(headers)
        if "chunked" in found.get("transfer-encoding", ""):
            body, rest, whole = _unchunked(rest)
        else:
            length = int(found.get("content-length", 0))
            body, rest, whole = rest[:length], rest[length:], len(rest) >= length
        if not whole:
            return None
        self.left = rest
        if found.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if not self.to_viewer:
            return Message(self.connection, False, "request", body, 0, line, headers)
        status = int(line.split()[1])
        self.upgraded = status == 101
        return Message(self.connection, True, "answer", body, status, line, headers)

    def _frame(self) -> Message | None:
        """A whole message; with code 0 if its other frames are still to come."""
        data = self.left
        if len(data) < 2:
            return None
        final, opcode, masked, length = data[0] & 0x80, data[0] & 0x0F, data[1] & 0x80, data[1]
        at, length = 2, length & 0x7F
        if length >= 126:
            size = 2 if length == 126 else 8
            length, at = int.from_bytes(data[at : at + size]), at + size
        key = data[at : at + 4] if masked else b""
        at += len(key)
        if len(data) < at + length or (masked and len(key) < 4):
            return None
        payload, self.left = data[at : at + length], data[at + length :]
        if masked:
            payload = _unmasked(payload, key)
        if opcode in (CLOSE, PING, PONG):
            return Message(self.connection, self.to_viewer, "frame", payload, opcode)
        self._opcode = opcode or self._opcode
        self._parts.append(payload)
        if not final:
            return Message(self.connection, self.to_viewer, "frame", b"")
        whole, self._parts = b"".join(self._parts), []
        return Message(self.connection, self.to_viewer, "frame", whole, self._opcode)


def _unmasked(payload: bytes, key: bytes) -> bytes:
    pad = (key * (len(payload) // 4 + 1))[: len(payload)]
    return (int.from_bytes(payload) ^ int.from_bytes(pad)).to_bytes(len(payload))


def _unchunked(data: bytes) -> tuple[bytes, bytes, bool]:
    """The body, what follows it, and whether all of it is there."""
    body = b""
    while True:
        size, end, rest = data.partition(b"\r\n")
        if not end:
            return b"", b"", False
        length = int(size, 16)
        if len(rest) < length + 2:
            return b"", b"", False
        body, data = body + rest[:length], rest[length + 2 :]
        if not length:
            return body, data, True
