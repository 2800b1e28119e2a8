"""A table in memory with those who watch it: one step after the other, stored, then told.

Whoever wants to change a table hands `act` a decision (`deciding.py`). Under the table's lock it is
made on the state, appended to the log, applied, and told to every viewer. When another worker was
quicker, its steps are read and told first, and the decision is made anew.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from lastspike import protocol as p
from lastspike.rules.board import Seat
from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.rows import Append, Row
from lastspike.server.table import log_events as e
from lastspike.server.table.commands import Draft
from lastspike.server.table.errors import Conflict
from lastspike.server.table.state import TableState
from lastspike.server.table.views import (
    Viewer,
    changed_by,
    clock_info,
    encode,
    game_view,
    steps_for,
    table_info,
    you_info,
)

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

Decide = Callable[[TableState], Draft | None]
Send = Callable[[str], Awaitable[None]]

ATTEMPTS = 20
"""So often a decision is made anew because another worker was quicker."""
MOST_WAITING_BYTES = 256 * 1024
"""What may wait behind a message that is being sent to one viewer; a slower one is let go, and
comes back for the rest."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Connection:
    """One viewer's socket: who it is, which hand it shows, and what waits to be sent."""

    __slots__ = (
        "_send",
        "_sender",
        "_waiting",
        "_waiting_bytes",
        "gone",
        "hidden",
        "id",
        "language",
        "looking",
        "name",
        "person",
        "seats",
        "when_gone",
    )

    def __init__(
        self, connection_id: str, person: str | None, name: str, language: str, send: Send
    ) -> None:
        self.id = connection_id
        self.person = person
        self.name = name
        self.language = language
        self.hidden: frozenset[str] = frozenset()
        self.seats: tuple[Seat, ...] = ()
        self.looking: Seat | None = None
        self.gone = False
        self.when_gone: Callable[[], object] | None = None
        self._send = send
        self._sender: asyncio.Task[None] | None = None
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.looking, bool(self.seats), self.hidden)

    def sits(self, seats: Iterable[Seat]) -> None:
        """The person has these seats now. A single seat's hand is shown without asking."""
        self.seats = tuple(seats)
        if len(self.seats) == 1:
            self.looking = self.seats[0]
        elif self.looking not in self.seats:
            self.looking = None

    def push(self, data: bytes) -> None:
        """Send when the viewer can take it. Never waits; who is too slow is let go."""
        if self.gone:
            return
        if self._sender is None:  # it goes at once, however large: a welcome tells a whole log
            self._sender = asyncio.get_running_loop().create_task(self._send_waiting(data))
            return
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        if self._waiting_bytes > MOST_WAITING_BYTES:
            self.drop()

    def drop(self) -> None:
        """Let the viewer go; what waited is not sent."""
        if self.gone:
            return
        self.gone = True
        self._waiting.clear()
        if self._sender is not None:
            self._sender.cancel()
        if self.when_gone is not None:
            self.when_gone()

    async def drained(self) -> None:
        """Wait until everything is handed to the network."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    async def _send_waiting(self, data: bytes) -> None:
        try:
            await self._send(data.decode())
            while self._waiting:
                data = self._waiting.popleft()
                self._waiting_bytes -= len(data)
                await self._send(data.decode())
        except Exception:  # the socket is gone: its own loop finds out and tidies up
            self._waiting.clear()
            self.gone = True
        finally:
            self._sender = None


class LiveTable:
    """One table. `changed` is called with the steps just taken, after everybody was told."""

    __slots__ = (
        "_lock",
        "_storage",
        "_table_info",
        "away",
        "changed",
        "connections",
        "loaded_at",
        "put_away",
        "state",
        "thinking",
        "used",
    )

    def __init__(
        self,
        state: TableState,
        storage: Storage,
        changed: Callable[[LiveTable, list[e.Step], bool], None],
    ) -> None:
        self.state = state
        self.connections: dict[str, Connection] = {}
        self.changed = changed
        self.used = time.monotonic()
        self.loaded_at = now_ms()
        self.thinking = 0
        """How many computers' turns are being thought out for it."""
        self.put_away = False
        """Whether the registry has let it go; then another may have taken its place."""
        self.away: dict[str, int] = {}
        """Since when persons are not connected any more, as far as this worker has seen."""
        self._storage = storage
        self._lock = asyncio.Lock()
        self._table_info: tuple[int, msgspec.Raw] | None = None

    @property
    def busy(self) -> bool:
        return bool(self.connections or self.thinking) or self._lock.locked()

    async def act(self, decide: Decide, request: str | None = None) -> int:
        """Do what is decided; returns the number of its step, 0 if nothing had to change.

        When this returns the step is durable, and told to those who watch through this worker.
        With a request that was done before, nothing is done again and its step's number returned.
        """
        # Not to be cut short: a step may be stored, and then it must be told.
        return await asyncio.shield(asyncio.ensure_future(self._act(decide, request)))

    async def _act(self, decide: Decide, request: str | None) -> int:
        async with self._lock:
            if self.put_away:
                raise Conflict("the table is too busy just now; try again")
            self.used = time.monotonic()
            for _ in range(ATTEMPTS):
                try:
                    draft = decide(self.state)
                except LastSpikeError:
                    if (done := await self._done(request)) is not None:
                        return done
                    # Perhaps it was refused only because news of another worker's steps are late.
                    if self._storage.shared and await self._read_on():
                        continue
                    raise
                if draft is None:
                    return await self._done(request) or 0
                step = e.Step(
                    self.state.number + 1,
                    max(now_ms(), self.state.at),
                    draft.events,
                    draft.secrets,
                    draft.turn,
                    request,
                )
                if await self._storage.append(to_append(self.state.id, step, draft)):
                    self._take([step], own=True)
                    return step.number
                if (done := await self._done(request)) is not None:
                    return done
                await self._read_on()
            raise Conflict("the table is too busy just now; try again")

    async def _done(self, request: str | None) -> int | None:
        if request is None:
            return None
        done = await self._storage.step_of_request(self.state.id, request)
        if done is not None and done > self.state.number:
            await self._read_on()
        return done

    async def catch_up(self, number: int | None = None) -> None:
        """Take the steps that other workers have made, up to at least this number."""
        if number is not None and number <= self.state.number:
            return
        async with self._lock:
            if number is None or number > self.state.number:
                await self._read_on()

    async def _read_on(self) -> bool:
        """Take the steps that other workers have made; whether there were any."""
        rows = await self._storage.steps(self.state.id, self.state.number)
        if rows:
            self._take([to_step(row) for row in rows], own=False)
        return bool(rows)

    async def welcome(self, connection: Connection, have: int | None, version: str) -> None:
        """Tell a new viewer everything so far, or what it missed, and from now on all the rest."""
        async with self._lock:
            self.used = time.monotonic()
            state = self.state
            connection.sits(state.seats_of(connection.person))
            after = 0 if have is None or have > state.number else have
            steps = []
            if after < state.number:
                rows = await self._storage.steps(state.id, after)
                if rows and rows[-1].number > state.number:
                    self._take([to_step(row) for row in rows if row.number > state.number], False)
                steps = [to_step(row) for row in rows]
            self.connections[connection.id] = connection
            connection.push(
                encode(
                    p.Welcome(
                        protocol=p.PROTOCOL,
                        version=version,
                        now=now_ms(),
                        you=you_info(state, connection.person),
                        table=table_info(state),
                        steps=steps_for(state, steps, connection.viewer),
                        looking=connection.looking,
                        view=game_view(state, connection.looking),
                        clock=clock_info(state),
                    )
                )
            )

    def look(self, connection: Connection, seat: Seat | None) -> None:
        """Show the connection one of its own hands, or none."""
        connection.looking = seat
        view = game_view(self.state, seat)
        if view is not None:
            connection.push(encode(p.CurrentView(seat, view)))

    def part(self, connection: Connection) -> None:
        self.connections.pop(connection.id, None)
        self.used = time.monotonic()

    def _take(self, steps: list[e.Step], own: bool) -> None:
        for step in steps:
            self.state.apply(step)
        for connection in self.connections.values():
            if connection.person in self.state.forgotten:  # they only watch from now on
                connection.person, connection.name = None, ""
        if self.connections:
            self._tell(steps)
        self.changed(self, steps, own)

    def _tell(self, steps: list[e.Step]) -> None:
        """Tell every viewer of the steps; viewers who see the same get the same bytes."""
        state = self.state
        changed = changed_by(steps)
        ended = {
            event.seat for step in steps for event in step.events if isinstance(event, e.TurnMade)
        }
        over = changed.game and state.status == "over"
        table = self._info() if changed.table or over else msgspec.UNSET
        clock = clock_info(state) if changed.clock else msgspec.UNSET
        views: dict[Seat | None, dict[str, Any] | None] = {}
        told: dict[Any, bytes | None] = {}
        for connection in list(self.connections.values()):
            if changed.seats:
                connection.sits(state.seats_of(connection.person))
            if len(connection.seats) > 1 and connection.looking in ended:
                connection.looking = None  # round one device a hand is hidden when its turn ends
            viewer = connection.viewer
            key = (viewer, connection.person if changed.seats else None)
            if key not in told:
                parts: dict[str, Any] = {"type": "news", "steps": steps_for(state, steps, viewer)}
                if table is not msgspec.UNSET:
                    parts["table"] = table
                if changed.seats:
                    parts["you"] = you_info(state, connection.person)
                if changed.game and state.game is not None:
                    if viewer.seat not in views:
                        views[viewer.seat] = game_view(state, viewer.seat)
                    parts["view"] = views[viewer.seat]
                    parts["looking"] = viewer.seat
                if clock is not msgspec.UNSET:
                    parts["clock"] = clock
                told[key] = encode(parts) if parts["steps"] else None
            if (data := told[key]) is not None:
                connection.push(data)

    def _info(self) -> msgspec.Raw:
        if self._table_info is None or self._table_info[0] != self.state.number:
            self._table_info = self.state.number, msgspec.Raw(encode(table_info(self.state)))
        return self._table_info[1]


def to_append(table_id: str, step: e.Step, draft: Draft) -> Append:
    body, secret = e.to_stored(step)
    return Append(
        table_id, step.number, step.at, body, secret, step.turn, step.request, draft.indexed
    )


def to_step(row: Row) -> e.Step:
    return e.from_stored(row.number, row.at, row.body, row.secret, row.turn, row.request)
