"""Floods: what one address can send so that others wait. Each says what it got through.

`python -m tests.server.floods.attacks URL SECONDS` sends all of them at once, over and over for so
long but at least once, and prints what they got as JSON. It is a process of its own, so that it
takes no time from those who measure, and everything comes from an address of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from lastspike import protocol as p
from lastspike.client import LostError, Person, RefusedError
from lastspike.rules.editions.shipped import shipped
from tests.server.strangers import Answer, Line, ask, line

SOURCE = "127.0.0.66"
"""Who floods. All of 127.0.0.0/8 is this machine; others come from 127.0.0.1."""
RECORD = Path(__file__).parents[2] / "conformance/036-double-empty-pool-n4-shuffle-standard.json"
EDITIONS, EDITION_BYTES = 12, 25_000
LOOPS = 8
"""Tables of Tycoons that their only person leaves."""
ASKING, TALKING, LINES = 30, 35, 3
REVIEWS, RECORDS, FILES = 4, 2, 4
PINGS = 5_000
SLOW_HEADS, SLOW_BODIES = 40, 8
CONNECTIONS = 480
PACKETS = 3
BURST = 60
PING = bytes([0x89, 0x80 | 125]) + bytes(4) + b"x" * 125
EMPTY = bytes([0x00, 0x80, 0, 0, 0, 0])
GONE = (ConnectionClosed, InvalidHandshake, LostError, RefusedError, OSError, EOFError)


class FromSource(asyncio.SelectorEventLoop):
    """An event loop whose connections all come from `SOURCE`."""

    async def create_connection(self, *given: Any, **more: Any) -> Any:
        more["local_addr"] = SOURCE, 0
        return await super().create_connection(*given, **more)


class Floods:
    """All floods against the server at `url`; `got` counts what was let through and refused."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.got: Counter[str] = Counter()
        self._persons: list[Person] = []
        self._stack = AsyncExitStack()
        self._rounds = 0

    async def run(self, seconds: float) -> None:
        async with self._stack:
            until = time.monotonic() + seconds
            await self._gather()
            while self._rounds == 0 or time.monotonic() < until:
                self._rounds += 1
                await asyncio.gather(*(self._once(flood) for flood in self._all()))
                await self._once(self.connections)  # last: nothing else gets in meanwhile
                if seconds:
                    await self._once(self.bursts)
            self.got["rounds"] = self._rounds

    def _all(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            self.settings,
            self.frames,
            self.hints,
            self.tycoons,
            self.reviews,
            self.parsing,
            self.chat,
            self.alerts,
            self.slow,
            self.packets,
        ]

    async def _once(self, flood: Callable[[], Awaitable[None]]) -> None:
        """One that is cut off, such as by a limit that another has used up, begins again."""
        began = time.monotonic()
        try:
            await flood()
            print(f"{flood.__name__}: {time.monotonic() - began:.1f} s", file=sys.stderr)
        except GONE as refused:
            self.got[f"{flood.__name__}: {type(refused).__name__}"] += 1
            await asyncio.sleep(1)

    async def _gather(self) -> None:
        for number in range(TALKING):
            person = await self._stack.enter_async_context(Person(self.url, f"Eve {number}"))
            await person.introduce()
            self._persons.append(person)
        self._host = self._persons[0]
        self._table = await self._host.create(["me", None], p.Settings(pace=0))

    async def _post(self, path: str, body: Any, method: str = "POST") -> Answer:
        answer = await ask(self.url, method, path, body, cookie=self._host.secret)
        self.got[f"{path.split('/')[2]} {answer.status}"] += 1
        return answer

    # ---- the floods -------------------------------------------------------------------------

    async def settings(self) -> None:
        """A host who keeps changing an edition; everybody who comes is told of it."""
        figures = {**shipped().to_figures(), "comment": "x" * EDITION_BYTES}
        for number in range(EDITIONS):
            edition = {**figures, "id": f"e{self._rounds}-{number}"}
            path = f"/api/tables/{self._table}/settings"
            answer = await self._post(path, {"settings": {"figures": edition}}, "PATCH")
            self.got["editions kept"] += answer.status == 200
        async with line(self.url, self._table, hello=False) as here:
            await here.send(p.Hello(p.PROTOCOL))
            welcome = await here.hear("welcome")
            told = sum("settings_changed" in json.dumps(step) for step in welcome["steps"])
            self.got["changes told"] = max(self.got["changes told"], told)

    async def frames(self) -> None:
        """Pings and empty fragments as fast as they go, of somebody who reads no answer."""
        for flood in (PING * PINGS, b"\x01\x80\0\0\0\0" + EMPTY * PINGS):
            async with line(self.url, self._table) as here:
                here.socket.transport.pause_reading()
                for start in range(0, len(flood), 65536):
                    here.socket.transport.write(flood[start : start + 65536])
                    await asyncio.sleep(0)
                here.socket.transport.resume_reading()
                code, _ = await here.closed()
                self.got[f"frames closed with {code}"] += 1

    async def hints(self) -> None:
        """One person with many sockets, each of which wants to know what Tycoon would do."""
        table_id = await self._playing("me", "greenhorn")
        async with AsyncExitStack() as stack:
            come = [line(self.url, table_id, self._host.secret) for _ in range(ASKING)]
            lines = [await stack.enter_async_context(each) for each in come]
            await asyncio.gather(*(each.send(p.AskHint("h")) for each in lines))
            for each in lines:
                told = await each.hear("hinted", "refused")
                self.got[f"hints {told['type']}"] += 1
        await self._host.leave(table_id, for_good=True)

    async def tycoons(self) -> None:
        """Tables of Tycoons which their only person leaves."""
        for _ in range(LOOPS):
            table_id = await self._playing("me", "tycoon", "tycoon", "tycoon")
            await self._host.leave(table_id, for_good=True)
            self.got["tables left"] += 1

    async def reviews(self) -> None:
        """The same game, again and again with another key that nobody knows."""
        jobs = set()
        record = json.loads(RECORD.read_text("utf-8"))
        for number in range(REVIEWS):
            body = {"record": {**record, f"key{self._rounds}-{number}": number}}
            answer = await self._post("/api/records/review", body)
            if answer.status < 300:
                jobs.add(answer.json.get("job"))
        self.got["reviews begun"] = max(self.got["reviews begun"], len(jobs))

    async def parsing(self) -> None:
        """Records with thousands of cities, and files of deep keys."""
        record = json.loads(RECORD.read_text("utf-8"))
        city = {"code": "", "name": "x", "land": [0, 1, 1, 1, 1], "payouts": [0] * 5}
        cities = [{**city, "code": f"Q{number}"} for number in range(550)]
        figures = {**shipped().to_figures(), "id": "huge", "cities": cities}
        for number in range(RECORDS):
            await self._post("/api/records", {**record, "figures": figures, "n": number})
        for number in range(FILES):
            text = f"n = {number}\n" + ".".join("a" * 9_000) + " = 1"
            answer = await self._post("/api/editions/check", {"toml": text})
            problem = answer.json.get("problem") or {}
            self.got["deep keys refused"] += "dots" in str(problem)

    async def chat(self) -> None:
        """A hundred spectators would fill the chat."""
        async with AsyncExitStack() as stack:
            come = [line(self.url, self._table, each.secret) for each in self._persons]
            lines = [await stack.enter_async_context(each) for each in come]
            await asyncio.gather(*(self._talks(each) for each in lines))

    async def _talks(self, here: Line) -> None:
        for number in range(LINES):
            await here.send(p.Say(f"s{self._rounds}-{number}", "x" * 300))
        for _ in range(LINES):
            told = await here.hear("accepted", "refused")
            self.got[f"lines {told['type']}"] += 1
        here.socket.transport.abort()  # unread, with all that others say

    async def alerts(self) -> None:
        """Names that nobody answers for, looked up for one person."""

        async def add(number: int) -> None:
            answer = await self._post("/api/webhooks", {"url": f"https://never{number}.example/"})
            self.got["names refused at once"] += answer.status == 429

        await asyncio.gather(*(add(number) for number in range(4)))

    async def slow(self) -> None:
        """Heads and bodies that never end."""
        head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        body = head[:-3].replace(b"GET /", b"POST /api/me")
        body += b"Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
        begun = [head] * SLOW_HEADS + [body] * SLOW_BODIES
        await asyncio.gather(*(self._trickle(each) for each in begun))

    async def _trickle(self, begun: bytes) -> None:
        reader, writer = await self._open()
        ended = asyncio.ensure_future(reader.read())
        try:
            writer.write(begun)
            while not ended.done():
                with suppress(OSError):
                    writer.write(b"x")
                await asyncio.wait([ended], timeout=0.5)
            self.got["slow requests ended"] += 1
        finally:
            ended.cancel()
            writer.close()

    async def packets(self) -> None:
        """Thousands of requests in one packet, of somebody who reads no answer."""
        for _ in range(PACKETS):
            reader, writer = await self._open()
            writer.write(b"GET / HTTP/1.1\r\n\r\n" * 3_600)
            with suppress(OSError):
                await reader.read()
            self.got["packets refused"] += 1
            writer.close()

    async def connections(self) -> None:
        """As many as there are, that say nothing."""
        opened = await asyncio.gather(*(self._open() for _ in range(CONNECTIONS)))
        ended = [asyncio.ensure_future(reader.read(64)) for reader, _ in opened]
        try:
            await asyncio.wait(ended, timeout=1)
            told = [each.result() for each in ended if each.done()]
            self.got["connections refused"] += sum(b" 429 " in each for each in told)
        finally:
            for each, (_, writer) in zip(ended, opened, strict=True):
                each.cancel()
                writer.close()
            await asyncio.gather(*ended, return_exceptions=True)

    async def bursts(self) -> None:
        """Requests, frames and messages of many sockets, all in the same moment."""
        table_id = await self._playing("me", "greenhorn")
        async with AsyncExitStack() as stack:
            come = [line(self.url, table_id, self._host.secret) for _ in range(BURST)]
            lines = [await stack.enter_async_context(each) for each in come]
            opened = [await self._open() for _ in range(BURST)]
            for each in lines:
                each.socket.transport.write(b"\x89\x80\0\0\0\0" * 590)
            await asyncio.gather(*(self._previews(each) for each in lines))
            for _, writer in opened:
                writer.write(f"GET /api/tables/{self._table} HTTP/1.1\r\n".encode())
                writer.write(b"Host: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
            for reader, writer in opened:
                self.got["requests of bursts"] += bool(await reader.read(64))
                writer.close()
        await self._host.leave(table_id, for_good=True)

    async def _previews(self, here: Line) -> None:
        for number in range(55):
            await here.send(p.AskPreview(f"p{number}", ["A1"]))
        for _ in range(55):
            await here.hear("previewed", "refused")
            self.got["messages of bursts"] += 1
        here.socket.transport.abort()

    # ---- what they need ---------------------------------------------------------------------

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, _, port = self.url.removeprefix("http://").partition(":")
        return await asyncio.open_connection(host, int(port))

    async def _playing(self, *seats: str) -> str:
        """A table at which the game has begun, and it is the person's turn."""
        table_id = await self._host.create(seats, p.Settings(pace=0))
        async with self._host.watch(table_id) as table:
            await table.ready()
            await table.until(lambda table: table.my_turn or table.over, 60)
        return table_id


async def main(url: str, seconds: float) -> None:
    floods = Floods(url)
    await floods.run(seconds)
    print(json.dumps(floods.got, sort_keys=True))


if __name__ == "__main__":
    os.nice(10)
    with asyncio.Runner(loop_factory=FromSource) as runner:
        runner.run(main(sys.argv[1], float(sys.argv[2])))
