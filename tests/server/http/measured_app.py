"""The app without a network, with all work counted that it does for a request on the event loop:
calls of functions, SQL statements, bytes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any, NamedTuple

from litestar import Litestar
from sqlalchemy import event
from sqlalchemy.engine import Engine


class Spent(NamedTuple):
    """`calls` are those of the thread of the event loop alone."""

    status: int
    answer: bytes
    calls: int
    statements: int
    headers: dict[str, str]
    cookies: list[str]
    """What is set, as it is sent."""

    @property
    def json(self) -> Any:
        return json.loads(self.answer)


class MeasuredApp:
    def __init__(self, app: Litestar) -> None:
        self._app = app
        self.cookie = ""

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Spent:
        """Send a request and count what it takes. Its cookie is kept."""
        sent = b"" if body is None else body if isinstance(body, bytes) else _encoded(body)
        path, _, query = path.partition("?")
        raw = {"host": "localhost", "content-length": str(len(sent)), **headers}
        if body is not None:
            raw["content-type"] = "application/json"
        if self.cookie:
            raw["cookie"] = self.cookie
        scope: Any = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in raw.items()],
            "client": ("192.0.2.1", 1),
            "server": ("localhost", 80),
            "state": {},
        }
        messages: list[Any] = []
        asked = False

        async def receive() -> Any:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()  # the client stays
            asked = True
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: Any) -> None:
            messages.append(message)

        with Counting() as counted:
            await self._app(scope, receive, send)
        start = next(each for each in messages if each["type"] == "http.response.start")
        told = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        cookies = [value.decode() for name, value in start["headers"] if name == b"set-cookie"]
        if cookies:
            self.cookie = cookies[0].partition(";")[0]
        answer = b"".join(each.get("body", b"") for each in messages if each is not start)
        return Spent(start["status"], answer, counted.calls, counted.statements, told, cookies)


class Counting:
    """Counts calls in this thread, of functions in Python and in C, and all statements."""

    def __init__(self) -> None:
        self.calls = 0
        self.statements = 0

    def __enter__(self) -> Counting:
        event.listen(Engine, "before_cursor_execute", self._on_statement)
        sys.setprofile(self._on_call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        event.remove(Engine, "before_cursor_execute", self._on_statement)

    def _on_call(self, _frame: FrameType, kind: str, _about: object) -> None:
        if kind in ("call", "c_call"):
            self.calls += 1

    def _on_statement(self, *_: object) -> None:
        self.statements += 1


def _encoded(body: Any) -> bytes:
    return json.dumps(body).encode()


@asynccontextmanager
async def measured(app: Litestar) -> AsyncIterator[MeasuredApp]:
    async with app.lifespan():
        yield MeasuredApp(app)
