"""The Daily Deal on a real server: one ranked try, the same deal for everybody, and no leaks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, play_to_end
from lastspike.client.errors import LostError
from lastspike.daily.chain import Chain, begins_ms, read_day
from lastspike.rules.records.record import read_record
from tests.server.company import KINDS, in_database, server_on, until
from tests.server.running import RunningServer

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    with server_on(request) as running:
        yield running


def last_legal(_view: Any, legal: Any, _preview: Any) -> str:
    return str(legal[-1])


async def played(me: Person, table_id: str, choose: Any = None) -> list[Any]:
    """Play a daily game to its end; all turns as they were told."""
    async with me.watch(table_id) as table:
        await (play_to_end(table) if choose is None else play_to_end(table, choose))
        return [
            (event["seat"], event["moves"])
            for step in table.steps
            for event in step.happenings
            if event["kind"] == "turn_made"
        ]


async def scored(me: Person, table_id: str) -> p.DailyResult:
    async def known() -> bool:
        return (await me.daily_result(table_id)).mine.status == "scored"

    await until(known, 300)
    return await me.daily_result(table_id)


async def test_everybody_gets_the_same_deal_once(server: RunningServer) -> None:
    async with AsyncExitStack() as stack:
        ada, bob = [
            await stack.enter_async_context(Person(server.url, name)) for name in ("Ada", "Bob")
        ]
        for person in (ada, bob):
            await person.introduce()
        today = await ada.daily()
        assert today.mine is None
        made = await asyncio.gather(*(ada.play_daily(today.day) for _ in range(6)))
        assert len(set(made)) == 1, "asking several times at once gave several tries"
        table = made[0]
        other = await bob.play_daily(today.day)
        assert other != table

        await closed_to_others(server, bob, table)
        await nothing_but_playing(ada, table)

        by_ada = await played(ada, table)
        await closed_to_others(server, bob, table)
        by_bob = await played(bob, other, last_legal)
        first = next(n for n, (a, b) in enumerate(zip(by_ada, by_bob, strict=False)) if a != b)
        assert by_ada[first][0] == 0, "the computers answered the same moves differently"
        assert await ada.play_daily(today.day) == table, "a second ranked try"

        result = await scored(ada, table)
        assert result.mine.ranked
        assert len(result.turns) == sum(seat == 0 for seat, _ in by_ada)
        assert result.mine.points == pytest.approx(sum(turn.points for turn in result.turns))
        assert result.streak == 1
        with pytest.raises(RefusedError):
            await bob.daily_result(table)

        record = await ada.record(table)
        assert record["shuffle_from"] == today.ends
        assert read_record(record).shuffle is None

        await only_those_who_want_it_are_listed(ada, bob, other)
        await forgotten(server, ada, table)


async def closed_to_others(server: RunningServer, bob: Person, table: str) -> None:
    """While the day lasts, nobody but its person sees a ranked game."""
    for path in ("record",):
        async with httpx.AsyncClient(base_url=server.url) as http:
            assert (await http.get(f"/api/tables/{table}/{path}")).status_code == 403
    async with httpx.AsyncClient(base_url=server.url) as http:
        refused = (await http.post(f"/api/tables/{table}/review?quick=true")).status_code
        assert refused in (403, 409)
    with pytest.raises((RefusedError, LostError)):
        async with bob.watch(table) as watched:
            await watched.until(lambda table: table.over, 5)


async def nothing_but_playing(ada: Person, table: str) -> None:
    """No way out of a ranked try but playing or giving up, and no help from a computer."""
    for refused in (
        ada.leave(table),
        ada.close_table(table),
        ada.agree_to_end(table),
        ada.change_settings(table, p.Settings(stand_in="tycoon")),
        ada.hand_over(table, 0),
    ):
        with pytest.raises(RefusedError):
            await refused
    async with ada.watch(table) as live:
        await live.until(lambda table: table.my_turn, 30)
        with pytest.raises(RefusedError, match="hints"):
            await live.hint()


async def only_those_who_want_it_are_listed(ada: Person, bob: Person, bobs: str) -> None:
    await scored(bob, bobs)
    await bob.list_me(True)
    listed = (await ada.daily_lists()).today
    assert [(line.name, line.me, line.days) for line in listed] == [("Bob", False, 1)]
    assert (await bob.daily_lists()).today[0].me
    assert (await bob.daily_lists()).week == [], "a mean needs several days"
    await bob.list_me(False)
    assert (await bob.daily_lists()).today == []


async def forgotten(server: RunningServer, ada: Person, table: str) -> None:
    await ada.list_me(True)
    await ada.be_forgotten()
    for name in ("daily_try", "daily_listing"):
        rows = await in_database(server, f"SELECT * FROM {name} WHERE person_id IS NOT NULL")
        assert len(rows) == (1 if name == "daily_try" else 0), "Bob's try alone is left"


async def test_giving_up_is_played_on_by_a_computer(server: RunningServer) -> None:
    async with Person(server.url, "Cay") as cay:
        today = await cay.daily()
        table = await cay.play_daily(today.day)
        await cay.leave(table, for_good=True)
        result = await scored(cay, table)
        assert result.mine.gave_up
        assert result.mine.points == 0, "Surveyor played all turns"
        assert await cay.play_daily(today.day) == table


async def test_past_deals_are_unranked_and_later_ones_unknown(server: RunningServer) -> None:
    async with Person(server.url, "Dee") as dee:
        await dee.introduce()
        calendar = await dee.daily_calendar()
        today, past, oldest = calendar.days[0], calendar.days[1], calendar.days[-1]
        assert len(calendar.days) == 31
        for day in (past, past, oldest):
            await dee.play_daily(day)
        calendar = await dee.daily_calendar()
        assert [each.day for each in calendar.tries] == [past, past, oldest]
        assert not any(each.ranked for each in calendar.tries)
        assert calendar.streak == 0
        tomorrow = begins_ms(read_day(today)) / 86_400_000 + 1
        later = (read_day(today).fromordinal(int(tomorrow) + 719_163)).isoformat()
        for day in (later, "2020-01-01", "today"):
            with pytest.raises(RefusedError):
                await dee.play_daily(day)
        proof = await dee.daily_proof(past)
        chain = Chain(bytes.fromhex(proof.chain.anchor), read_day(proof.chain.first))
        assert chain.holds(read_day(past), bytes.fromhex(proof.link))
        for day in (today, later):
            with pytest.raises(RefusedError):
                await dee.daily_proof(day)
