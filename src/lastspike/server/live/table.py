"""A table in memory with its viewers: one step after the other, stored first, then shown.

Every change goes through `act`, which takes a command (`table/commands.py`). Under the table's lock
the command makes a draft from the state; the draft is appended to the log, applied, and published
to every viewer. If another worker appended first, its steps are read and published, and the command
runs again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from lastspike import protocol as p
from lastspike.rules.board import Seat
from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.rows import to_append, to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.clock import now_ms
from lastspike.server.table.errors import Conflict
from lastspike.server.table.log_events import Draft
from lastspike.server.table.state import TableState
from lastspike.server.table.views import (
    changed_by,
    clock_info,
    encode,
    game_view,
    steps_for,
    table_info,
    welcome,
    you_info,
)

from .connection import Connection

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

Command = Callable[[TableState], Draft | None]
OnChange = Callable[["LiveTable", list[e.Step], bool], None]

ATTEMPTS = 20
"""How many times a command runs because another worker appended first."""


class LiveTable:
    """One table. `on_change` is called with new steps after every viewer was sent them, and with
    whether this worker made them."""

    __slots__ = (
        "_lock",
        "_on_change",
        "_storage",
        "_table_info",
        "away",
        "connections",
        "loaded_at",
        "pending_turns",
        "state",
        "unloaded",
        "used",
    )

    def __init__(self, state: TableState, storage: Storage, on_change: OnChange) -> None:
        self.state = state
        self.connections: dict[str, Connection] = {}
        self.used = time.monotonic()
        self.loaded_at = now_ms()
        self.pending_turns = 0
        """How many computer players' turns are being computed for it."""
        self.unloaded = False
        """Whether the registry has dropped it; then another may have taken its place."""
        self.away: dict[str, int] = {}
        """Since when persons are disconnected, as far as this worker has seen."""
        self._on_change = on_change
        self._storage = storage
        self._lock = asyncio.Lock()
        self._table_info: tuple[int, msgspec.Raw] | None = None

    @property
    def busy(self) -> bool:
        return bool(self.connections or self.pending_turns) or self._lock.locked()

    async def act(self, command: Command, request: str | None = None) -> int:
        """Run a command; returns the number of its step, 0 if nothing had to change.

        When this returns, the step is durable and sent to the viewers of this worker. A request
        that was done before is not done again: the number of its step is returned.
        """
        # Not to be cancelled half-way: a step may be stored, and then it must be published.
        return await asyncio.shield(asyncio.ensure_future(self._act(command, request)))

    async def _act(self, command: Command, request: str | None) -> int:
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
                    # Perhaps it was refused only because another worker's steps are not here yet.
                    if self._storage.shared and await self._read_on():
                        continue
                    raise
                if draft is None:
                    return await self._done(request) or 0
                step = draft.step(self.state.number + 1, max(now_ms(), self.state.at), request)
                if await self._storage.logs.append(to_append(self.state.id, step, draft.index)):
                    self._apply([step], own=True)
                    return step.number
                if (done := await self._done(request)) is not None:
                    return done
                await self._read_on()
            raise Conflict("the table is too busy just now; try again")

    async def _done(self, request: str | None) -> int | None:
        """The number of the step that a request made before, if it did."""
        if request is None:
            return None
        done = await self._storage.logs.step_of_request(self.state.id, request)
        if done is not None and done > self.state.number:
            await self._read_on()
        return done

    async def catch_up(self, number: int | None = None) -> None:
        """Apply the steps that other workers have appended, up to at least this number."""
        if number is not None and number <= self.state.number:
            return
        async with self._lock:
            if number is None or number > self.state.number:
                await self._read_on()

    async def _read_on(self) -> bool:
        """Apply the steps that other workers have appended; whether there were any."""
        rows = await self._storage.logs.steps(self.state.id, self.state.number)
        if rows:
            self._apply([to_step(row) for row in rows], own=False)
        return bool(rows)

    async def connect(self, connection: Connection, have: int | None, version: str) -> None:
        """Send a new viewer everything so far, or what it missed, and from now on all the rest."""
        async with self._lock:
            self.used = time.monotonic()
            state = self.state
            connection.sits(state.seats_of(connection.person))
            after = 0 if have is None or have > state.number else have
            steps: list[e.Step] = []
            if after < state.number:
                steps = [to_step(row) for row in await self._storage.logs.steps(state.id, after)]
                if newer := [step for step in steps if step.number > state.number]:
                    self._apply(newer, own=False)
            self.connections[connection.id] = connection
            you = you_info(state, connection.person)
            connection.push(encode(welcome(state, steps, connection.viewer, you, version)))

    def show_hand(self, connection: Connection, seat: Seat | None) -> None:
        """Show the connection one of its own hands, or none."""
        connection.looking = seat
        view = game_view(self.state, seat)
        if view is not None:
            connection.push(encode(p.CurrentView(seat, view)))

    def disconnect(self, connection: Connection) -> None:
        self.connections.pop(connection.id, None)
        self.used = time.monotonic()

    def _apply(self, steps: list[e.Step], own: bool) -> None:
        for step in steps:
            self.state.apply(step)
        for connection in self.connections.values():
            if connection.person in self.state.forgotten:  # from now on they only watch
                connection.person, connection.name = None, ""
        if self.connections:
            self._publish(steps)
        self._on_change(self, steps, own)

    def _publish(self, steps: list[e.Step]) -> None:
        """Send the steps to every viewer; viewers who see the same get the same bytes."""
        state = self.state
        changed = changed_by(steps)
        ended = {
            event.seat for step in steps for event in step.events if isinstance(event, e.TurnMade)
        }
        over = changed.game and state.status == "over"
        table = self._info() if changed.table or over else msgspec.UNSET
        clock = clock_info(state) if changed.clock else msgspec.UNSET
        views: dict[Seat | None, dict[str, Any] | None] = {}
        messages: dict[Any, bytes | None] = {}
        for connection in list(self.connections.values()):
            if changed.seats:
                connection.sits(state.seats_of(connection.person))
            if len(connection.seats) > 1 and connection.looking in ended:
                connection.looking = None  # round one device a hand is hidden when its turn ends
            viewer = connection.viewer
            key = (viewer, connection.person if changed.seats else None)
            if key not in messages:
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
                messages[key] = encode(parts) if parts["steps"] else None
            if (data := messages[key]) is not None:
                connection.push(data)

    def _info(self) -> msgspec.Raw:
        if self._table_info is None or self._table_info[0] != self.state.number:
            self._table_info = self.state.number, msgspec.Raw(encode(table_info(self.state)))
        return self._table_info[1]
