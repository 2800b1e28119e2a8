"""A page without a server, as tests play it: its storage in memory, and a socket to a table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from lastspike.rules.records.shuffle import commitment
from lastspike.server.offline.backend import Backend
from tests.server.paper import secret_of

PATIENCE_S = 20
SECRET = secret_of("page")


class MemoryShelf:
    """What `web/js/local/shelf.js` does, without a browser. While `full`, nothing can be saved."""

    def __init__(self) -> None:
        self.log: dict[str, list[str]] = {}
        self.entries: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.full = False
        self.appended = asyncio.Event()

    async def tables(self) -> str:
        return f"[{','.join(self.entries.values())}]"

    async def steps(self, table: str) -> str:
        return f"[{','.join(self.log.get(table, []))}]"

    async def append(self, table: str, number: int, step: str, entry: str) -> bool:
        await asyncio.sleep(0)
        if self.full:
            raise OSError("quota exceeded")
        steps = self.log.setdefault(table, [])
        if number <= len(steps):
            return False
        steps.append(step)
        self.entries[table] = entry
        self.appended.set()
        return True

    async def value(self, key: str) -> str:
        return self.values.get(key, "")

    async def put(self, key: str, value: str) -> None:
        if self.full:
            raise OSError("quota exceeded")
        self.values[key] = value

    async def clear(self) -> None:
        self.log.clear()
        self.entries.clear()
        self.values.clear()


class Page:
    """`told` has the messages to each socket, `raw` their texts, and `closed` the codes of those
    that were closed."""

    def __init__(self, shelf: MemoryShelf) -> None:
        self.told: dict[int, list[dict[str, Any]]] = {}
        self.raw: dict[int, list[str]] = {}
        self.closed: dict[int, int] = {}
        self._news = asyncio.Event()
        self.backend = Backend(shelf, self._tell, self._close, "1")

    def _tell(self, socket: int, text: str) -> None:
        self.raw.setdefault(socket, []).append(text)
        self.told.setdefault(socket, []).append(json.loads(text))
        self._news.set()

    def _close(self, socket: int, code: int) -> None:
        self.closed[socket] = code
        self._news.set()

    async def until(self, found: Callable[[], Any]) -> Any:
        """What `found` finds, once it finds something."""
        async with asyncio.timeout(PATIENCE_S):
            while not (something := found()):
                self._news.clear()
                await self._news.wait()
        return something

    async def ask(self, method: str, path: str, body: Any = None, language: str = "en") -> Any:
        """The answer to a request that is not refused."""
        status, text = await self.backend.ask(method, path, json.dumps(body), language)
        assert status == 200, text
        return json.loads(text)

    async def refused(self, method: str, path: str, body: Any = None, language: str = "en") -> Any:
        """The status and the problem of a request that is."""
        status, text = await self.backend.ask(method, path, json.dumps(body), language)
        assert status != 200, text
        return status, json.loads(text)

    async def table(self, seats: list[str | None], **settings: Any) -> str:
        wanted = {"name": "Ada", "seats": seats, "settings": {"pace": 0, **settings}}
        made = await self.ask("POST", "api/tables/", wanted)
        return str(made["table"])


class Socket:
    """A socket of the page to a table, and the newest view that it was sent."""

    _number = 0

    def __init__(self, page: Page, table: str, language: str = "en") -> None:
        Socket._number += 1
        self.page = page
        self.number = Socket._number
        self._requests = 0
        page.told[self.number] = []
        page.backend.open(self.number, table)
        self.send(type="hello", protocol=1, language=language)

    @property
    def told(self) -> list[dict[str, Any]]:
        return self.page.told[self.number]

    @property
    def view(self) -> dict[str, Any] | None:
        return next((told["view"] for told in reversed(self.told) if told.get("view")), None)

    def send(self, **message: Any) -> None:
        self.page.backend.receive(self.number, json.dumps(message))

    async def ask(self, **message: Any) -> dict[str, Any]:
        """The answer to a request."""
        self._requests += 1
        mine = f"r{self._requests}"
        self.send(id=mine, **message)

        def answer() -> dict[str, Any] | None:
            return next((told for told in self.told if told.get("id") == mine), None)

        found: dict[str, Any] = await self.page.until(answer)
        return found

    async def begin(self) -> None:
        """Say that this browser is ready, and reveal its part of the shuffle."""
        await self.page.until(lambda: self.told)
        committed = commitment(SECRET).hex()
        assert (await self.ask(type="ready", round=1, commitment=committed))["type"] == "accepted"
        answer = await self.ask(type="reveal", round=1, secret=SECRET.hex())
        assert answer["type"] == "accepted"

    async def play(self, turns: int) -> None:
        """Play so many turns, or to the end of the game."""
        for _ in range(turns):
            view = await self.page.until(self._my_view)
            if view["phase"] == "over":
                return
            moves: list[str] = []
            legal, over = view["legal"], False
            while not over:
                moves.append(legal[0])
                ahead = await self.ask(type="preview", moves=moves)
                legal, over = ahead["legal"], ahead["turn_over"]
            answer = await self.ask(type="turn", turn=view["number"], moves=moves)
            assert answer["type"] == "accepted", answer

    def _my_view(self) -> dict[str, Any] | None:
        view = self.view
        mine = view is not None and (view["phase"] == "over" or view["turn"] == view["seat"])
        return view if mine else None
