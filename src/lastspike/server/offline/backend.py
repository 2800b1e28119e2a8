"""The entry for the page's worker: requests and sockets, as on a server, in one browser."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import NoReturn

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.live.connection import Connection
from lastspike.server.live.problems import problem_of
from lastspike.server.live.registry import TableRegistry
from lastspike.server.live.scheduler import Scheduler
from lastspike.server.live.visit import NOT_UNDERSTOOD, Visit, decode
from lastspike.server.table import commands
from lastspike.server.table.views import encode
from lastspike.words.language import words_for

from .players import LocalPlayers
from .requests import Answer, Requests
from .store import LocalStore, Shelf

log = logging.getLogger(__name__)

TRY_AGAIN_LATER = 1013

Send = Callable[[int, str], object]
Closed = Callable[[int, int], object]


class Backend:
    """`send` passes a message to a socket of the page, `closed` closes it with a code. `version` is
    that of the page."""

    def __init__(self, shelf: Shelf, send: Send, closed: Closed, version: str) -> None:
        self._send = send
        self._closed = closed
        self._version = version
        self._store = LocalStore(shelf)
        self._players = LocalPlayers()
        self._registry = TableRegistry(self._store)
        self._scheduler = Scheduler(self._registry, self._store, self._players, "browser")
        self._registry.watch(self._scheduler)
        self._requests = Requests(self._store, self._registry, self._players, version)
        self._sockets: dict[int, tuple[asyncio.Queue[str], asyncio.Task[None]]] = {}

    async def start(self) -> None:
        """Read what is stored; games that wait for a computer player go on."""
        await self._store.load()
        await self._scheduler.start()

    async def stop(self) -> None:
        for socket in list(self._sockets):
            self.close(socket)
        await self._scheduler.close()

    async def ask(self, method: str, path: str, body: str, language: str) -> Answer:
        return await self._requests.answer(method, path, body, language)

    def open(self, socket: int, table_id: str) -> None:
        """The page opens a socket to a table, under a number of its choice."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        task = asyncio.ensure_future(self._serve(socket, table_id, queue))
        self._sockets[socket] = queue, task

    def receive(self, socket: int, text: str) -> None:
        """The page sends a message. Those of a socket are handled one after the other."""
        if socket in self._sockets:
            self._sockets[socket][0].put_nowait(text)

    def close(self, socket: int) -> None:
        """The page has closed the socket."""
        _, task = self._sockets.pop(socket, (None, None))
        if task is not None:
            task.cancel()

    async def _serve(self, socket: int, table_id: str, queue: asyncio.Queue[str]) -> None:
        code = 1000
        try:
            code = await self._visit(socket, table_id, queue)
        except Exception:  # such as a full disk: the page tries again
            log.exception("a table can't be shown")
            code = TRY_AGAIN_LATER
        finally:
            if self._sockets.pop(socket, None) is not None:
                self._closed(socket, code)

    async def _visit(self, socket: int, table_id: str, queue: asyncio.Queue[str]) -> int:
        """Serve a viewer; returns the code to close with."""
        try:
            hello = decode(await queue.get())
        except NOT_UNDERSTOOD:
            return p.CLOSE_BAD_MESSAGE
        if not isinstance(hello, p.Hello):
            return p.CLOSE_BAD_MESSAGE
        if hello.protocol != p.PROTOCOL:
            return p.CLOSE_PROTOCOL
        if table_id not in self._store.logs.entries:
            words = words_for(hello.language)
            missing = problem_of(LastSpikeError("there is no such table"), words)
            self._send(socket, encode(p.Refused(missing)).decode())
            return p.CLOSE_NO_TABLE
        connection = self._connection(socket, hello)
        table = await self._registry.table(table_id)
        visit = Visit(table, connection, self._players)
        task = asyncio.current_task()
        assert task is not None
        connection.when_gone = task.cancel
        try:
            await table.connect(connection, hello.have, self._version)
            if hello.sit and (person := connection.person) is not None:
                await table.act(lambda state: commands.come_back(state, person))
            await self._handle_all(visit, queue)
        except asyncio.CancelledError:
            if not connection.gone:  # the page has closed the socket
                raise
            task.uncancel()
            return connection.code
        finally:
            connection.when_gone = None
            connection.gone = True
            if visit.hints is not None:
                visit.hints.cancel()
            table.disconnect(connection)

    def _connection(self, socket: int, hello: p.Hello) -> Connection:
        person = self._store.person

        def write(*messages: bytes) -> bool:
            for message in messages:
                self._send(socket, message.decode())
            return True

        async def send(text: str) -> None:
            self._send(socket, text)

        known, name = (None, "") if person is None else person
        connection_id = secrets.token_urlsafe(9)
        return Connection(connection_id, known, name, hello.language, send, write=write)

    async def _handle_all(self, visit: Visit, queue: asyncio.Queue[str]) -> NoReturn:
        """Handle messages until the viewer leaves or is dropped."""
        while True:
            try:
                message = decode(await queue.get())
            except NOT_UNDERSTOOD as error:
                visit.not_understood(error)
            else:
                await visit.handle(message)
