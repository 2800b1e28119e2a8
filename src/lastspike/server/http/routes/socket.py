"""The route of the WebSocket: one viewer at one table, from hello to the end."""

from __future__ import annotations

import asyncio
import math
import secrets
from time import monotonic
from typing import Any, cast

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.admin.bans import Banned
from lastspike.server.daily.tries import check_open
from lastspike.server.http.costs.messages import STEPS_PER_TOKEN
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.page.files import page_version
from lastspike.server.http.services import FromServices, Services
from lastspike.server.live.connection import WRITE_AT_ONCE, Connection, Write
from lastspike.server.live.problems import problem_of
from lastspike.server.live.table import LiveTable
from lastspike.server.live.visit import NOT_UNDERSTOOD, Visit, decode
from lastspike.server.monitoring import metrics
from lastspike.server.people.sessions import Session, sent_sessions
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict, TooMany
from lastspike.server.table.views import encode
from lastspike.words.language import words_for

HELLO_S = 30.0
"""How long a new socket may take to say hello."""
TRY_AGAIN_LATER = 1013
PATIENCE = 20
"""How many malformed messages a socket may send before it is closed."""

AnySocket = WebSocket[Any, Any, Any]


@websocket("/api/tables/{table_id:str}/live")
async def live(socket: AnySocket, services: FromServices, table_id: FromPath[str]) -> None:
    """Accept, and serve until either side closes."""
    await socket.accept()
    code, reason = 1000, ""
    try:
        hello = await _hello(socket)
        words = words_for(hello.language)
        connection = Connection(
            secrets.token_urlsafe(9),
            None,
            "",
            hello.language,
            socket.send_data,
            caller_key(socket.scope),
            _writer(socket),
        )
        with services.open_sockets.opened(connection, sent_sessions(socket)):
            session = await services.sessions.current(socket)
            if session is not None:
                connection.person, connection.name = session.person
            try:
                services.bans.check(connection.person, connection.address)
            except Banned as banned:
                await socket.send_data(encode(p.Refused(problem_of(banned, words))).decode())
                raise _Close(p.CLOSE_BANNED) from None
            try:
                async with services.limits.served.place(connection.address):
                    table = await services.registry.table(table_id)
                check_open(table.state, connection.person)
            except StorageDown:
                raise
            except LastSpikeError as error:
                await socket.send_data(encode(p.Refused(problem_of(error, words))).decode())
                raise _Close(p.CLOSE_NO_TABLE) from None
            await _Visit(socket, services, table, connection, session).run(hello)
        code = p.CLOSE_RESTART if services.closing else connection.code
    except _Close as closing:
        code, reason = closing.code, closing.reason
    except StorageDown:  # don't say whether there is such a table: the client should retry
        code, reason = TRY_AGAIN_LATER, "the server can't read anything just now"
    except WebSocketDisconnect:
        return
    await _close(socket, code, reason)


