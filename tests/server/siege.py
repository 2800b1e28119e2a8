"""A game that strangers try to get into, and how they have to be refused."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from lastspike import protocol as p
from lastspike.client import Person, Table
from lastspike.client.playing import play_turn
from lastspike.server.storage import Storage

from .running import RunningServer
from .strangers import Answer, Line

INTERNAL = re.compile(
    r"Traceback|File \"|\.py\b|site-packages|sqlite|sqlalchemy|SELECT |INSERT |object at 0x"
    r"|lastspike\.|msgspec|litestar|asyncio|Exception|/tmp|/src/",
    re.IGNORECASE,
)


def sqlite_in(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'spike.db'}"


async def opened(database: str) -> Storage:
    storage = Storage(database)
    await storage.open()
    return storage


class Company:
    """A game of two people, with somebody who watches."""

    def __init__(self, server: RunningServer) -> None:
        self.url = server.url
        self.database = server.database_url
        self.pid = server.pid
        self.table_id = ""
        self.host = Person(server.url, "Host")
        self.guest = Person(server.url, "Guest")
        self.watcher = Person(server.url, "Watcher")
        self.tables: list[Table] = []
        self.ids: list[str] = []

    async def gather(self, stack: AsyncExitStack) -> None:
        for person in (self.host, self.guest, self.watcher):
            await stack.enter_async_context(person)
            self.ids.append((await person.introduce()).person)
        self.table_id = await self.host.create(["me", None], p.Settings(pace=0))
        await self.guest.take_seat(self.table_id)

    async def begin(self, stack: AsyncExitStack) -> None:
        for person in (self.host, self.guest):
            table = await stack.enter_async_context(person.watch(self.table_id))
            self.tables.append(table)
        await asyncio.gather(*(table.ready() for table in self.tables))
        for table in self.tables:
            await table.until(lambda table: table.view)

    @property
    def mover(self) -> Person:
        """The person whose turn it is."""
        return self.host if self.tables[0].to_move == 0 else self.guest

    @property
    def other(self) -> Person:
        return self.guest if self.mover is self.host else self.host

    @property
    def turn(self) -> int:
        return self.tables[0].turn_number

    def legal(self) -> str:
        """A tile that the mover can lay."""
        view = self.tables[self.tables[0].to_move or 0].view
        assert view is not None
        legal: str = view["legal"][0]
        return legal

    async def goes_on(self) -> None:
        """The next turn is made, as if nothing had happened."""
        turn = self.turn
        await play_turn(self.tables[self.tables[0].to_move or 0])
        for table in self.tables:
            await table.until(partial(is_past, turn))
            assert table.turn_number == turn + 1


def is_past(turn: int, table: Table) -> bool:
    return table.turn_number > turn


def refused(answer: Answer, status: int, words: str = "") -> None:
    """Over HTTP: with this status, clearly, and with the headers that everything carries."""
    assert answer.status == status, answer
    clear(answer.json)
    assert words in answer.json["message"].lower()
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert "default-src 'none'" in (answer.header("content-security-policy") or "")
    assert answer.cookie is None


def clear(problem: dict[str, Any]) -> None:
    """A sentence for people, and nothing of what is inside."""
    assert problem.keys() == {"message", "template", "facts", "rule", "code"}
    assert re.match(r"\S.{5,}", problem["message"])
    assert not INTERNAL.search(str(problem)), problem


async def says_no(
    line: Line, message: p.FromClient | dict[str, Any], words: str = "", rule: str | None = None
) -> dict[str, Any]:
    """Over a socket."""
    answer = await line.refused(message)
    clear(answer["problem"])
    assert words in answer["problem"]["message"].lower(), answer
    assert rule is None or answer["problem"]["rule"] == rule
    return answer
