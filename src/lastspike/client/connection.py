"""The line to a table: a WebSocket that reconnects and repeats open requests.

Requests have ids, so that the server runs each once however often it is sent.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from lastspike import protocol as p

from .errors import LostError, RefusedError

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
CLOSE_S = 2.0
LARGEST_MESSAGE = 64 * 1024 * 1024
"""A welcome holds the whole log of a table."""

FOR_GOOD = frozenset(
    {
        p.CLOSE_BAD_MESSAGE,
        p.CLOSE_TOO_MANY,
        p.CLOSE_NO_TABLE,
        p.CLOSE_PROTOCOL,
        p.CLOSE_NOT_ALLOWED,
        p.CLOSE_GONE,
        p.CLOSE_LOGGED_OUT,
        p.CLOSE_BANNED,
    }
)
"""Codes after which the line does not reconnect."""

Answer = p.Accepted | p.Previewed | p.Hinted | p.Pong
Question = (
    p.AskPreview
    | p.AskHint
    | p.CommitTurn
    | p.Say
    | p.Ready
    | p.NotReady
    | p.Reveal
    | p.Return
    | p.Ping
)

_decode = msgspec.json.Decoder(p.ToClient).decode
_encode = msgspec.json.Encoder().encode


class Listener(Protocol):
    """The user of a line."""

    def hello(self) -> p.Hello:
        """The first message of a new connection."""

    def take(self, message: p.ToClient) -> None:
        """Handle a message, including the answers to requests."""

    def again(self) -> Sequence[p.FromClient]:
        """Messages to send after a reconnection's welcome, before open requests."""

    def ended(self) -> None:
        """The line is closed for good."""


class _Waiting:
    """An open request; the messages of `before` are sent with it."""

    __slots__ = ("answer", "before", "question")

    def __init__(self, question: Question, before: tuple[p.FromClient, ...]) -> None:
        self.question = question
        self.before = before
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()


class Line:
    """`lost` is why the line has ended; None while it is open or reconnecting."""

    def __init__(self, url: str, headers: Callable[[], dict[str, str]], listener: Listener) -> None:
        self.lost: LostError | None = None
        self.connections = 0
        """The number of successful connections."""
        self._url = url
        self._headers = headers
        self._listener = listener
        self._socket: ClientConnection | None = None
        self._sending = asyncio.Lock()
        self._waiting: dict[str, _Waiting] = {}
        self._refusal: p.Problem | None = None
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to connect; the listener receives the welcome."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        self._end(LostError("this line is closed"))
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def drop(self) -> None:
        """Break the connection as a bad network would; the line reconnects."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def ask(self, question: Question, *before: p.FromClient) -> Answer:
        """The answer, after reconnecting if necessary. `RefusedError` if the server refuses,
        `LostError` if the line ends."""
        if self.lost is not None:
            raise self.lost
        waiting = _Waiting(question, before)
        self._waiting[question.id] = waiting
        try:
            async with self._sending:
                if self._socket is not None:
                    await self._send(self._socket, *before, question)
            return await waiting.answer
        finally:
            self._waiting.pop(question.id, None)

    async def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while self.lost is None:
            before = self.connections
            try:
                code, reason = await self._connect()
                if code in FOR_GOOD:
                    self._end(LostError(reason or f"closed with {code}", code, self._refusal))
                    return
            except InvalidStatus as error:
                if not self._is_temporary(error.response.status_code):
                    self._end(_rejected(error))
                    return
            except msgspec.MsgspecError as error:
                self._end(LostError(f"the server sends what can't be understood: {error}"))
                return
            except (OSError, InvalidHandshake, TimeoutError):
                pass  # the server may be restarting
            if self.connections > before:
                pause = FIRST_PAUSE_S
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _is_temporary(self, status: int) -> bool:
        """Whether a retry may work. A server with too many connections from here may still count
        the one just lost."""
        return status >= 500 or (status == 429 and self.connections > 0)

    async def _connect(self) -> tuple[int | None, str | None]:
        """Connect, and handle messages until the end; returns the close code and reason."""
        async with connect(
            self._url,
            additional_headers=self._headers(),
            compression=None,
            close_timeout=CLOSE_S,
            max_size=LARGEST_MESSAGE,
            user_agent_header=None,
        ) as socket:
            try:
                await socket.send(_text(self._listener.hello()))
                async for text in socket:
                    message = _decode(text)
                    self._take(message)
                    if isinstance(message, p.Welcome):
                        await self._resume(socket)
            except ConnectionClosed:
                pass
            finally:
                self._socket = None
            return socket.close_code, socket.close_reason

    async def _resume(self, socket: ClientConnection) -> None:
        async with self._sending:
            self._socket = socket
            again = self._listener.again() if self.connections else ()
            self.connections += 1
            open_requests = list(self._waiting.values())
            repeated = [each for one in open_requests for each in (*one.before, one.question)]
            await self._send(socket, *again, *repeated)

    def _take(self, message: p.ToClient) -> None:
        if isinstance(message, p.Refused):
            self._refused(message)
        self._listener.take(message)
        if isinstance(message, Answer):
            waiting = self._waiting.get(message.id)
            if waiting is not None and not waiting.answer.done():
                waiting.answer.set_result(message)

    def _refused(self, message: p.Refused) -> None:
        self._refusal = message.problem
        refused = RefusedError(
            message.problem, stale=message.stale, turn=message.turn, view=message.view
        )
        if message.id is None:  # the message had no id, so it was one of `before`
            waiting = next((one for one in self._waiting.values() if one.before), None)
        else:
            waiting = self._waiting.get(message.id)
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_exception(refused)

    async def _send(self, socket: ClientConnection, *messages: p.FromClient) -> None:
        """Send messages; `_resume` repeats those that get lost."""
        with suppress(ConnectionClosed):
            for message in messages:
                await socket.send(_text(message))

    def _end(self, lost: LostError) -> None:
        if self.lost is not None:
            return
        self.lost = lost
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(lost)
        self._listener.ended()


def _text(message: p.FromClient) -> str:
    return _encode(message).decode()


def _rejected(error: InvalidStatus) -> LostError:
    try:
        problem = msgspec.json.decode(error.response.body or b"", type=p.Problem)
    except msgspec.MsgspecError:
        problem = None
    return LostError(f"not let in: {error.response.status_code}", None, problem)
