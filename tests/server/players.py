"""People who play through the real client, whatever happens to the server, and remember it all.

A `Crowd` sits at many tables and plays game after game. What its people were told and what was
acknowledged to them is held against what a table's log says later, through `Log`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec

from lastspike import protocol as p
from lastspike.bots.levels import LEVELS
from lastspike.client import LostError, Person, RefusedError, Table
from lastspike.rules.records.record import read_record
from lastspike.server.storage import Storage
from lastspike.server.storage.errors import down, replaced
from lastspike.server.storage.rows import Row, to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.records import full_record
from lastspike.server.table.state import TableState
from lastspike.server.table.views import Viewer, encode, game_view, step_for

from .running import RunningServer

PATIENCE_S = 90.0
"""How long anything may take, with servers that die and start again on a busy machine."""
FAST = p.Settings(pace=0, stand_in="greenhorn")
DOWN = {down().template, replaced().template}
WATCHER = "watcher"
Door = Callable[[str], Awaitable[str]]
"""Opens the door of a person with this name; returns its URL."""

T = TypeVar("T")


def kill(server: RunningServer) -> None:
    """End every process of the server in this moment; `server.restart` then starts it again."""
    os.killpg(server.pid, signal.SIGKILL)


class Told(NamedTuple):
    """A step or a view as it came, in bytes, to somebody who looked at this seat's hand."""

    number: int
    looking: int | None
    what: bytes


class Acknowledged(NamedTuple):
    """What the server has said that it has stored, and as which step."""

    person: str
    request: p.CommitTurn | p.Say
    number: int


class Memory:
    """All that anybody at one table was ever told."""

    def __init__(self, table_id: str, on_turn: Callable[[], None] | None = None) -> None:
        self.table_id = table_id
        self.steps: set[Told] = set()
        self.views: set[Told] = set()
        self.acknowledged: list[Acknowledged] = []
        self._asked: dict[str, tuple[str, p.CommitTurn | p.Say]] = {}
        self._on_turn = on_turn or (lambda: None)

    def asked(self, person: str, request: p.CommitTurn | p.Say) -> None:
        """A request is about to be sent."""
        self._asked[request.id] = person, request

    def take(self, message: p.ToClient, have: int) -> None:
        match message:
            case p.Welcome(steps=steps, looking=looking, view=view):
                self._told(steps, looking, view, steps[-1].number if steps else have)
            case p.News(steps=steps, looking=looking, view=view):
                looking = None if looking is msgspec.UNSET else looking
                view = None if view is msgspec.UNSET else view
                self._told(steps, looking, view, steps[-1].number)
            case p.Accepted(id=request, number=number) if request in self._asked:
                self.acknowledged.append(Acknowledged(*self._asked[request], number))
                if isinstance(self._asked[request][1], p.CommitTurn):
                    self._on_turn()

    def _told(
        self,
        steps: Iterable[p.Step],
        looking: int | None,
        view: dict[str, Any] | None,
        number: int,
    ) -> None:
        self.steps.update(Told(step.number, looking, encode(step)) for step in steps)
        if view is not None:
            self.views.add(Told(number, looking, encode(view)))


