"""The route of the WebSocket: one viewer at one table, from hello to the end."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, cast

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import without_others_cash
from lastspike.server.admin.bans import Banned
from lastspike.server.daily.tries import check_open
from lastspike.server.http.costs.messages import STEPS_PER_TOKEN
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.page.files import page_version
from lastspike.server.http.problems import problem_of, unexpected
from lastspike.server.http.services import FromServices, Services
from lastspike.server.live.connection import WRITE_AT_ONCE, Connection, Write
from lastspike.server.live.table import Answer, LiveTable
from lastspike.server.monitoring import metrics
from lastspike.server.people.sessions import Session, sent_sessions
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict, NotAllowed, TooMany
from lastspike.server.table.log_events import Draft
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState
from lastspike.server.table.text import clean_chat
from lastspike.server.table.views import encode, game_view, preview_for
from lastspike.words.events import Teller
from lastspike.words.hints import may_be_told, tell_reason
from lastspike.words.language import words_for
from lastspike.words.names import names_of

log = logging.getLogger(__name__)

HELLO_S = 30.0
"""How long a new socket may take to say hello."""
TRY_AGAIN_LATER = 1013
PATIENCE = 20
"""How many malformed messages a socket may send before it is closed."""

_decode = msgspec.json.Decoder(p.FromClient).decode
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
            message = _decode(await _receive(socket))
    except (TimeoutError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
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


class _Visit:
    """One viewer at a table."""

    __slots__ = (
        "caller",
        "connection",
        "hints",
        "malformed",
        "services",
        "session",
        "socket",
        "table",
    )

    def __init__(
        self,
        socket: AnySocket,
        services: Services,
        table: LiveTable,
        connection: Connection,
        session: Session | None = None,
    ) -> None:
        self.socket = socket
        self.caller = caller_key(socket.scope)
        self.services = services
        self.table = table
        self.connection = connection
        self.session = session
        self.malformed = 0
        self.hints: asyncio.Task[None] | None = None

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
                message = _decode(text)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                self._on_malformed(error)
                continue
            await self._handle(message)

    def _on_malformed(self, error: Exception) -> None:
        metrics.REFUSED.labels("not_understood").inc()
        self.malformed += 1
        if self.malformed > PATIENCE:
            raise _Close(p.CLOSE_BAD_MESSAGE, "too many messages that nobody understands")
        reason = "".join(c if c.isprintable() else " " for c in str(error))[:200]
        self._refuse(
            None, LastSpikeError("this message can’t be understood: {reason}", reason=reason)
        )

    async def _handle(self, message: p.FromClient) -> None:
        request = getattr(message, "id", None)
        try:
            await _HANDLERS[type(message)](self, message)
        except LastSpikeError as error:
            self._refuse(request, error)
        except (_Close, WebSocketDisconnect):
            raise
        except Exception as error:
            self._refuse(request, unexpected(error))

    def _push(self, message: p.ToClient) -> None:
        self.connection.push(encode(message))

    def _refuse(self, request: str | None, error: LastSpikeError) -> None:
        problem = problem_of(error, words_for(self.connection.language))
        if isinstance(error, commands.Stale):
            state = self.table.state
            view = game_view(state, self.connection.looking)
            self._push(p.Refused(problem, request, stale=True, turn=state.turn, view=view))
        else:
            self._push(p.Refused(problem, request))

    def _person(self) -> str:
        if self.connection.person is None:
            raise NotAllowed("tell us your name first")
        return self.connection.person

    async def _act(self, request: str, decide: Callable[[TableState, str], Draft | None]) -> None:
        person = self._person()
        answer = Answer(self.connection, request)
        number = await self.table.act(
            lambda state: decide(state, person), f"{person}:{request}", answer
        )
        if not answer.sent:
            self._push(p.Accepted(request, number))

    async def hello(self, _message: p.Hello) -> None:
        raise Conflict("you’ve already said hello")

    async def look(self, message: p.Look) -> None:
        if message.seat is not None and message.seat not in self.connection.seats:
            raise NotAllowed("this is not your seat")
        self.table.show_hand(self.connection, message.seat)

    async def preview(self, message: p.AskPreview) -> None:
        self._push(preview_for(self.table.state, self._seat(), message.id, message.moves))

    async def hint(self, message: p.AskHint) -> None:
        """Start a hint in the background; meanwhile other messages are served."""
        state = self.table.state
        if not state.settings.aids:
            raise NotAllowed("hints are off at this table")
        if state.daily is not None and state.daily.ranked:
            raise NotAllowed("there are no hints in a ranked try")
        if self.hints is not None and not self.hints.done():
            raise TooMany("one hint at a time")
        seat = self._seat()
        view = state.playing.view(seat)
        if not view.my_turn:
            raise NotAllowed("you can ask for a hint only on your own turn")
        preview_for(state, seat, message.id, message.moves)  # which says what is illegal
        self.hints = asyncio.get_running_loop().create_task(self._hint(message, view, state.turn))

    async def _hint(self, message: p.AskHint, view: Any, turn: int) -> None:
        try:
            hint = await self.services.player_pool.hint(
                without_others_cash(view),
                list(message.moves),
                who=self.connection.person or "",
                wanted=lambda: self._is_turn(turn, view.seat),
            )
        except LastSpikeError as error:
            self._refuse(message.id, error)
            return
        state = self.table.state
        if not self._is_turn(turn, view.seat):
            self._refuse(message.id, NotAllowed("you can ask for a hint only on your own turn"))
            return
        reasons = [reason for reason in hint.reasons if may_be_told(reason, view)]
        names = names_of(state.seats)
        teller = Teller(state.setup.edition, names, words_for(self.connection.language))
        self._push(
            p.Hinted(
                id=message.id,
                level=hint.level,
                moves=hint.moves,
                reasons=[_reason(reason) for reason in reasons],
                words=[line for reason in reasons for line in tell_reason(teller, reason)],
            )
        )

    def _is_turn(self, turn: int, seat: int | None) -> bool:
        """Whether it is still this turn, and the hand is not hidden again."""
        return self.table.state.turn == turn and self.connection.looking == seat

    def _seat(self) -> int:
        """The seat whose hand this viewer sees."""
        if self.table.state.game is None:
            raise Conflict("no game is being played here")
        if self.connection.looking is None:
            raise NotAllowed("look at your hand first")
        return self.connection.looking

    async def turn(self, message: p.CommitTurn) -> None:
        def decide(state: TableState, person: str) -> Draft:
            draft = commands.make_turn(state, person, message.turn, message.moves)
            if self.connection.looking != state.to_move():
                raise NotAllowed("look at your hand first")
            return draft

        await self._act(message.id, decide)

    async def say(self, message: p.Say) -> None:
        text = clean_chat(message.text)
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
        name = self.connection.name
        await self._act(message.id, lambda state, who: commands.say(state, who, name, text))

    async def ready(self, message: p.Ready) -> None:
        await self._act(
            message.id,
            lambda state, who: commands.ready(state, who, message.round, message.commitment),
        )

    async def not_ready(self, message: p.NotReady) -> None:
        await self._act(message.id, commands.not_ready)

    async def reveal(self, message: p.Reveal) -> None:
        secret = bytes.fromhex(message.secret)
        await self._act(
            message.id, lambda state, who: commands.reveal(state, who, message.round, secret)
        )

    async def come_back(self, message: p.Return) -> None:
        await self._act(message.id, commands.come_back)

    async def ping(self, message: p.Ping) -> None:
        if self.session is not None:
            self.session = await self.services.sessions.seen(self.session)
        self._push(p.Pong(message.id, now_ms()))


_HANDLERS: dict[type, Callable[[_Visit, Any], Awaitable[None]]] = {
    p.Hello: _Visit.hello,
    p.Look: _Visit.look,
    p.AskPreview: _Visit.preview,
    p.AskHint: _Visit.hint,
    p.CommitTurn: _Visit.turn,
    p.Say: _Visit.say,
    p.Ready: _Visit.ready,
    p.NotReady: _Visit.not_ready,
    p.Reveal: _Visit.reveal,
    p.Return: _Visit.come_back,
    p.Ping: _Visit.ping,
}


def _reason(reason: Any) -> dict[str, Any]:
    """A reason as JSON, its kind first."""
    return {"reason": type(reason).__name__, **reason._asdict()}
