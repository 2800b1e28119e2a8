"""The scheduler: computer players' turns, expired clocks and timeouts of the shuffle.

Everything due follows from the logs, so nothing is lost in a crash. One worker schedules each
table; if two do for a moment, both do the same work and the log accepts one result.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from lastspike.daily.deal import player_seed
from lastspike.server.jobs.players.questions import IDLE, TURN, Players
from lastspike.server.storage.errors import StorageDown
from lastspike.server.storage.rows import ALIVE_MS
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.clocks import commands as time_commands
from lastspike.server.table.errors import Conflict, NotFound
from lastspike.server.table.limits import REVEAL_MS
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed
from lastspike.server.table.state import TableState

from .registry import TableRegistry, TableWatcher
from .store import Store
from .table import LiveTable

log = logging.getLogger(__name__)

BEAT_S = 2.0
RETRY_S = 2.0
FORGET_MS = 60_000
LONGEST_TIMER_S = 3600.0
CHEAP_LEVELS = ("greenhorn", "clerk", "surveyor")
"""Levels that take a millisecond or less. Where only computers play and nobody watches, the last of
them plays for all others."""


class Scheduler(TableWatcher):
    def __init__(
        self, registry: TableRegistry, storage: Store, player_pool: Players, worker_id: str
    ) -> None:
        self._registry = registry
        self._storage = storage
        self._player_pool = player_pool
        self._worker = worker_id
        self._alive = [worker_id]
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._computing: dict[str, tuple[int, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._clocks_run = False
        """False until the length of the server's downtime is known."""
        self._down: tuple[int, int] | None = None
        """The time before our start in which no worker was alive, if known."""
        self._closed = False

    async def start(self) -> None:
        """Start the heartbeat and give back the time in which no worker was alive."""
        started = now_ms()
        await self._storage.presence.set_right(started)
        last = await self._storage.presence.last_beat()
        others: list[str] = []
        if self._storage.shared:
            others = await self._storage.presence.workers(started - ALIVE_MS)
        if last is not None and not others:
            # No heartbeat until all of it is given back, so that a crash before that loses none.
            self._down = last, started
        else:
            await self._storage.presence.beat(started)
            self._spawn(self._heartbeat())
        self._spawn(self._until_done(lambda: self._begin(last, started, others)))

    async def close(self) -> None:
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = [*self._tasks, *(task for _, task in self._computing.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def consider(self, table: LiveTable) -> None:
        """Schedule whatever is due next at a table."""
        state = table.state
        if self._closed:
            return
        timer = self._timers.pop(state.id, None)
        if timer is not None:
            timer.cancel()
        if table.unloaded:
            return
        # Only the workers of its viewers have a waiting table in memory: each schedules it.
        if not self.schedules(state.id) and state.status != "waiting":
            return
        due = self._due(state)
        if due is not None:
            self._wake(state.id, (due - now_ms()) / 1000)
        seat = state.to_move()
        level = None if seat is None else state.seats[seat].computer
        if level is not None:
            computing = self._computing.get(state.id)
            # The result for an earlier turn is discarded by the command.
            if computing is None or computing[0] != state.turn:
                task = asyncio.get_running_loop().create_task(
                    self._computer_turn(table, state.turn, level)
                )
                self._computing[state.id] = state.turn, task

    async def before_use(self, table: LiveTable) -> None:
        await self.give_back(table)

    def loaded(self, table: LiveTable) -> None:
        self.consider(table)

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        del steps, own
        self.consider(table)

    def wants(self, table_id: str) -> bool:
        return self.schedules(table_id)

    def schedules(self, table_id: str) -> bool:
        """Rendezvous hashing: whether this is the live worker with the highest hash."""
        if len(self._alive) == 1:
            return True
        return self._worker == max(self._alive, key=lambda worker: _weight(worker, table_id))

    def _due(self, state: TableState) -> int | None:
        """When the next timeout is due, in milliseconds."""
        if state.status == "waiting" and state.secrets_asked is not None:
            return state.secrets_asked + REVEAL_MS
        return state.deadline()

    def _wake(self, table_id: str, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[table_id] = loop.call_later(
            min(max(seconds, 0.0) + 0.005, LONGEST_TIMER_S),
            lambda: self._spawn(self._on_time(table_id)),
        )

    async def _on_time(self, table_id: str) -> None:
        self._timers.pop(table_id, None)
        try:
            table = await self._registry.table(table_id)
            if not self._clocks_run and table.state.status == "playing":
                return  # `_begin` considers all tables again
            seed = new_seed()
            await table.act(lambda state: commands.begin_round_again(state, now_ms(), seed))
            if not await table.act(lambda state: time_commands.out_of_time(state, now_ms())):
                self.consider(table)  # too early
        except NotFound:
            return
        except Exception:
            log.warning("a clock could not be looked at; trying again", exc_info=True)
            self._wake(table_id, RETRY_S)

    async def _computer_turn(self, table: LiveTable, turn: int, level: str) -> None:
        state = table.state
        table_id = state.id
        table.pending_turns += 1
        try:
            seat = state.to_move()
            assert seat is not None
            pace = state.settings.pace
            ready_at = state.at + pace
            view = state.playing.view(seat)
            try:
                # A game in which only computers play waits for the others.
                alone = all(each.computer is not None for each in state.seats)
                if alone and level not in CHEAP_LEVELS and not await self._watched(table):
                    level = CHEAP_LEVELS[-1]
                try:
                    moves = await self._player_pool.turn(
                        level,
                        view,
                        who=state.host,
                        rank=IDLE if alone else TURN,
                        seed=_seed(state),
                        wanted=lambda: state.turn == turn and state.status == "playing",
                    )
                except Conflict:  # the game has gone on without it
                    return
                # Never longer than the pace: the last step may lie hours ahead of a clock that
                # was set back.
                await asyncio.sleep(max(0, min(ready_at - now_ms(), pace)) / 1000)
                await table.act(lambda state: commands.computer_turn(state, turn, moves, level))
            finally:
                if self._computing.get(table_id, (None,))[0] == turn:
                    del self._computing[table_id]
        except asyncio.CancelledError:
            raise
        except Exception:
            if table.unloaded:  # it was deleted
                return
            log.warning("a computer's turn failed; trying again", exc_info=True)
            await asyncio.sleep(RETRY_S)
            self._computing.pop(table_id, None)
            self.consider(table)
        finally:
            table.pending_turns -= 1

    async def _watched(self, table: LiveTable) -> bool:
        """Whether anybody is connected to the table, through any worker."""
        if table.connections or not self._storage.shared:
            return bool(table.connections)
        members, others = await self._storage.presence.at_table(table.state.id, now_ms() - ALIVE_MS)
        return bool(others) or None in members.values()

    async def _heartbeat(self) -> None:
        """Store heartbeats, and track which other workers are alive."""
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                now = now_ms()
                await self._storage.presence.beat(now)
                self._registry.unload_idle()
                await self._storage.presence.forget_workers(now - FORGET_MS)
                if self._storage.shared:
                    alive = await self._storage.presence.workers(now - ALIVE_MS)
                    if set(alive) != set(self._alive):
                        self._alive = alive or [self._worker]
                        self._spawn(self._until_done(self.look_at_all))
            except Exception:
                log.warning("the heartbeat could not be stored; trying again", exc_info=True)

    async def _begin(self, last: int | None, started: int, others: list[str]) -> None:
        """Give back the downtime if no worker was alive before us, then start the clocks."""
        if last is not None and others:  # a worker killed just now still looks alive
            await asyncio.sleep((ALIVE_MS + 500) / 1000)
            # Workers that started with us don't count: they were not alive before either.
            if set(others).isdisjoint(await self._storage.presence.workers(started + 1)):
                self._down = last, started
        if self._down is not None:
            for table_id in await self._storage.logs.tables_awaiting_server():
                table = await self._table(table_id)
                if table is not None:
                    await self.give_back(table)
        self._clocks_run = True
        await self.look_at_all()
        if not others and self._down is not None:
            await self._storage.presence.beat(now_ms())
            self._spawn(self._heartbeat())

    async def give_back(self, table: LiveTable) -> None:
        """Give a table the downtime back. A table just loaded gets it before any turn is made, or
        the turn would be charged for it."""
        if self._down is not None and table.state.status == "playing":
            since, until = self._down
            await table.act(lambda state: time_commands.give_back_time(state, since, until))

    async def look_at_all(self) -> None:
        """Consider all tables that this worker schedules and that may need it. The others stay
        unread: somebody has to come back to them first."""
        for table_id in await self._storage.logs.tables_awaiting_server():
            if self.schedules(table_id):
                table = await self._table(table_id)
                if table is not None:
                    self.consider(table)

    async def _table(self, table_id: str) -> LiveTable | None:
        """None if the table can't be read, so that the others are still handled."""
        try:
            return await self._registry.table(table_id)
        except StorageDown:
            raise
        except Exception:
            log.exception("table %s… can't be read", table_id[:6])
            return None

    async def _until_done(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Retry until it works: no other worker does this work."""
        while True:
            try:
                return await work()
            except Exception:
                log.warning(
                    "the scheduler could not look at its tables; trying again", exc_info=True
                )
                await asyncio.sleep(RETRY_S)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tidy)

    def _tidy(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("the scheduler failed", exc_info=task.exception())


def _seed(state: TableState) -> str | None:
    """In the Daily Deal the same moves meet the same answers: the player's seed is the day's."""
    if state.daily is None:
        return None
    assert state.seed is not None
    return player_seed(state.seed, state.turn)


def _weight(worker: str, table_id: str) -> bytes:
    return hashlib.blake2b(f"{worker}/{table_id}".encode(), digest_size=8).digest()