class RememberingTable(Table):
    """A table that remembers, first of all, what comes."""

    def __init__(self, memory: Memory, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.memory = memory

    def take(self, message: p.ToClient) -> None:
        self.memory.take(message, self.number)
        super().take(message)


class Player(Person):
    """Somebody whose tables remember."""

    id = ""

    async def arrive(self) -> None:
        self.id = (await persistently(self.introduce)).person

    def sits_at(self, memory: Memory) -> RememberingTable:
        url = f"{self.base_url.replace('http', 'ws', 1)}/api/tables/{memory.table_id}/live"
        return RememberingTable(memory, url, self._cookie, patience=PATIENCE_S)


async def persistently(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask until the server is there to answer, and its database as well."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await ask()
        except LostError:
            if time.monotonic() > until:
                raise
        except RefusedError as refused:
            if refused.problem.template not in DOWN or time.monotonic() > until:
                raise
        await asyncio.sleep(0.05)


async def take_seat(player: Player, table_id: str, seat: int) -> None:
    """Have the seat, also if the answer to the first try was lost."""
    try:
        await persistently(lambda: player.take_seat(table_id, seat))
    except RefusedError:
        info = await persistently(lambda: player.info(table_id))
        if info.seats[seat].person != player.id:
            raise


async def commit(table: RememberingTable, person: str, request: p.CommitTurn | p.Say) -> int:
    """Send a request until it is answered, always with its own id. Nobody but its sender could
    make the turn, so the only reason to refuse it is that the database is away for long."""
    table.memory.asked(person, request)
    while True:
        try:
            return await table.ask(request)
        except RefusedError as refused:
            if refused.problem.template not in DOWN:
                raise


async def compose(table: Table, rng: Random, last: bool | None = None) -> p.CommitTurn:
    """A whole turn, some legal one: by chance, or the first or last of all there are."""
    if table.looking != table.to_move:
        await table.look(table.to_move)
    assert table.view is not None
    turn, legal = table.turn_number, table.view["legal"]
    moves: list[str] = []
    while legal:
        moves.append(rng.choice(legal) if last is None else legal[-1 if last else 0])
        ahead = await table.preview(moves)
        legal = [] if ahead.turn_over else ahead.legal
    return p.CommitTurn(f"turn-{rng.getrandbits(80):x}", turn, moves)


async def play(table: RememberingTable, person: str, rng: Random) -> None:
    """Play to the end, all seats of this person, and say something now and then."""
    while True:
        await table.until(lambda table: table.over or table.my_turn, PATIENCE_S)
        if table.over:
            return
        request = await compose(table, rng)
        number = await commit(table, person, request)
        if rng.random() < 0.2:  # a repeat counts once
            assert await commit(table, person, request) == number
        if rng.random() < 0.2:
            said = f"{rng.getrandbits(80):x}"
            await commit(table, person, p.Say(f"say-{said}", said))


class Party:
    """One game at one table. `seats` are the names of people and the levels of computer players;
    who is named first makes the table, who is named twice has two seats. Each of them, and a
    `watcher`, reaches the server through a door of their own, if there are any."""

    def __init__(
        self,
        url: str,
        seats: Sequence[str],
        rng: Random,
        on_turn: Callable[[], None] | None,
        settings: p.Settings = FAST,
        door: Door | None = None,
    ) -> None:
        self.memory: Memory | None = None
        self.record: dict[str, Any] | None = None
        self.persons: dict[str, str] = {}
        """The ids of the people, by name."""
        self._settings = settings
        self._door = door
        self._url = url
        self._seats = seats
        self._rng = rng
        self._on_turn = on_turn

    async def play(self) -> None:
        """From an empty table to a record in which everybody finds their part of the shuffle."""
        names = [name for name in dict.fromkeys(self._seats) if name not in LEVELS]
        async with AsyncExitStack() as stack:

            async def arrived(name: str) -> Player:
                player = await stack.enter_async_context(Player(await self._url_for(name), name))
                await player.arrive()
                self.persons[name] = player.id
                return player

            players = {name: await arrived(name) for name in names}
            memory = self.memory = Memory(await self._make(players), self._on_turn)
            watcher = await stack.enter_async_context(Player(await self._url_for(WATCHER)))
            tables = [
                await stack.enter_async_context(player.sits_at(memory))
                for player in [*players.values(), watcher]
            ]
            await asyncio.gather(*(persistently(table.ready) for table in tables[:-1]))
            people = zip(players.values(), tables, strict=False)
            await asyncio.gather(*(play(table, who.id, self._rng) for who, table in people))
            await tables[-1].until(lambda table: table.over, PATIENCE_S)
            self.record = await persistently(lambda: watcher.record(memory.table_id))
            for table in tables[:-1]:
                check_part(table, self.record)
            assert len(self.record["shuffle"]["contributions"]) == len(names)

    async def _url_for(self, name: str) -> str:
        return self._url if self._door is None else await self._door(name)

    async def _make(self, players: dict[str, Player]) -> str:
        host = players[self._seats[0]]
        seats = [
            "me" if name == host.name else None if name in players else name for name in self._seats
        ]
        table_id = await persistently(lambda: host.create(seats, self._settings))
        for seat, name in enumerate(self._seats):
            if name in players and players[name] is not host:
                await take_seat(players[name], table_id, seat)
        return table_id


def check_part(table: Table, record: dict[str, Any]) -> None:
    """The record has the server's commitment as it was seen before, and this person's part."""
    revealed = table.contribution.revealed
    assert revealed is not None
    assert table.check_shuffle(record)
    assert [revealed.seat, revealed.secret.hex()] in record["shuffle"]["contributions"]


class Crowd:
    """Parties that play, each one game after the other, until the crowd is told to go home."""

    def __init__(self, url: str, rng: Random) -> None:
        self.parties: list[Party] = []
        self._url = url
        self._rng = rng
        self._going_home = False
        self._turns = 0
        self._alarm: tuple[int, Callable[[], None]] | None = None
        self._checked: set[str] = set()

    @property
    def memories(self) -> list[Memory]:
        return [party.memory for party in self.parties if party.memory is not None]

    @asynccontextmanager
    async def playing(self, tables: Iterable[Sequence[str]]) -> AsyncIterator[None]:
        """Within, games are played at so many tables; at the end those under way are finished."""
        async with asyncio.TaskGroup() as group:
            for seats in tables:
                group.create_task(self._keep_playing(seats))
            yield
            self._going_home = True

    async def _keep_playing(self, seats: Sequence[str]) -> None:
        while not self._going_home:
            party = Party(self._url, seats, Random(self._rng.random()), self._count)
            self.parties.append(party)
            await party.play()

    async def after(self, turns: int, strike: Callable[[], None]) -> None:
        """Strike in the very moment in which the acknowledgement of a turn is read, so many turns
        from now."""
        struck = asyncio.get_running_loop().create_future()

        def alarm() -> None:
            strike()
            struck.set_result(None)

        self._alarm = self._turns + turns, alarm
        async with asyncio.timeout(PATIENCE_S):
            await struck

    def _count(self) -> None:
        self._turns += 1
        if self._alarm is not None and self._turns >= self._alarm[0]:
            (_, alarm), self._alarm = self._alarm, None
            alarm()

    async def check_with_fresh_eyes(self) -> None:
        """Somebody who comes to a table now is told of everything that anybody was told before."""
        for party in list(self.parties):
            memory = party.memory
            if memory is None or memory.table_id in self._checked:
                continue
            over = party.record is not None
            steps, acknowledged = list(memory.steps), list(memory.acknowledged)
            async with Person(self._url) as nobody, nobody.watch(memory.table_id) as table:
                told = {step.number: step for step in table.steps}
            assert list(told) == list(range(1, len(told) + 1))
            for number, _, what in steps:
                before = msgspec.json.decode(what, type=p.Step)
                assert number in told, f"step {number} was told and is gone: {before}"
                assert told[number].at == before.at
                assert without_events(told[number]) == without_events(before)
            turns = [one for step in told.values() for one in step.happenings if "turn" in one]
            assert [one["turn"] for one in turns] == list(range(1, len(turns) + 1))
            for person, request, number in acknowledged:
                assert number in told, f"step {number} was acknowledged and is gone: {request}"
                assert_holds(told[number].happenings, person, request)
            if over:
                self._checked.add(memory.table_id)

    async def check_logs(self, database_url: str) -> None:
        """When all is over: what the logs say is what people were told, the records are right."""
        async with opened(database_url) as storage:
            for party in self.parties:
                log = await log_of_finished(storage, party)
                assert party.memory is not None
                log.check(party.memory)


async def log_of_finished(storage: Storage, party: Party) -> Log:
    """The log of a game that is over, whose record everybody got."""
    assert party.memory is not None
    assert party.record is not None
    log = await Log.of(storage, party.memory.table_id)
    assert log.state.status == "over"
    table = await storage.logs.table(party.memory.table_id)
    assert table is not None
    assert table.status == "over"
    assert party.record == msgspec.json.decode(encode(full_record(log.state)))
    read_record(party.record)
    return log


@asynccontextmanager
async def opened(database_url: str) -> AsyncIterator[Storage]:
    """The database itself, without any server; what it says is what is stored."""
    storage = Storage(database_url)
    await storage.open()
    try:
        yield storage
    finally:
        await storage.close()


class Log:
    """A table's log as it is stored, and the state after it."""

    def __init__(self, table_id: str, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.steps = [to_step(row) for row in rows]
        self.state = TableState(table_id)
        self._table_id = table_id
        for step in self.steps:
            self.state.apply(step)

    @classmethod
    async def of(cls, storage: Storage, table_id: str) -> Log:
        return cls(table_id, await storage.logs.steps(table_id))

    def check(self, memory: Memory) -> None:
        """Nothing is missing, nothing is there twice, nothing was told that is not so."""
        turns = [row.turn for row in self.rows if row.turn is not None]
        assert turns == list(range(1, len(turns) + 1))
        requests = [row.request for row in self.rows if row.request is not None]
        assert len(set(requests)) == len(requests)
        for person, request, number in memory.acknowledged:
            row = self.rows[number - 1]
            assert row.number == number
            assert row.request == f"{person}:{request.id}"
            assert row.turn == (request.turn if isinstance(request, p.CommitTurn) else None)
            assert_holds(msgspec.json.decode(row.body), person, request)
        self._check_told(memory)

    def state_before(self, step: e.Step) -> TableState:
        return Log(self._table_id, self.rows[: step.number - 1]).state

    def _check_told(self, memory: Memory) -> None:
        """Every step and every view that anybody saw is what follows from the log, byte for byte:
        as it was told at the time, or as it is told when the game is over and nothing is hidden."""
        then = TableState(self._table_id)
        for step in self.steps:
            then.apply(step)
            for _, looking, what in [told for told in memory.steps if told.number == step.number]:
                viewer = Viewer(looking, seated=True)
                allowed = [encode(step_for(state, step, viewer)) for state in (then, self.state)]
                assert what in allowed
            for _, looking, what in [told for told in memory.views if told.number == step.number]:
                assert what == encode(game_view(then, looking))
        assert max(told.number for told in memory.steps | memory.views) <= len(self.rows)


def without_events(step: p.Step) -> list[dict[str, Any]]:
    """What happened, without what it brought: that depends on who looks, and when."""
    return [{**one, "events": None} for one in step.happenings]


def assert_holds(
    happenings: Iterable[dict[str, Any]], person: str, request: p.CommitTurn | p.Say
) -> None:
    """These happenings are what was asked for, and nothing beside."""
    (made,) = happenings
    if isinstance(request, p.CommitTurn):
        assert made["kind"] == "turn_made"
        assert made["turn"] == request.turn
        assert made["moves"] == request.moves
        assert made.get("level") is None
    else:
        assert made["kind"] == "said"
        assert made["person"] == person
        assert made["text"] == request.text
