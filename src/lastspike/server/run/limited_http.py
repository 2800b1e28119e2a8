"""The HTTP of a connection, with limits. A proxy in front has its own; not every server has one.

A head or a body that never ends, an answer that is never read, and thousands of idle connections
from one address would hold memory and file descriptors.
"""

from __future__ import annotations

import ipaddress
import os
from asyncio import TimerHandle, Transport
from collections import Counter
from functools import cache, lru_cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from lastspike.server.config.settings import CONFIG_JSON, Config
from lastspike.server.http.limits.rate_limits import Buckets, address_key, venue_factor

HEAD_BYTES = 16 * 1024
"""The request line and the headers together."""
URL_BYTES = 4 * 1024
HEADERS = 100
HEAD_S = 10.0
"""How long the head of a request may take, from its first byte or from the connection on."""
BODY_S = 30.0
BODY_BYTES = 1024 * 1024
"""Beyond a route's own limit, which is answered, the connection ends here."""
WRITE_S = 30.0
"""How long a client may read nothing of an answer that waits for it."""
MOST_WAITING = 8
"""Requests that a connection may send before the first of them is answered. Browsers send none. A
packet holds thousands, and each would be read and kept before anybody counts it."""
CONNECTIONS_EACH = 4
"""Connections of one address that carry requests, for each socket that it may open."""

_open: Counter[str] = Counter()


class LimitedHttp(HttpToolsProtocol):
    """Closes a connection that takes too long or sends too much."""

    _timer: TimerHandle | None = None
    _write_timer: TimerHandle | None = None
    _counted: str | None = None
    _fault = 400
    _size = 0
    _received = 0
    _body = 0
    _in_head = False
    _upgraded = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        if not _is_proxy(peer):
            key = address_key(peer)
            if _open[key] >= _most_connections(key) or _opened().take(key):
                self._refuse(429)
                return
            _open[key] += 1
            self._counted = key
        self._wait(HEAD_S)

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._received += len(data)
        super().data_received(data)
        if self._upgraded or self.transport.is_closing() or self.parser is None:
            return
        if self._in_head and self._received > HEAD_BYTES:
            self._refuse(431)
        elif self._is_idle() and self._timer is None:  # such as empty lines between requests
            self._wait(HEAD_S)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._size = self._body = self._received = 0
        self._in_head = True
        if len(self.pipeline) >= MOST_WAITING:
            self._fault = 429
            raise ValueError("too many requests wait for their answers")
        self._wait(HEAD_S)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._size += len(url)
        if len(self.url) > URL_BYTES:
            self._fault = 414
            raise ValueError("the request line is too long")

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._size += len(name) + len(value)
        if self._size > HEAD_BYTES or len(self.headers) > HEADERS:
            self._fault = 431
            raise ValueError("the headers are too large")

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._wait(BODY_S)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        if self._body > BODY_BYTES:
            self.transport.abort()
            return
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True  # from here on, the socket's own limits hold
        self._release()  # the guard counts sockets by itself
        super().handle_websocket_upgrade()

    def send_400_response(self, _msg: str) -> None:
        self._refuse(self._fault)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(WRITE_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _is_idle(self) -> bool:
        return not self._in_head and self._is_answered()

    def _is_answered(self) -> bool:
        """Whether the last request is, if there was one."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._refuse, 408)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _release(self) -> None:
        self._stop_waiting()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
        key, self._counted = self._counted, None
        if key is not None:
            _open[key] -= 1
            if not _open[key]:
                del _open[key]

    def _refuse(self, status: int) -> None:
        """Close, and say why unless an answer has begun."""
        self._stop_waiting()
        if self.transport.is_closing():
            return
        if self._is_answered() or not self.cycle.response_started:
            head = b"content-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head)
        self.transport.close()


@cache
def _settings() -> Config:
    return Config.from_env_json(os.environ[CONFIG_JSON])


@lru_cache(4096)
def _most_connections(key: str) -> int:
    settings = _settings()
    each = CONNECTIONS_EACH * settings.limits.sockets_per_address
    return each * venue_factor(settings.venues)(key)


@cache
def _opened() -> Buckets:
    """How many connections each address may open: as many as it may send requests."""
    settings = _settings()
    most = settings.limits.requests_per_minute
    return Buckets(most, most / 60, factor=venue_factor(settings.venues))


@cache
def _proxies() -> tuple[Any, ...] | None:
    """The networks of the proxies; None if everybody counts as one."""
    trusted = _settings().trusted_proxies
    if "*" in trusted:
        return None
    return tuple(ipaddress.ip_network(proxy, strict=False) for proxy in trusted)


@lru_cache(4096)
def _is_proxy(peer: str) -> bool:
    """A proxy has many people behind it. Nothing is known of a peer without an address."""
    proxies = _proxies()
    if proxies is None or not peer:
        return True
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return False
    return any(address.version == proxy.version and address in proxy for proxy in proxies)