class _Close(Exception):
    """The server closes the socket, for this reason."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


async def _close(socket: AnySocket, code: int, reason: str) -> None:
    """Close the socket, without waiting for a slow client."""
    try:
        async with asyncio.timeout(1):
            await socket.close(code, reason)
    except (TimeoutError, RuntimeError, WebSocketDisconnect):
        pass


async def _hello(socket: AnySocket) -> p.Hello:
    try:
        async with asyncio.timeout(HELLO_S):
            message = decode(await _receive(socket))
    except (TimeoutError, *NOT_UNDERSTOOD):
        raise _Close(p.CLOSE_BAD_MESSAGE, "hello comes first") from None
    if not isinstance(message, p.Hello):
        raise _Close(p.CLOSE_BAD_MESSAGE, "hello comes first")
    if message.protocol != p.PROTOCOL:
        raise _Close(p.CLOSE_PROTOCOL, f"this server speaks protocol {p.PROTOCOL}")
    return message


def _writer(socket: AnySocket) -> Write | None:
    """What sends a message at once, where the server offers it."""
    offered: Any = (socket.scope.get("extensions") or {}).get(WRITE_AT_ONCE)
    return None if offered is None else cast(Write, offered["write"])


async def _receive(socket: AnySocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="")
    text = message.get("text")
    if text is None:
        raise _Close(1003, "only text is understood")
    return str(text)


class _Visit(Visit):
    """A visit through a socket: with limits, bans and the person's session."""

    __slots__ = ("caller", "malformed", "services", "session", "socket")

    def __init__(
        self,
        socket: AnySocket,
        services: Services,
        table: LiveTable,
        connection: Connection,
        session: Session | None = None,
    ) -> None:
        super().__init__(table, connection, services.player_pool)
        self.socket = socket
        self.caller = caller_key(socket.scope)
        self.services = services
        self.session = session
        self.malformed = 0

    async def run(self, hello: p.Hello) -> None:
        """Serve until the viewer leaves, is dropped for being slow, or the server stops."""
        services, table, connection = self.services, self.table, self.connection
        self._charge(hello)
        if connection.person is not None:
            hidden = await services.storage.hidden_chat.of(connection.person, table.state.id)
            connection.hidden = frozenset(hidden)
        ended = connection.gone  # while the above was read
        if services.closing or ended:
            return
        task = asyncio.current_task()
        assert task is not None
        connection.when_gone = task.cancel
        try:
            most = services.config.limits.spectators_per_table
            try:
                async with services.limits.served.place(self.caller):
                    let_in = await table.connect(connection, hello.have, page_version(), most)
            except Conflict:  # it was unloaded in this moment
                raise _Close(TRY_AGAIN_LATER, "try again") from None
            if not let_in:
                raise _Close(p.CLOSE_TOO_MANY, "too many watch this table")
            if services.bans.of(connection.person, self.caller) is not None:  # since a moment ago
                raise _Close(p.CLOSE_BANNED)
            services.announcements.tell(connection)
            await services.presence.arrived(table, connection)
            if hello.sit and connection.person is not None:
                person = connection.person
                await table.act(lambda state: commands.come_back(state, person))
            await self._serve()
        except asyncio.CancelledError:
            if not connection.gone:
                raise
            task.uncancel()
            if connection.code == p.CLOSE_SLOW:
                metrics.SHED.inc()
        finally:
            connection.when_gone = None
            connection.gone = True
            if self.hints is not None:
                self.hints.cancel()
            table.disconnect(connection)
            if not services.closing:
                await services.presence.left(table, connection)

    def _charge(self, hello: p.Hello) -> None:
        """The longer the log that is told, the more requests it counts as."""
        number, have = self.table.state.number, hello.have or 0
        steps = number if have > number else number - have
        try:
            self.services.limits.charge(self.caller, steps // STEPS_PER_TOKEN)
        except TooMany:
            raise _Close(p.CLOSE_TOO_MANY, "too many requests") from None

    async def _serve(self) -> None:
        limit = self.services.limits.messages()
        while True:
            text = await _receive(self.socket)
            if not limit.take(monotonic()):
                metrics.REFUSED.labels("messages").inc()
                raise _Close(p.CLOSE_TOO_MANY, "too many messages")
            await self.services.limits.message_turns.turn(self.caller)
            try:
                message = decode(text)
            except NOT_UNDERSTOOD as error:
                self._on_malformed(error)
                continue
            await self.handle(message)

    def _on_malformed(self, error: Exception) -> None:
        metrics.REFUSED.labels("not_understood").inc()
        self.malformed += 1
        if self.malformed > PATIENCE:
            raise _Close(p.CLOSE_BAD_MESSAGE, "too many messages that nobody understands")
        self.not_understood(error)

    def _may_say(self) -> None:
        wait = self.services.limits.chats.take(self._person())
        if wait:
            raise TooMany(
                "you’re sending messages too fast; wait {seconds} s", seconds=math.ceil(wait)
            )
        if not self.connection.seats:
            wait = self.services.limits.spectator_chats.take(self.table.state.id)
            if wait:
                raise TooMany(
                    "spectators are sending too many messages; wait {seconds} s",
                    seconds=math.ceil(wait),
                )

    async def _seen(self) -> None:
        if self.session is not None:
            self.session = await self.services.sessions.seen(self.session)
