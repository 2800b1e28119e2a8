"""A game with a rotating cast over real sockets, every viewer behind a wiretap of their own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import product
from random import Random
from typing import Any

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.records.record import read_record

from .accounting import account_for
from .accounts import TILES, Leak, Truth, no_secret_in
from .wiretap import Tap, taps

OPTIONS = [
    p.GameOptions(double_cost, cash, hands)  # type: ignore[arg-type]  # product loses the literals
    for double_cost, cash, hands in product(
        ("forced", "open"), ("open", "hidden"), ("hidden", "open")
    )
]
POOR = 9000
"""So little cash to start with that somebody goes bankrupt."""

PATIENCE_S = 120.0

Attempt = Callable[[], Coroutine[Any, Any, object]]


class Listened:
    """Game `number` of a series in which players, options and the cast rotate: forty have every
    number of players with every combination of options.

    There are the host, perhaps with two seats, and another device of the host; a guest, somebody
    who leaves and returns, somebody who leaves for good; computers; spectators with a name, without
    one, and one who comes late.
    """

    def __init__(self, server: str, number: int) -> None:
        self.server = server
        self.number = number
        self.players = 2 + number % 5
        self.table_id = ""
        self.taps: list[Tap] = []
        self.persons: dict[str, str | None] = {}
        self._rng = Random(f"leaks {number}")
        self._stack = contextlib.AsyncExitStack()

    async def play(self) -> Listened:
        async with self._stack, asyncio.timeout(300):
            host = await self._person("host")
            seats = self._seats()
            self.table_id = await host.create(seats, self._settings())
            people = [host]
            for name in ("guest", "leaver", "deserter")[: seats.count(None)]:
                people.append(await self._person(name))
                await people[-1].take_seat(self.table_id)
            await self._play(people)
        return self

    def check(self, truth: Truth) -> int:
        """Everything that anybody was told; returns how many messages there were."""
        assert truth.over
        told = 0
        for tap in self.taps:
            messages = list(tap.messages())
            try:
                told += account_for(messages, truth, self.persons[tap.name])
            except Leak as leak:
                raise AssertionError(f"game {self.number}, {tap.name}: {leak}") from leak
            # The record has them all, when the game is over.
            before = [m.body for m in messages if m.to_viewer and b'"seed":' not in m.body]
            no_secret_in(b"\n".join(before), truth, tap.name)
            if len(before) == sum(m.to_viewer for m in messages):
                no_secret_in(tap.to_viewer(), truth, tap.name)
        return told

    # ---- who there is -----------------------------------------------------------------------

    def _seats(self) -> list[str | None]:
        seats: list[str | None] = ["me"]
        if self.players > 2 and self.number % 3 == 0:
            seats.append("me")
        others: list[str | None] = [None, "greenhorn", None, "clerk", None]
        if self.number % 2:
            others = ["greenhorn", None, None, "clerk", None]
        return seats + others[: self.players - len(seats)]

    def _settings(self) -> p.Settings:
        figures: dict[str, Any] | None = None
        if self.number % 4 == 3:
            figures = shipped("columbia-2015").to_figures()
            figures["id"] = "poor"
            figures["starting_cash"] = dict.fromkeys(figures["starting_cash"], POOR)
        return p.Settings(
            figures=figures,
            options=OPTIONS[self.number // 5 % len(OPTIONS)],
            clock=p.LiveClock() if self.number % 7 == 0 else p.NoClock(),
            pace=0,
            public=self.number % 2 == 0,
            stand_in="greenhorn",
        )

    async def _person(self, name: str, introduced: bool = True) -> Person:
        [tap] = await self._stack.enter_async_context(taps(self.server, name))
        self.taps.append(tap)
        person = await self._stack.enter_async_context(Person(tap.url, name))
        self.persons[name] = (await person.introduce()).person if introduced else None
        return person

    async def _table(self, person: Person, sit: bool = True) -> Table:
        return await self._stack.enter_async_context(person.watch(self.table_id, sit=sit))

    # ---- what they do -----------------------------------------------------------------------

    async def _play(self, people: list[Person]) -> None:
        host = people[0]
        again = await self._person("host again", introduced=False)
        await again.use_link((await host.link()).token)
        self.persons["host again"] = self.persons["host"]
        spectator = await self._person("spectator")
        nobody = await self._person("nobody", introduced=False)
        tables = [await self._table(person) for person in people]
        await asyncio.gather(*(table.ready() for table in tables))
        work = [self._plays(table) for table in tables]
        for person, table in zip(people, tables, strict=True):
            if person.name == "leaver":
                work.append(self._leaves_and_returns(person, table))
            if person.name == "deserter":
                work.append(self._leaves_for_good(person, table))
        work += [self._watches(person, await self._table(person)) for person in (spectator, nobody)]
        work.append(self._sees_no_hand(await self._table(again, sit=False)))
        work.append(self._comes_late())
        await asyncio.gather(*work)
        record = await nobody.record(self.table_id)
        read_record(record)
        assert tables[0].check_shuffle(record)

    async def _plays(self, table: Table) -> None:
        """To the end, with whatever a curious player tries on the way."""
        refusals = 0
        while True:
            await table.until(lambda table: table.over or table.my_turn, PATIENCE_S)
            if table.over:
                return
            try:
                await self._tries(table)
                await play_turn(table, lambda _view, legal, _preview: self._rng.choice(legal))
            except RefusedError:
                # Somebody has left in the middle of their turn, or the line was lost in it.
                refusals += 1
                assert refusals < 20
            if self._rng.random() < 0.05:
                await table.drop()

    async def _tries(self, table: Table) -> None:
        await table.look(table.to_move)
        assert table.view is not None
        if not table.view["legal"]:  # a computer has moved meanwhile for somebody who left
            return
        first: str = table.view["legal"][0]
        turn = table.turn_number
        tile = self._rng.choice(sorted(TILES))
        attempts: list[Attempt] = [
            partial(table.preview, [tile]),
            partial(table.preview, ["A1", "pass", "+DEN", "-DEN1", "nonsense"]),
            partial(table.preview, [first, self._rng.choice(["+DEN", "+OMA", "-DEN1", "A1"])]),
            partial(table.turn, [tile], max(1, turn - 1)),
            partial(table.turn, [first], turn + 1),
            partial(table.look, (min(table.you.seats) + 1) % self.players),
            partial(self._looks_at_all, table),
        ]
        if self._rng.random() < 0.2:
            with contextlib.suppress(RefusedError):
                await self._rng.choice(attempts)()
        if self._rng.random() < 0.1:
            await table.hint()
        if self._rng.random() < 0.05:
            await table.say("what a fine day to build a railway")

    async def _looks_at_all(self, table: Table) -> None:
        """Asking for the next hand before the one before it has come."""
        await asyncio.gather(*(table.look(seat) for seat in (*table.you.seats, table.to_move)))

    async def _leaves_and_returns(self, person: Person, table: Table) -> None:
        for begin in (6, 20):
            await table.until(partial(_past, begin), PATIENCE_S)
            await person.leave(self.table_id)
            await table.until(partial(_past, begin + 7), PATIENCE_S)
            await table.come_back()

    async def _leaves_for_good(self, person: Person, table: Table) -> None:
        await table.until(partial(_past, 12), PATIENCE_S)
        await person.leave(self.table_id, for_good=True)

    async def _watches(self, person: Person, table: Table) -> None:
        """A spectator asks for everything that can be asked for."""
        tap = next(tap for tap in self.taps if tap.url == person.base_url)
        for turn in range(1, 60, 9):
            await table.until(partial(_past, turn), PATIENCE_S)
            if table.over:
                return
            for attempt in (
                table.look(0),
                table.preview([]),
                table.hint(),
                table.turn(["A1"]),
                person.record(self.table_id),
                person.rematch(self.table_id),
            ):
                try:
                    await attempt
                except RefusedError:
                    continue
                assert (await person.info(self.table_id)).status == "over"
            await person.info(self.table_id)
            await person.public_tables()
            if person.name == "spectator":
                await table.say("who has the mountain tiles?")
            for path in ("/metrics", "/api/me", "/nowhere"):
                await tap.get(path)
            await table.drop()

    async def _comes_late(self) -> None:
        """In the middle of the game, for a welcome that tells all of it."""
        late = await self._person("latecomer")
        for _ in range(3):
            await asyncio.sleep(0.1)
            async with late.watch(self.table_id):
                pass

    async def _sees_no_hand(self, table: Table) -> None:
        """The host's other device never looks; with several seats it is shown no hand."""
        open_hands = table.info.settings.options.hands == "open"
        while not table.over:
            if table.view is not None and len(table.you.seats) > 1 and not open_hands:
                assert not any(table.view["hands"])
            await table.until(partial(_past, table.turn_number), PATIENCE_S)


def _past(turn: int, table: Table) -> bool:
    return table.over or table.turn_number > turn
