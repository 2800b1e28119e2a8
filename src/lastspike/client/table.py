"""A live table as a client sees it, kept up to date by news."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self, TypeVar

from msgspec import UNSET

from lastspike import protocol as p

from .connection import Line
from .errors import ClientError, RefusedError
from .shuffle import Contribution

T = TypeVar("T")

AGAIN_S = 1.0
"""Pause before a refused message of the shuffle is repeated."""

PATIENCE_S = 30.0
"""Default timeout."""


class Table:
    """A context manager: inside it the line to the table is open, and reconnects when it is lost.

    `info`, `you`, `clock`, `presence` and `announcements` are the latest from the server. `view` is
    the game as JSON, None before it starts, with the hand of the seat `looking`. `steps` are all
    steps so far, `number` is that of the last. Treat them all as read-only.
    """

    info: p.TableInfo
    you: p.You

    def __init__(
        self,
        url: str,
        headers: Callable[[], dict[str, str]],
        *,
        sit: bool = True,
        have: int | None = None,
        language: p.Language = "en",
        patience: float = PATIENCE_S,
    ) -> None:
        self.clock: p.ClockInfo | None = None
        self.presence: p.Presence | None = None
        self.announcements: list[p.Announcement] = []
        self.view: dict[str, Any] | None = None
        self.looking: int | None = None
        self.steps: list[p.Step] = []
        self.number = have or 0
        self.version = ""
        self.contribution = Contribution()
        self._have = have
        self._sit = sit
        self._language = language
        self._patience = patience
        self._line = Line(url, headers, self)
        self._lost_at = 0
        self._looked: int | None = None
        self._keep_ready = False
        self._getting_ready = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Self:
        """Returns after the server's welcome. `LostError` if it rejects us, `TimeoutError` if it
        can't be reached."""
        self._line.open()
        try:
            await self.until(lambda _: self._line.connections > 0, self._patience)
        except BaseException:
            await self._line.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._line.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- state ------------------------------------------------------------------------------

    @property
    def turn_number(self) -> int:
        """The number of the current turn; 0 before the game."""
        return 0 if self.view is None else int(self.view["number"])

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is in a running game."""
        if self.view is None or self.info.status != "playing":
            return None
        seat: int | None = self.view["turn"]
        return seat

    @property
    def my_turn(self) -> bool:
        """Whether it is the turn of a seat of mine that no computer plays for me."""
        seat = self.to_move
        return seat is not None and seat in self.you.seats and self.info.seats[seat].level is None

    @property
    def over(self) -> bool:
        """Whether the game is over or the table is closed."""
        finished = self.view is not None and self.view["phase"] == "over"
        return finished or self.info.status in ("over", "closed")

    @property
    def connections(self) -> int:
        """The number of connections so far, more than 1 after a reconnection."""
        return self._line.connections

    async def until(
        self, condition: Callable[[Table], object], timeout: float | None = PATIENCE_S
    ) -> None:
        """Wait until the condition holds; it is checked after each message.

        `TimeoutError` if it takes longer, `LostError` if the line ends first.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not condition(self):
            if self._line.lost is not None:
                raise self._line.lost
            try:
                async with asyncio.timeout(deadline and max(0.0, deadline - time.monotonic())):
                    await self._change()
            except TimeoutError:
                raise TimeoutError(f"waited {timeout} s in vain; {self._situation()}") from None

    async def news(self, after: int | None = None) -> AsyncIterator[p.Step]:
        """The steps after this number as they arrive, by default only new ones, until the line
        ends."""
        last = self.number if after is None else after
        while True:
            index = len(self.steps)
            while index and self.steps[index - 1].number > last:
                index -= 1
            for step in self.steps[index:]:
                last = step.number
                yield step
            if self.number <= last:
                if self._line.lost is not None:
                    return
                await self._change()

    # ---- actions ----------------------------------------------------------------------------

    async def ready(self, *, again: bool = True) -> None:
        """Get ready, and commit to my part of the shuffle, which is revealed automatically when
        everybody is ready. `again` repeats this when the table changes or a round fails."""
        await self._ready()
        self._keep_ready = again
        self._advance_shuffle()

    async def not_ready(self) -> None:
        self._keep_ready = False
        await self.ask(p.NotReady(_new_id()))

    async def look(self, seat: int | None) -> None:
        """Show the hand of this seat of mine, or none; on return `view` has it."""
        # The answer is a view or nothing, so a ping tells when it is done.
        await self._line.ask(p.Ping(_new_id()), p.Look(seat))
        self.looking = seat

    async def preview(self, moves: Sequence[str]) -> p.Previewed:
        """The result of these moves, the beginning of my turn or all of it."""
        answer = await self._line.ask(p.AskPreview(_new_id(), list(moves)))
        return _of_kind(answer, p.Previewed)

    async def hint(self, moves: Sequence[str] = ()) -> p.Hinted:
        """What a good computer player would do after these moves of my turn."""
        answer = await self._line.ask(p.AskHint(_new_id(), list(moves)))
        return _of_kind(answer, p.Hinted)

    async def turn(self, moves: Sequence[str], number: int | None = None) -> int:
        """Make the whole turn with this number, by default the current one, exactly once. Returns
        the number of its step when it is stored."""
        turn = self.turn_number if number is None else number
        return await self.ask(p.CommitTurn(_new_id(), turn, list(moves)))

    async def say(self, text: str) -> int:
        return await self.ask(p.Say(_new_id(), text))

    async def come_back(self) -> int:
        """Take back the seats that a computer plays for me."""
        return await self.ask(p.Return(_new_id()))

    async def ping(self) -> float:
        """Seconds to the server and back."""
        began = time.perf_counter()
        await self._line.ask(p.Ping(_new_id()))
        return time.perf_counter() - began

    async def ask(
        self, message: p.CommitTurn | p.Say | p.Ready | p.NotReady | p.Reveal | p.Return
    ) -> int:
        """Send a request with its own id; a repeated id is not run again. Returns the number of its
        step."""
        return _of_kind(await self._line.ask(message), p.Accepted).number

    async def drop(self) -> None:
        """Break the connection as a bad network would; it reconnects."""
        await self._line.drop()

    def check_shuffle(self, record: Mapping[str, Any]) -> bool:
        """Whether the record of this game has the server's commitment from before the game, its
        seed, and my part."""
        return self.contribution.is_in(record, self.info.shuffle.round)

    # ---- the line's listener ----------------------------------------------------------------

    def hello(self) -> p.Hello:
        return p.Hello(p.PROTOCOL, self._have, self._sit, self._language)

    def take(self, message: p.ToClient) -> None:
        match message:
            case p.Welcome():
                self._welcome(message)
            case p.News():
                self._news(message)
            case p.CurrentView():
                self.looking, self.view = message.looking, message.view
            case p.Presence():
                self.presence = message
            case p.Announced():
                self.announcements = message.announcements
            case p.Refused(view=view) if view is not None:
                self.view = view
        self._wake()

    def again(self) -> Sequence[p.FromClient]:
        """Show the same hand again, unless its turn has ended."""
        if self._lost_at != self.turn_number or self._looked is None or len(self.you.seats) < 2:
            return ()
        return (p.Look(self._looked),)

    def ended(self) -> None:
        self._wake()

    def _welcome(self, message: p.Welcome) -> None:
        self._lost_at, self._looked = self.turn_number, self.looking
        self.version = message.version
        self.announcements = []  # those that hold come next
        self.you = message.you
        self.looking, self.view = message.looking, message.view
        self.clock = message.clock
        if message.steps and message.steps[0].number <= self.number:
            self.steps = []  # the server sends everything again
        self._steps(message.steps)
        self._info(message.table)

    def _news(self, message: p.News) -> None:
        if message.you is not UNSET:
            self.you = message.you
        if message.looking is not UNSET:
            self.looking = message.looking
        if message.view is not UNSET:
            self.view = message.view
        if message.clock is not UNSET:
            self.clock = message.clock
        self._steps(message.steps)
        if message.table is not UNSET:
            self._info(message.table)

    def _steps(self, steps: Sequence[p.Step]) -> None:
        self.steps += steps
        if steps:
            self.number = self._have = steps[-1].number

    def _info(self, info: p.TableInfo) -> None:
        self.info = info
        self.contribution.watch(info)
        self._advance_shuffle()

    # ---- the shuffle ------------------------------------------------------------------------

    async def _ready(self) -> None:
        committed = self.contribution.commit()
        self._getting_ready = True
        try:
            await self.ask(p.Ready(_new_id(), self.info.shuffle.round, committed))
        finally:
            self._getting_ready = False

    def _advance_shuffle(self) -> None:
        """Get ready again if necessary, and reveal a requested secret."""
        info = self.info
        if info.status != "waiting" or not self.you.seats:
            return
        seat = min(self.you.seats)
        secret = self.contribution.asked(info, seat)
        if secret is not None:
            reveal = p.Reveal(_new_id(), info.shuffle.round, secret.hex())
            self._spawn(self._for_shuffle(self.ask(reveal)))
        elif self._keep_ready and not self._getting_ready and not info.seats[seat].ready:
            self._spawn(self._ready_again(info))

    async def _ready_again(self, info: p.TableInfo) -> None:
        await self._for_shuffle(self._ready())
        if self.info is not info:
            self._advance_shuffle()

    async def _for_shuffle(self, work: Awaitable[object]) -> None:
        """After a refusal, try again in a moment: the table has changed, or the server could not
        store it."""
        try:
            await work
        except RefusedError:
            await asyncio.sleep(AGAIN_S)
            self._advance_shuffle()

    # ---- helpers ----------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        async def quietly() -> None:
            with suppress(ClientError):  # the news shows the outcome
                await work

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _change(self) -> None:
        """Returns after the next message."""
        if self._changed is None:
            self._changed = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._changed)

    def _wake(self) -> None:
        changed, self._changed = self._changed, None
        if changed is not None and not changed.done():
            changed.set_result(None)

    def _situation(self) -> str:
        if not self._line.connections:
            return "the server can't be reached"
        return f"the table is {self.info.status}, step {self.number}, turn {self.turn_number}"


def _new_id() -> str:
    return secrets.token_urlsafe(12)


def _of_kind(answer: object, kind: type[T]) -> T:
    if not isinstance(answer, kind):
        raise ClientError(f"expected {kind.__name__}, the server answered {answer!r}")
    return answer
