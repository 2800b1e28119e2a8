"""Connections that take too long or send too much, on a clock and a wire of the tests' own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from lastspike.server.config.settings import CONFIG_JSON, Config, Limits
from lastspike.server.run import limited_http
from lastspike.server.run.limited_http import LimitedHttp

REQUEST = b"POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n"


class Timer:
    def __init__(self, seconds: float, call: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self.seconds = seconds
        self._call = call
        self._given = given
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def fire(self) -> None:
        self._call(*self._given)


class Loop:
    """Keeps timers and runs nothing but what the connection itself starts."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []
        self.create_task = asyncio.get_running_loop().create_task

    def call_later(self, seconds: float, call: Callable[..., Any], *given: Any) -> Timer:
        self.timers.append(Timer(seconds, call, given))
        return self.timers[-1]

    @property
    def waiting(self) -> list[float]:
        return [timer.seconds for timer in self.timers if not timer.cancelled]

    def fire(self) -> None:
        (timer,) = (timer for timer in self.timers if not timer.cancelled)
        timer.cancel()
        timer.fire()


class Wire:
    """A transport that keeps what is written."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.written = b""
        self.closed = False
        self.aborted = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": (self.peer, 1), "sockname": ("127.0.0.1", 2)}.get(name, default)

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    @property
    def status(self) -> int:
        return int(self.written.split()[1]) if self.written else 0


class Line(LimitedHttp):
    """A connection from an address, and both its ends."""

    def __init__(self, peer: str = "192.0.2.1") -> None:
        self.clock = Loop()
        self.wire = Wire(peer)
        self.asked = 0
        config = uvicorn.Config(self._app, interface="asgi3", lifespan="off", log_config=None)
        config.load()
        super().__init__(config, ServerState(), {}, _loop=self.clock)  # type: ignore[arg-type]
        self.connection_made(self.wire)  # type: ignore[arg-type]

    async def _app(self, _scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        self.asked += 1
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    config = Config(
        "sqlite:///x",
        trusted_proxies=("127.0.0.1", "10.0.0.0/8"),
        venues=("198.51.100.0/24",),
        limits=Limits(sockets_per_address=1),
    )
    monkeypatch.setenv(CONFIG_JSON, config.to_env_json())
    cached = (
        limited_http._settings,
        limited_http._proxies,
        limited_http._is_proxy,
        limited_http._most_connections,
        limited_http._opened,
    )
    for each in cached:
        each.cache_clear()
    yield
    for each in cached:
        each.cache_clear()
    assert not limited_http._open


pytestmark = pytest.mark.anyio


async def test_a_request_is_answered_and_leaves_no_timer() -> None:
    line = Line()
    assert line.clock.waiting == [limited_http.HEAD_S]
    for _ in range(2):
        line.data_received(REQUEST[:9])
        assert line.clock.waiting == [limited_http.HEAD_S]
        line.data_received(REQUEST[9:])
        assert line.clock.waiting == [limited_http.BODY_S]
        line.data_received(b"body")
        await asyncio.gather(*line.tasks)
        assert line.wire.status == 200
        assert line.clock.waiting == [line.timeout_keep_alive]
    assert line.asked == 2
    line.connection_lost(None)
    assert line.clock.waiting == []


@pytest.mark.parametrize("sent", [b"", b"GE", b"GET / HTTP/1.1\r\nhost:", b"\r\n"])
async def test_a_head_that_takes_too_long(sent: bytes) -> None:
    line = Line()
    if sent:
        line.data_received(sent)
    assert line.clock.waiting == [limited_http.HEAD_S]
    line.clock.fire()
    assert (line.wire.status, line.wire.closed) == (408, True)
    line.connection_lost(None)


async def test_the_head_of_a_later_request_takes_no_longer() -> None:
    line = Line()
    line.data_received(REQUEST + b"body")
    await asyncio.gather(*line.tasks)
    line.data_received(b"GE")
    assert limited_http.HEAD_S in line.clock.waiting
    line.clock.fire()
    assert line.wire.closed
    line.connection_lost(None)


async def test_empty_lines_keep_no_connection_open() -> None:
    line = Line()
    line.data_received(REQUEST + b"body")
    await asyncio.gather(*line.tasks)
    line.data_received(b"\r\n")
    assert line.clock.waiting == [limited_http.HEAD_S]
    line.data_received(b"\r\n")
    assert len(line.clock.timers) == 5  # the second line starts no other
    line.clock.fire()
    assert line.wire.closed
    line.connection_lost(None)


async def test_a_body_that_takes_too_long() -> None:
    line = Line()
    line.data_received(REQUEST + b"b")
    line.clock.fire()
    assert (line.wire.status, line.wire.closed) == (408, True)
    line.connection_lost(None)
    await asyncio.gather(*line.tasks)


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ([b"GET /" + b"x" * limited_http.URL_BYTES + b" HTTP/1.1\r\n\r\n"], 414),
        ([b"GET /" + b"x" * 3000, b"x" * 3000], 414),
        ([b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * (limited_http.HEADERS + 1) + b"\r\n"], 431),
        ([b"GET / HTTP/1.1\r\na: " + b"b" * limited_http.HEAD_BYTES + b"\r\n\r\n"], 431),
        ([b"GET / HTTP/1.1\r\na: ", *[b"b" * 9000] * 3], 431),
        ([b"\x16\x03\x01"], 400),
    ],
)
async def test_a_head_that_is_too_large(parts: list[bytes], status: int) -> None:
    line = Line()
    for part in parts:
        line.data_received(part)
    assert (line.wire.status, line.wire.closed) == (status, True)
    line.data_received(REQUEST)
    assert not line.asked
    line.connection_lost(None)


@pytest.mark.parametrize("alone", [True, False])
async def test_few_requests_wait_for_an_answer(alone: bool) -> None:
    """However many one packet holds: each would take a while to be read, and stay in memory."""
    line = Line()
    some, many = limited_http.MOST_WAITING + 1, 1000
    sent = [b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"] * many
    line.data_received(b"".join(sent[:some]))
    assert not line.wire.closed
    if alone:
        while line.asked < some:
            await asyncio.gather(*line.tasks)
        assert line.wire.written.count(b" 200 ") == some
        line.timeout_keep_alive_task.cancel()  # type: ignore[union-attr]
    else:
        line.data_received(b"".join(sent))
        assert (line.wire.status, line.wire.closed) == (429, True)
        assert len(line.pipeline) <= some
    line.connection_lost(None)
    await asyncio.gather(*line.tasks)


async def test_a_body_without_end() -> None:
    line = Line()
    line.data_received(b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in range(limited_http.BODY_BYTES // 60_000 + 1):
        line.data_received(b"%x\r\n" % 60_000 + b"x" * 60_000 + b"\r\n")
    assert line.wire.aborted
    line.connection_lost(None)
    await asyncio.gather(*line.tasks)


async def test_an_answer_that_nobody_reads() -> None:
    line = Line()
    line.data_received(REQUEST + b"body")
    await asyncio.gather(*line.tasks)
    line.timeout_keep_alive_task.cancel()  # type: ignore[union-attr]
    line.pause_writing()
    assert line.clock.waiting == [limited_http.WRITE_S]
    line.resume_writing()
    assert line.clock.waiting == []
    line.pause_writing()
    line.clock.fire()
    assert line.wire.aborted
    line.connection_lost(None)


class Socket:
    """What a connection becomes that asks for a WebSocket."""

    def __init__(self, **_given: Any) -> None:
        self.received = b""

    def connection_made(self, _transport: Any) -> None:
        pass

    def data_received(self, data: bytes) -> None:
        self.received += data


async def test_a_websocket_is_not_closed_for_asking_nothing_more() -> None:
    line = Line()
    line.ws_protocol_class = Socket  # type: ignore[assignment]
    line.data_received(
        b"GET /x HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n"
    )
    assert line.wire.protocol.received.startswith(b"GET /x")
    assert line.clock.waiting == []
    assert not line.wire.written


async def test_connections_are_counted_by_address_and_given_back() -> None:
    most = limited_http.CONNECTIONS_EACH
    lines = [Line() for _ in range(most)]
    assert not any(line.wire.closed for line in lines)
    extra = Line()
    assert (extra.wire.status, extra.wire.closed) == (429, True)
    others = [Line(peer) for peer in ("192.0.2.2", *["10.1.2.3", "198.51.100.9"] * (most + 1))]
    assert not any(line.wire.closed for line in others)  # another, proxies, and a venue
    lines.pop().connection_lost(None)
    lines.append(Line())
    assert not lines[-1].wire.closed
    for line in (extra, *lines, *others):
        line.connection_lost(None)


async def test_connections_that_come_and_go_are_counted_too() -> None:
    """Each costs as much as a request, even if it asks for nothing."""
    for _ in range(Limits().requests_per_minute):
        line = Line()
        assert not line.wire.closed
        line.connection_lost(None)
    extra, other = Line(), Line("192.0.2.2")
    assert (extra.wire.status, other.wire.closed) == (429, False)
    for line in (extra, other):
        line.connection_lost(None)
