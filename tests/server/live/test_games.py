"""Whole games over real sockets: people, computer players, spectators, leavers and returners."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from lastspike import protocol as p
from lastspike.bots.levels import LEVELS
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.rules.editions.shipped import shipped
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    SharedServers,
    begin,
    by_chance,
    check_game,
    events,
    finish,
    goes,
    happened,
    in_database,
    metric,
    people,
    same_step,
    until,
    watching,
)
from tests.server.running import RunningServer

pytestmark = pytest.mark.anyio

SLOW = p.Settings(pace=10_000, stand_in="greenhorn")
"""Computers move so late that whatever is tested happens before."""


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, shared_servers: SharedServers) -> RunningServer:
    """One for all tests, which make tables of their own."""
    return shared_servers.get(request.param)


def fast(**options: Any) -> p.Settings:
    return p.Settings(pace=0, stand_in="greenhorn", options=p.GameOptions(**options))


# ---- who plays ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        (["me", None], fast()),
        (["me", None, "clerk"], fast(double_cost="open")),
        (["me", "me", None, "surveyor"], fast(cash="hidden")),
        (["me", None, "me", None, "speculator"], fast(hands="open")),
        (["greenhorn", None, "me", None, "me", "clerk"], fast(double_cost="open", cash="hidden")),
    ],
    ids=["2", "3", "4", "5", "6"],
)
async def test_a_whole_game(
    server: RunningServer, seats: list[str | None], settings: p.Settings
) -> None:
    """The one who makes the table has each `me`, others come to the free seats, two watch."""
    free = seats.count(None)
    async with (
        people(server.url, "Ada", *(f"Guest {number}" for number in range(free))) as players,
        people(server.url, "Sue", "") as (sue, nobody),
    ):
        ada, *guests = players
        table_id = await ada.create(seats, settings)
        for guest in guests:
            await guest.take_seat(table_id)
        await sue.introduce()
        async with (
            watching(table_id, *players) as at_table,
            watching(table_id, sue, nobody) as (seen, seen_by_nobody),
        ):
            await begin(*at_table)
            await asyncio.gather(finish(*at_table, seed=seats), _talk(at_table[0], seen))
            viewers = dict(zip(players, at_table, strict=True))
            viewers |= {sue: seen, nobody: seen_by_nobody}
            record = await check_game(server, table_id, viewers)
            assert record.game.setup.players == len(seats)
            assert record.game.setup.options._asdict() == msgspec.structs.asdict(settings.options)
            made = happened(seen, "turn_made")
            assert {each["seat"]: each.get("level") for each in made} == {
                seat: who if who in LEVELS else None for seat, who in enumerate(seats)
            }
            assert [each["level"] for each in record.raw["players"]] == [
                who if who in LEVELS else None for who in seats
            ]
            names = [each["name"] for each in record.raw["players"]]
            assert len(set(names)) == len(names)


async def _talk(player: Table, spectator: Table) -> None:
    """While the others play. What spectators say is not told to players; `check_game` looks."""
    for number in range(3):
        await player.say(f"My line {number}")
        await spectator.say(f"How they play! {number}")


async def test_many_tables_at_once(server: RunningServer) -> None:
    """A person may sit at several, and nothing of one is told at another."""

    async def game(number: int) -> None:
        guest = guests[number]
        table_id = await ada.create(["me", None, "greenhorn"], FAST)
        await guest.take_seat(table_id)
        async with watching(table_id, ada, guest) as (mine, theirs):
            await begin(mine, theirs)
            await finish(mine, theirs, seed=number)
            record = await check_game(server, table_id, {ada: mine, guest: theirs})
            assert record.raw["table"] == table_id
            commitments.add(record.raw["shuffle"]["commitment"])

    commitments: set[str] = set()
    async with people(server.url, "Ada", "B", "C", "D", "E") as (ada, *guests):
        await ada.introduce()
        await asyncio.gather(*(game(number) for number in range(len(guests))))
        assert len(commitments) == len(guests)
        mine = await ada.tables()
        assert [table.status for table in mine] == ["over"] * len(guests)


async def test_an_edition_of_one_s_own_goes_into_the_record(server: RunningServer) -> None:
    figures = shipped().to_figures()
    figures["id"] = "our-garden"
    figures["starting_cash"] = dict.fromkeys(figures["starting_cash"], 9000)
    settings = p.Settings(figures=figures, pace=0, options=p.GameOptions(double_cost="open"))
    async with people(server.url, "Ada", "Bob", "Sue") as (ada, bob, sue):
        table_id = await ada.create(["me", None, "me", "greenhorn"], settings)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob, sue) as (a, b, seen):
            await begin(a, b)
            await finish(a, b, seed="garden")
            record = await check_game(server, table_id, {ada: a, bob: b, sue: seen})
            assert record.raw["figures"]["id"] == "our-garden"
            assert record.game.setup.edition.starting_cash[4] == 9000
            # Poor as they are, somebody goes bankrupt, and the pool is mixed again.
            assert record.raw["result"]["bankrupt"]
            assert record.raw["remixed"]
            assert any(
                event["event"] == "bankruptcy" for step in seen.steps for event in events(step)
            )


async def test_with_open_hands_everybody_sees_all_and_nobody_the_pool(
    server: RunningServer,
) -> None:
    async with people(server.url, "Ada", "Sue") as (ada, sue):
        table_id = await ada.create(["me", "greenhorn"], fast(hands="open"))
        async with watching(table_id, ada, sue) as (a, seen):
            await begin(a)
            await a.until(lambda table: table.my_turn)
            await same_step(a, seen)
            assert a.view is not None
            assert seen.view is not None
            assert seen.view["hands"] == a.view["hands"]
            assert all(len(hand) == 4 for hand in seen.view["hands"])
            assert isinstance(seen.view["pool"], int)


async def test_hidden_cash_is_told_to_its_owner_alone_until_the_end(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", "Sue") as (ada, bob, sue):
        table_id = await ada.create(["me", None], fast(cash="hidden"))
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob, sue) as (a, b, seen):
            await begin(a, b)
            await same_step(a, b, seen)
            for table, shown in ((a, {0}), (b, {1}), (seen, set())):
                assert table.view is not None
                cash = table.view["cash"]
                assert {seat for seat, amount in enumerate(cash) if amount is not None} == shown
            await finish(a, b, seed="hidden")
            await same_step(a, b, seen)
            assert seen.view is not None
            assert None not in seen.view["cash"]


# ---- who leaves, and who comes back ---------------------------------------------------------


async def test_a_leaver_gets_the_seat_back_at_once_and_the_computer_s_turn_is_void(
    server: RunningServer,
) -> None:
    """A second table tells when the computer would have moved: it began later, at the same pace."""
    paced = p.Settings(pace=2500, stand_in="surveyor")
    thought = 'lastspike_thinking_seconds_count{level="surveyor"}'
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        table_id = await ada.create(["me", "me"], paced)
        clock_id = await bob.create(["me", "me"], paced)
        async with watching(table_id, ada) as (a,), watching(clock_id, bob) as (clock,):
            await begin(a, clock)
            await a.look(a.to_move)
            await a.hint()  # after which whoever thinks has been started, and thinks fast
            before = await metric(server, thought)
            left = await ada.leave(table_id)
            await bob.leave(clock_id)
            await until(lambda: _above(server, thought, before + 1))  # both have made up their mind
            assert a.number == left
            assert [seat.level for seat in a.info.seats] == ["surveyor"] * 2
            back = await a.come_back()
            assert back == a.number == left + 1
            assert a.my_turn
            assert [seat.level for seat in a.info.seats] == [None] * 2
            await clock.until(lambda clock: happened(clock, "turn_made"), PATIENCE)
            await a.ping()
            assert a.number == back
            assert a.turn_number == 1
            await play_turn(a)
            assert happened(a, "turn_made")[0].get("level") is None
            await ada.close_table(table_id)
            await bob.close_table(clock_id)


async def _above(server: RunningServer, name: str, least: float) -> bool:
    return await metric(server, name) > least


async def test_computers_play_on_for_leavers_who_return(server: RunningServer) -> None:
    """By a request, by opening the page again, and by making the turn."""
    async with people(server.url, "Ada", "Bob", "Cy", "Sue") as (ada, bob, cy, sue):
        table_id = await ada.create(["me", None, None, "greenhorn"], FAST)
        await bob.take_seat(table_id)
        await cy.take_seat(table_id)
        async with watching(table_id, ada, cy, sue) as (a, c, seen):
            async with bob.watch(table_id) as b:
                await begin(a, b, c)
                contribution = b.contribution
            await bob.leave(table_id)
            await cy.leave(table_id)
            while min(_turns_by(a, "greenhorn", seat) for seat in (1, 2)) < 2:
                await a.until(lambda a: a.my_turn, PATIENCE)
                await play_turn(a, by_chance("leavers"))
            await a.until(lambda a: a.my_turn, PATIENCE)  # the rest of the game waits for Ada
            async with bob.watch(table_id) as b:
                await b.until(lambda b: not b.info.seats[1].stands_in, PATIENCE)
                b.contribution = contribution
                await cy.come_back(table_id)
                await finish(a, b, c, seed="returners")
                record = await check_game(server, table_id, {ada: a, bob: b, cy: c, sue: seen})
                assert _turns_by(seen, None, 1) >= 1
                assert _turns_by(seen, None, 2) >= 1
                assert {each["seat"] for each in happened(seen, "seat_returned")} == {1, 2}
                # They were away for a while and it is still their game.
                assert not any("left" in each for each in record.raw["players"])


def _turns_by(table: Table, level: str | None, seat: int) -> int:
    return sum(
        each["seat"] == seat and each.get("level") == level for each in happened(table, "turn_made")
    )


async def test_making_the_turn_brings_a_leaver_back(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        table_id = await ada.create(["me", None], SLOW)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            mover, person = (a, ada) if a.my_turn else (b, bob)
            await person.leave(table_id)
            await mover.until(lambda mover: not mover.my_turn)
            assert mover.view is not None
            number = await mover.turn([mover.view["legal"][0]])
            step = next(step for step in mover.steps if step.number == number)
            assert [each["kind"] for each in step.happenings] == ["seat_returned", "turn_made"]
            assert "level" not in step.happenings[1]
            await same_step(a, b)
            assert not any(seat.stands_in for seat in a.info.seats)


async def test_a_dropped_connection_is_not_leaving(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada) as (a,):
            async with bob.watch(table_id) as b:
                await begin(a, b)
                await goes(b, a, 1)
            if a.my_turn:
                await play_turn(a)
            # It is Bob's turn, and nobody makes it.
            assert a.to_move == 1
            assert a.info.seats[1].level is None
            assert not happened(a, "seat_handed_over")
            with pytest.raises(RefusedError, match="two minutes"):
                await ada.hand_over(table_id, 1)
            async with bob.watch(table_id) as b:
                assert b.my_turn


async def test_who_leaves_for_good_is_in_the_record_and_ranked(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", "Cy") as (ada, bob, cy):
        table_id = await ada.create(["me", None, None], FAST)
        await bob.take_seat(table_id)
        await cy.take_seat(table_id)
        async with watching(table_id, ada, bob, cy) as (a, b, c):
            await begin(a, b, c)
            await ada.leave(table_id, for_good=True)
            await a.until(lambda a: a.info.seats[0].for_good)
            assert await a.come_back() == 0
            assert await ada.come_back(table_id) == 0
            assert a.info.seats[0].level == "greenhorn"
            with pytest.raises(RefusedError):
                await a.turn(["A1"])
            # The table has another host, who can do what hosts do.
            assert a.info.host == b.you.person
            await b.until(lambda b: b.you.host)
            await bob.mute(table_id, a.you.person or "")
            async with ada.watch(table_id) as again:  # opening the page again changes nothing
                await again.ping()
                assert again.info.seats[0].for_good
            await finish(b, c, seed="for good")
            await a.until(lambda a: a.over)
            record = await check_game(server, table_id, {ada: a, bob: b, cy: c})
            left = [bool(each.get("left")) for each in record.raw["players"]]
            assert left == [True, False, False]
            assert record.raw["players"][0] == {"name": "Ada", "level": None, "left": True}
            # The result counts for the leaver: a rank and the cash of the seat, as for anybody.
            result = record.raw["result"]
            assert sorted(result) == ["bankrupt", "cash", "last_spike", "ranks", "winners"]
            assert len(result["ranks"]) == len(result["cash"]) == 3
            assert _turns_by(b, "greenhorn", 0) > 5
            assert await ada.record(table_id) == record.raw


async def test_when_everybody_has_left_computers_finish_and_whoever_returns_finds_all(
    server: RunningServer,
) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        table_id = await ada.create(["me", None, "clerk"], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            mine, theirs = a.contribution, b.contribution
        await ada.leave(table_id)
        await bob.leave(table_id, for_good=True)
        await until(lambda: _is_over(ada, table_id))
        async with watching(table_id, ada, bob) as (a, b):
            assert a.over
            a.contribution, b.contribution = mine, theirs
            record = await check_game(server, table_id, {ada: a, bob: b})
            assert all(each["level"] for each in happened(a, "turn_made"))
            assert [bool(each.get("left")) for each in record.raw["players"]] == [
                False,
                True,
                False,
            ]


async def _is_over(person: Person, table_id: str) -> bool:
    return (await person.info(table_id)).status == "over"


async def test_a_clock_that_runs_out_hands_the_seat_over_until_its_person_returns(
    server: RunningServer,
) -> None:
    """Nobody waits for ten seconds here: while the server is down, the log grows older."""
    settings = p.Settings(pace=0, stand_in="clerk", clock=p.LiveClock(bank=10, increment=0))
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        table_id = await ada.create(["me", None], settings)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            mover, seat = (a, 0) if a.my_turn else (b, 1)
            assert mover.clock is not None
            assert mover.clock.banks == [10_000, 10_000]
            assert mover.clock.deadline == mover.steps[-1].at + 10_000
            await asyncio.to_thread(server.stop)
            older = "UPDATE step SET at = at - 9000 WHERE table_id = :table"
            await in_database(server, older, table=table_id)
            await asyncio.to_thread(server.start)
            await mover.until(lambda mover: happened(mover, "seat_handed_over"), PATIENCE)
            (handed,) = happened(mover, "seat_handed_over")
            assert handed == {
                "kind": "seat_handed_over",
                "seat": seat,
                "level": "clerk",
                "why": "clock",
            }
            # The time that the server was down was given back before it counted.
            assert happened(mover, "clock_given_back")
            await mover.until(lambda mover: happened(mover, "turn_made"), PATIENCE)
            await mover.come_back()
            assert mover.clock is not None
            assert mover.clock.banks is not None
            assert mover.clock.banks[seat] == 60_000
            await ada.close_table(table_id)
