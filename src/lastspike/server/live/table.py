"""A table in memory with its viewers. Each step is stored first, then published.

Every change goes through `act`, which takes a command (`table/commands.py`). Under the table's lock
the command makes a draft, which is appended to the log, applied to the state and published to every
viewer. If another worker appended first, its steps are read and the command runs again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

from lastspike import protocol as p
from lastspike.rules.board import Seat
from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.rows import to_append
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import Conflict
from lastspike.server.table.list_entry import index_of
from lastspike.server.table.log_events import Draft
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState
from lastspike.server.table.views import (
    OpenTables,
    Seen,
    Viewer,
    changed_by,
    clock_info,
    encode,
    encoded,
    game_view,
    seen_of,
    steps_for,
    table_info,
    told,
    welcome,
    you_info,
)

from .connection import Connection
from .store import Store

Command = Callable[[TableState], Draft | None]
OnChange = Callable[["LiveTable", list[e.Step], bool], None]

ATTEMPTS = 20
"""How often a command is run while other workers append first."""


class Answer:
    """The answer to a request over this connection, sent together with the news of its step."""

    __slots__ = ("connection", "request", "sent")

    def __init__(self, connection: Connection, request: str) -> None:
        self.connection = connection
        self.request = request
        self.sent = False


class LiveTable:
    """One table. `on_change` is called after new steps were published, with the steps and whether
    this worker made them."""

    def __init__(self, state: TableState, storage: Store, on_change: OnChange) -> None:
        self.state = state
        self.connections: dict[str, Connection] = {}
        self.used = time.monotonic()
        self.loaded_at = now_ms()
        self.pending_turns = 0
        """The number of computer players' turns being computed."""
        self.arriving = 0
        """The number of viewers who are about to be connected."""
        self.unloaded = False
        """Whether the registry dropped this object; a new one may have replaced it."""
        self.away: dict[str, int] = {}
        """Since when persons have been disconnected, as seen by this worker."""
        self._on_change = on_change
        self._storage = storage
        self._lock = asyncio.Lock()
        self._table_info: tuple[int, msgspec.Raw] | None = None

    @property
    def busy(self) -> bool:
        using = self.connections or self.pending_turns or self.arriving
        return bool(using) or self._lock.locked()

    async def act(
        self, command: Command, request: str | None = None, answer: Answer | None = None
    ) -> int:
        """Run a command; returns the number of its step, 0 if it had no effect.

        When this returns, the step is durable and sent to this worker's viewers. A repeated request
        is not run again: the number of its first step is returned.
        """
        # Shielded from cancellation: a step that is stored must also be published.
        return await asyncio.shield(asyncio.ensure_future(self._act(command, request, answer)))

    async def _act(self, command: Command, request: str | None, answer: Answer | None) -> int:
        async with self._lock:
            if self.unloaded:
                raise Conflict("the table is too busy just now; try again")
            self.used = time.monotonic()
            for _ in range(ATTEMPTS):
                try:
                    draft = command(self.state)
                except LastSpikeError:
                    if (done := await self._done(request)) is not None:
                        return done
                    # The refusal may be due to missing steps of another worker.
                    if self._storage.shared and await self._read_on():
                        continue
                    raise
                if draft is None:
                    return await self._done(request) or 0
                step = draft.step(self.state.number + 1, max(now_ms(), self.state.at), request)
                index = index_of(draft, self.state)
                if await self._storage.logs.append(to_append(self.state.id, step, index)):
                    self._apply([step], own=True, answer=answer)
                    return step.number
                if (done := await self._done(request)) is not None:
                    return done
                await self._read_on()
            raise Conflict("the table is too busy just now; try again")

    async def _done(self, request: str | None) -> int | None:
        """The number of the step that a request already made, if any."""
        if request is None:
            return None
        done = await self._storage.logs.step_of_request(self.state.id, request)
        if done is not None and done > self.state.number:
            await self._read_on()
        return done

    async def catch_up(self, number: int | None = None) -> None:
        """Apply other workers' new steps, at least up to this number."""
        if number is not None and number <= self.state.number:
            return
        async with self._lock:
            if number is None or number > self.state.number:
                await self._read_on()

    async def _read_on(self) -> bool:
        """Apply other workers' new steps; returns whether there were any."""
        before = self.state.number
        async for steps in self._storage.logs.read(self.state.id, before):
            self._apply(steps, own=False)
        return self.state.number > before

    async def connect(
        self, connection: Connection, have: int | None, version: str, most: int | None = None
    ) -> bool:
        """Add a viewer, and send it the steps after `have`, or all steps. False if as many as
        `most` are watching already, and the viewer has no seat."""
        self.arriving += 1
        try:
            return await self._connect(connection, have, version, most)
        finally:
            self.arriving -= 1

    async def _connect(
        self, connection: Connection, have: int | None, version: str, most: int | None
    ) -> bool:
        self.used = time.monotonic()
        if self._storage.shared:
            await self.catch_up()
        state = self.state
        after = 0 if have is None or have > state.number else have
        viewer = self._seen_by(connection)
        if self._is_full(connection, most):
            return False
        # Most of a long log is read before the lock is taken, so that no turn waits for it.
        told: list[Any] = []
        number = await self._tell(told, after, viewer)
        async with self._lock:
            if self.unloaded:
                raise Conflict("the table is too busy just now; try again")
            if self._storage.shared:
                await self._read_on()
            if self._seen_by(connection) != viewer:
                viewer, number = connection.viewer, after
                told.clear()
            if self._is_full(connection, most):
                return False
            await self._tell(told, number, viewer)
            you = you_info(state, connection.person)
            self.connections[connection.id] = connection
            connection.push(encode(welcome(state, told, viewer, you, version)))
            return True

    def _seen_by(self, connection: Connection) -> Viewer:
        connection.sits(self.state.seats_of(connection.person))
        return connection.viewer

    def _is_full(self, connection: Connection, most: int | None) -> bool:
        watching = sum(not each.seats for each in self.connections.values())
        return not connection.seats and most is not None and watching >= most

    async def _tell(self, told: list[Any], after: int, viewer: Viewer) -> int:
        """Add what the viewer may see of the steps after this one; returns the number of the last.
        Another worker may have stored more than the state knows: those come as news."""
        last = self.state.number
        if after >= last:
            return after
        async for steps in self._storage.logs.read(self.state.id, after):
            known = [step for step in steps if step.number <= last]
            told += encoded(steps_for(self.state, known, viewer))
        return last

    def show_hand(self, connection: Connection, seat: Seat | None) -> None:
        """Show the viewer the hand of one of their seats, or none."""
        connection.looking = seat
        view = game_view(self.state, seat)
        if view is not None:
            connection.push(encode(p.CurrentView(seat, view)))

    def deleted(self) -> None:
        """The table is gone: its viewers have to leave, and nothing more happens here."""
        self.unloaded = True
        for connection in list(self.connections.values()):
            connection.drop(p.CLOSE_GONE)

    def disconnect(self, connection: Connection) -> None:
        self.connections.pop(connection.id, None)
        self.used = time.monotonic()

    def _apply(self, steps: list[e.Step], own: bool, answer: Answer | None = None) -> None:
        for step in steps:
            self.state.apply(step)
        renamed = _renamed(steps)
        for connection in self.connections.values():
            if connection.person in self.state.forgotten:  # they are a spectator now
                connection.person, connection.name = None, ""
            elif connection.person in renamed:
                connection.name = renamed[connection.person]
        if self.connections:
            self._publish(steps, answer)
        self._on_change(self, steps, own)

    def _publish(self, steps: list[e.Step], answer: Answer | None) -> None:
        """Send the steps to every viewer; equal messages are encoded once. Sending costs as much as
        all the rest of a turn, so who made the step gets news and answer in one piece."""
        state = self.state
        changed = changed_by(steps)
        ended = {
            event.seat for step in steps for event in step.events if isinstance(event, e.TurnMade)
        }
        over = changed.game and state.status == "over"
        table = self._info() if changed.table or over else msgspec.UNSET
        clock = clock_info(state) if changed.clock else msgspec.UNSET
        views: dict[Seat | None, msgspec.Raw] = {}
        open_tables: OpenTables = {}
        told_of: dict[tuple[Seen, ...], msgspec.Raw] = {}
        messages: dict[Any, bytes | None] = {}
        for connection in list(self.connections.values()):
            if changed.seats:
                connection.sits(state.seats_of(connection.person))
            if len(connection.seats) > 1 and connection.looking in ended:
                connection.looking = None  # shared device: hide the hand at the end of its turn
            viewer = connection.viewer
            key = (viewer, connection.person if changed.seats else None)
            if key not in messages:
                seen = tuple([seen_of(state, step, viewer) for step in steps])
                if seen not in told_of:
                    pairs = zip(steps, seen, strict=True)
                    told_of[seen] = _raw([told(step, each) for step, each in pairs if each])
                parts: dict[str, Any] = {"type": "news", "steps": told_of[seen]}
                if table is not msgspec.UNSET:
                    parts["table"] = table
                if changed.seats:
                    parts["you"] = you_info(state, connection.person)
                if changed.game and state.game is not None:
                    if viewer.seat not in views:
                        views[viewer.seat] = _raw(game_view(state, viewer.seat, open_tables))
                    parts["view"] = views[viewer.seat]
                    parts["looking"] = viewer.seat
                if clock is not msgspec.UNSET:
                    parts["clock"] = clock
                messages[key] = encode(parts) if any(seen) else None
            if (data := messages[key]) is None:
                continue
            if answer is None or connection is not answer.connection:
                connection.push(data)
                continue
            connection.push(data, encode(p.Accepted(answer.request, state.number)))
            answer.sent = True

    def _info(self) -> msgspec.Raw:
        if self._table_info is None or self._table_info[0] != self.state.number:
            self._table_info = self.state.number, _raw(table_info(self.state))
        return self._table_info[1]


def _renamed(steps: list[e.Step]) -> dict[str, str]:
    """The new names of persons whom these steps renamed."""
    return {
        event.person: event.name
        for step in steps
        for event in step.events
        if isinstance(event, e.PersonRenamed)
    }


def _raw(part: Any) -> msgspec.Raw:
    """A part of several messages, encoded once."""
    return msgspec.Raw(encode(part))
