"""The guard: checks every request and socket before any route, and adds headers on the way out.

It stands before Litestar's router and not among its middleware, which unknown paths never reach.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from time import perf_counter
from typing import Any

from litestar import Litestar
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send, WebSocketScope
from litestar.utils import normalize_path

from lastspike.protocol import CLOSE_NOT_ALLOWED
from lastspike.rules.errors import LastSpikeError
from lastspike.server.config.settings import Config
from lastspike.server.live.problems import unexpected
from lastspike.server.monitoring import logs, metrics
from lastspike.server.table.errors import NotAllowed, NotFound, Refusal, TooMany

from .language import language_for
from .limits import rate_limits
from .limits.rate_limits import RateLimits, caller_key
from .problems import headers_of, problem_body, status_of
from .security import SAFE_METHODS, allowed_host, response_headers, same_origin

_PROBES = frozenset({"/healthz", "/metrics"})
"""What watches us has a limit of its own, and no line in the log."""
_STREAMS = "/api/jobs/"
"""What goes on for seconds and costs next to nothing. Sockets are limited instead."""
_OPEN_TO_BANNED = frozenset(
    {
        ("GET", "/api/about"),
        ("GET", "/api/me/export"),
        ("DELETE", "/api/me"),
        ("POST", "/api/me/log-out"),
    }
)
"""What nobody is banned from: their own data, and who runs this server."""
_JSON = b"application/json"
_NO_STORE = (b"cache-control", b"no-store")


CheckAddress = Callable[[str], None]
"""Raises a `Refusal` if this address may not use the server."""


def guard(
    app: Litestar, config: Config, limits: RateLimits, check: CheckAddress | None = None
) -> Litestar:
    """Put the guard in front of the app, and return the same app."""
    app.asgi_handler = Guard(app.asgi_handler, config, limits, check)
    return app


class Guard:
    """Refuses what is not allowed; logs, counts and adds headers to everything."""

    def __init__(
        self,
        app: ASGIApp,
        config: Config,
        limits: RateLimits,
        check: CheckAddress | None = None,
    ) -> None:
        self._app = app
        self._check = check
        self._config = config
        self._limits = limits
        self._headers = response_headers(config)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._set_path(scope)
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        else:
            await self._socket(scope, receive, send)

    def _set_path(self, scope: Scope) -> None:
        """Make the path what the router will see: what the guard allows must be what is served.

        The router ignores empty parts, as in `//api/me`, and routes don't know the sub-path. A
        proxy may or may not have removed it already."""
        prefix = self._config.sub_path
        path = normalize_path(scope["path"])
        scope["root_path"] = ""
        if prefix:
            scope["app_root_path"] = prefix  # type: ignore[typeddict-unknown-key]
            if path == prefix or path.startswith(f"{prefix}/"):
                path = path.removeprefix(prefix) or "/"
        scope["path"] = path

    async def _http(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        path, status = scope["path"], 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._with_headers(list(message.get("headers", ())))
            await send(message)

        try:
            # Also before a refusal: hundreds of connections can ask for thousands of them.
            await self._limits.request_turns.turn(caller_key(scope))
            refusal = self._refusal(scope, safe=scope["method"] in SAFE_METHODS)
            if refusal is None and path.startswith(_STREAMS):
                await self._app(scope, receive, with_headers)
            elif refusal is None:
                async with self._limits.served.place(caller_key(scope)):
                    await self._app(scope, receive, with_headers)
            else:
                if isinstance(refusal, TooMany):
                    await asyncio.sleep(rate_limits.REFUSED_AFTER_S)
                await _answer(scope, with_headers, refusal)
        except Exception as error:
            if status:  # too late to answer; uvicorn closes the connection
                raise
            await _answer(scope, with_headers, unexpected(error))
        finally:
            taken = perf_counter() - began
            if path not in _PROBES:
                metrics.REQUEST_SECONDS.observe(taken)
                logs.access(scope["method"], path, status, taken)

    def _with_headers(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Add the headers of every response, except those the route set itself."""
        there = {name.lower(): value for name, value in headers}
        headers += [header for header in self._headers if header[0] not in there]
        if b"cache-control" not in there and _JSON in there.get(b"content-type", b""):
            headers.append(_NO_STORE)
        return headers

    def _refusal(self, scope: Scope, *, safe: bool) -> Refusal | None:
        """Why this is refused, or None."""
        # First: what is refused for another reason counts, too.
        probed = scope["path"] in _PROBES
        buckets = self._limits.probes if probed else self._limits.requests
        wait = buckets.take(caller_key(scope))
        if wait:
            metrics.REFUSED.labels("rate").inc()
            return TooMany("too many requests; wait {seconds} s", seconds=math.ceil(wait))
        headers = Headers.from_scope(scope)
        if not allowed_host(headers.get("host", ""), self._config):
            metrics.REFUSED.labels("host").inc()
            return NotAllowed("this server doesn’t answer to that host name")
        if not safe and not same_origin(headers, self._config, scope["scheme"]):
            metrics.REFUSED.labels("origin").inc()
            return NotAllowed("this request isn’t allowed from another site’s page")
        if "\0" in scope["path"]:  # which PostgreSQL can't even look for
            return NotFound("there is nothing here")
        # A socket is told why only after it was accepted.
        if (
            self._check is not None
            and scope["type"] == ScopeType.HTTP
            and not open_to_banned(scope)
        ):
            try:
                self._check(caller_key(scope))
            except Refusal as refusal:
                metrics.REFUSED.labels("banned").inc()
                return refusal
        return None

    async def _socket(self, scope: WebSocketScope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        caller, status = caller_key(scope), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "websocket.accept":
                status = 101
            elif message["type"] == "websocket.http.response.start":
                status = message["status"]
                message["headers"] = self._with_headers(list(message["headers"]))
            elif message["type"] == "websocket.close" and not status:
                status = 403
            await send(message)

        await self._limits.request_turns.turn(caller)
        refusal = self._refusal(scope, safe=False)
        counted = refusal is None and self._limits.sockets.acquire(caller)
        try:
            if refusal is not None:
                if isinstance(refusal, TooMany):
                    await asyncio.sleep(rate_limits.REFUSED_AFTER_S)
                await _refuse_socket(scope, watched, refusal)
            elif not counted:
                metrics.REFUSED.labels("sockets").inc()
                too_many = TooMany("too many connections are open from your address")
                await _refuse_socket(scope, watched, too_many)
            else:
                metrics.SOCKETS.inc()
                await self._app(scope, receive, watched)
        finally:
            if counted:
                self._limits.sockets.release(caller)
                metrics.SOCKETS.dec()
            logs.access("SOCKET", scope["path"], status, perf_counter() - began)


def open_to_banned(scope: Scope) -> bool:
    """Whether those who are banned may ask for this: the page itself, their own data; and the
    operator needs a key, whose own address may be in a network that is banned."""
    path = scope["path"]
    if not path.startswith("/api/") or f"{path}/".startswith("/api/admin/"):
        return True
    return (scope.get("method"), path) in _OPEN_TO_BANNED


def _response(scope: Scope, error: LastSpikeError) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    language = language_for(Headers.from_scope(scope).get("accept-language"))
    body = problem_body(error, language)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers += [(name.encode(), value.encode()) for name, value in headers_of(error).items()]
    return status_of(error), headers, body


async def _answer(scope: Scope, send: Send, error: LastSpikeError) -> None:
    status, headers, body = _response(scope, error)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse_socket(scope: WebSocketScope, send: Send, error: LastSpikeError) -> None:
    """Refuse before accepting, with the reason in an HTTP response if the server can send one."""
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": CLOSE_NOT_ALLOWED, "reason": ""})
        return
    status, headers, body = _response(scope, error)
    start: Any = {
        "type": "websocket.http.response.start",
        "status": status,
        "headers": headers,
    }
    ending: Any = {"type": "websocket.http.response.body", "body": body, "more_body": False}
    await send(start)
    await send(ending)
