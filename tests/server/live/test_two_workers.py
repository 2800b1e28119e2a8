"""Several workers on one PostgreSQL: what one does is known to viewers at the other, and done once.

Most tests use two servers of one worker each, so that it is known who is connected through which.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.client import LostError, Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.live.scheduler import _weight
from lastspike.server.people.sessions import Sessions
from lastspike.server.storage import Storage
from tests.server.company import (
    FAST,
    PATIENCE,
    Letterbox,
    begin,
    check_game,
    finish,
    goes,
    happened,
    heard,
    in_database,
    metric,
    people,
    same_step,
    sees,
    until,
    watching,
)
from tests.server.databases import PostgresServer
from tests.server.running import RunningServer, running_server

pytestmark = pytest.mark.anyio

Pair = tuple[RunningServer, RunningServer]


@pytest.fixture(scope="module")
def pair(postgres_server: PostgresServer) -> Iterator[Pair]:
    """Two servers on one database, which know of each other."""
    with (
        postgres_server.new_database() as url,
        running_server(url, allow_private_webhooks=True) as one,
        running_server(url, allow_private_webhooks=True) as other,
    ):
        asyncio.run(known_to_each_other(one, 2))
        yield one, other


async def known_to_each_other(server: RunningServer, count: int) -> set[str]:
    """Wait until so many workers have each had a look at who lives; returns their ids."""
    beats = "SELECT id, beat_at FROM worker"
    first = dict(tuple(row) for row in await in_database(server, beats))
    alive: set[str] = set()

    async def all_have_looked() -> bool:
        now = dict(tuple(row) for row in await in_database(server, beats))
        alive.update(each for each in now if each not in first or now[each] > first[each])
        first.update({each: at for each, at in now.items() if each not in first})
        return len(alive) >= count

    await until(all_have_looked)
    alive.clear()
    first.update(dict(tuple(row) for row in await in_database(server, beats)))
    await until(all_have_looked)  # once more: a beat comes before the look
    return alive


async def both(pair: Pair, name: str) -> float:
    """A counter of the two together."""
    return await metric(pair[0], name) + await metric(pair[1], name)


def device(person: Person, server: RunningServer) -> Person:
    """The same person at another server of the same site."""
    return Person(server.url, person.name, secret=person.secret, patience=PATIENCE)


# ---- two servers ----------------------------------------------------------------------------


async def test_a_whole_game_with_players_at_different_workers(pair: Pair) -> None:
    one, other = pair
    thought = 'lastspike_thinking_seconds_count{level="greenhorn"}'
    before = await both(pair, thought), await both(pair, "lastspike_turns_total")
    async with (
        people(one.url, "Ada", "Sue") as (ada, sue),
        people(other.url, "Bob", "Tom") as (bob, tom),
    ):
        table_id = await ada.create(["me", None, "greenhorn", "greenhorn"], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob, sue, tom) as (a, b, s, t):
            await begin(a, b)
            await finish(a, b, seed="two workers")
            await a.say("Well played")
            last = await b.say("You too")
            for table in (a, b, s, t):
                await heard(table, last)
            await check_game(one, table_id, {ada: a, bob: b, sue: s, tom: t})
            turns = happened(a, "turn_made")
    # Each turn was stored once, and each of the computers' thought out by one of the two, but for
    # moments in which a busy machine lets one take the other for dead.
    gained = await both(pair, "lastspike_turns_total") - before[1]
    assert gained == len(turns)
    by_computer = sum("level" in turn for turn in turns)
    assert by_computer <= await both(pair, thought) - before[0] < 1.5 * by_computer


async def test_many_tables_are_kept_by_one_or_the_other(pair: Pair) -> None:
    """Whoever keeps a table, and wherever it is watched, its computers move."""

    async def game(number: int) -> None:
        async with people(pair[number % 2].url, "Ada") as (ada,):
            table_id = await ada.create(["me", "greenhorn", "clerk"], FAST)
            async with ada.watch(table_id) as table:
                await begin(table)
                await finish(table, seed=number)
                await check_game(pair[0], table_id, {ada: table})

    await asyncio.gather(*(game(number) for number in range(8)))


async def test_presence_is_shared(pair: Pair) -> None:
    def told(here: list[bool], spectators: int) -> Any:
        return lambda table: (
            table.presence is not None
            and table.presence.here == here
            and table.presence.spectators == spectators
        )

    async with (
        people(pair[0].url, "Ada") as (ada,),
        people(pair[1].url, "Bob", "Sue", "") as (bob, sue, nobody),
    ):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        await sue.introduce()
        async with ada.watch(table_id) as a:
            await a.until(told([True, False], 0), PATIENCE)
            async with bob.watch(table_id) as b, sue.watch(table_id), nobody.watch(table_id):
                await a.until(told([True, True], 2), PATIENCE)
                await b.until(told([True, True], 2), PATIENCE)
                async with device(bob, pair[0]) as same, same.watch(table_id):
                    await b.until(told([True, True], 2), PATIENCE)
                await a.until(told([True, True], 2), PATIENCE)
                with pytest.raises(RefusedError, match=r"(?i)no game"):
                    await ada.hand_over(table_id, 1)
            await a.until(told([True, False], 0), PATIENCE)
            assert a.presence is not None
            assert a.presence.away_since[1] is not None


async def test_a_device_that_is_ended_through_one_worker_is_out_at_the_other(pair: Pair) -> None:
    """A thief's socket shows the hand until then, and can't make the turn that is theirs."""
    async with people(pair[0].url, "Ada", "Bob", "Eve", "") as (ada, bob, eve, stolen):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        await stolen.use_link((await ada.link()).token)
        async with (
            device(stolen, pair[1]) as thief,
            watching(table_id, ada, bob, eve, thief) as (a, b, e, t),
        ):
            await begin(a, b)
            if not a.my_turn:
                await play_turn(b)
            await same_step(a, b, t)
            assert t.my_turn
            assert t.view is not None
            turn, legal = t.turn_number, t.view["legal"][0]
            await ada.forget_other_devices()
            with pytest.raises(LostError) as lost:
                await t.until(lambda _: False, PATIENCE)
            assert lost.value.code == p.CLOSE_LOGGED_OUT
            async with device(stolen, pair[1]) as again, again.watch(table_id) as seen:
                assert seen.you.seats == []
                with pytest.raises(RefusedError, match=r"(?i)name first"):
                    await seen.turn([legal], turn)
            assert a.turn_number == turn
            await play_turn(a)
            await same_step(a, b, e)


async def test_an_operator_ends_a_person_at_every_worker(pair: Pair) -> None:
    """As a ban does: all sessions, sockets and unused links, from a process of its own."""
    async with (
        people(pair[0].url, "Ada", "") as (ada, late),
        people(pair[1].url, "Bob", "Tom") as (bob, tom),
    ):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        me, link = await bob.introduce(), await bob.link()
        async with (
            device(bob, pair[0]) as same,
            watching(table_id, ada, bob, same, tom) as (a, b, s, t),
        ):
            storage = Storage(pair[0].database_url)
            await storage.open()
            assert await Sessions(storage, OpenSockets(storage)).end_all(me.person) == 1
            await storage.close()
            for table in (b, s):
                with pytest.raises(LostError) as lost:
                    await table.until(lambda _: False, PATIENCE)
                assert lost.value.code == p.CLOSE_LOGGED_OUT
            await sees(a, 1, here=False)
            with pytest.raises(RefusedError):
                await late.use_link(link.token)
            await heard(t, await a.say("Gone"))


async def test_of_two_turns_at_once_through_different_workers_exactly_one_wins(pair: Pair) -> None:
    """Ada has a device at each, and both make another turn of it; then Bob likewise."""
    async with people(pair[0].url, "Ada", "Bob") as (ada, bob):
        table_id = await ada.create(["me", None], p.Settings(options=p.GameOptions("open")))
        await bob.take_seat(table_id)
        async with (
            device(ada, pair[1]) as ada_too,
            device(bob, pair[1]) as bob_too,
            watching(table_id, ada, ada_too, bob, bob_too) as (a, a2, b, b2),
        ):
            await begin(a, b)
            for turn in range(1, 13):
                await same_step(a, a2, b, b2)
                here, there = (a, a2) if a.my_turn else (b, b2)
                assert here.view is not None
                legal = here.view["legal"]
                outcomes = await asyncio.gather(
                    here.turn([legal[0]], turn),
                    there.turn([legal[-1]], turn),
                    return_exceptions=True,
                )
                won = [each for each in outcomes if isinstance(each, int)]
                lost = [each for each in outcomes if isinstance(each, RefusedError)]
                assert (len(won), len(lost)) == (1, 1)
                assert lost[0].stale
                assert lost[0].turn == turn + 1
                await same_step(a, a2, b, b2)
                made = happened(b2, "turn_made")
                assert len(made) == turn
                chosen = legal[0] if isinstance(outcomes[0], int) else legal[-1]
                assert made[-1]["moves"][0] == chosen
            assert a.steps == a2.steps
            assert b.steps == b2.steps


async def test_one_request_sent_to_both_counts_once(pair: Pair) -> None:
    async with people(pair[0].url, "Ada") as (ada,), device(ada, pair[1]) as ada_too:
        table_id = await ada.create(["me", "me"], FAST)
        ada_too.secret = ada.secret
        async with watching(table_id, ada, ada_too) as (a, a2):
            await begin(a)
            await same_step(a, a2)
            for turn in range(1, 9):
                for table in (a, a2):
                    await table.look(table.to_move)
                assert a.view is not None
                commit = p.CommitTurn(f"turn-{turn}", turn, [a.view["legal"][0]])
                say = p.Say(f"say-{turn}", "Once only")
                done = await asyncio.gather(a.ask(commit), a2.ask(commit))
                assert done[0] == done[1]
                done = await asyncio.gather(a.ask(say), a2.ask(say))
                assert done[0] == done[1]
                await same_step(a, a2)
            assert len(happened(a, "turn_made")) == len(happened(a, "said")) == 8


async def test_what_one_worker_did_is_so_at_the_other_at_once(pair: Pair) -> None:
    """Whoever was answered by one may ask the other without waiting for news."""
    async with people(pair[0].url, "Ada") as (ada,), people(pair[1].url, "Bob") as (bob,):
        for number in range(5):
            table_id = await ada.create(["me", None, None, None], FAST)
            await bob.take_seat(table_id)
            assert (await ada.info(table_id)).seats[1].name == "Bob"
            await ada.set_seat(table_id, 2, "clerk")
            assert (await bob.info(table_id)).seats[2].level == "clerk"
            await bob.take_seat(table_id)
            await ada.change_settings(table_id, p.Settings(pace=number))
            with pytest.raises(RefusedError, match=r"(?i)every seat is taken"):
                await bob.take_seat(table_id)
            await ada.close_table(table_id)
            with pytest.raises(RefusedError, match=r"(?i)closed"):
                await bob.take_seat(table_id)
            assert {each.status for each in await bob.tables()} == {"closed"}


async def test_a_rematch_asked_for_at_both_is_one_table(pair: Pair) -> None:
    async with people(pair[0].url, "Ada") as (ada,), people(pair[1].url, "Bob") as (bob,):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            await finish(a, b)
            asking = [person.rematch(table_id) for person in (ada, bob, ada, bob)]
            (again,) = set(await asyncio.gather(*asking))
            async with watching(again, ada, bob) as (a, b):
                await begin(a, b)
                assert [seat.name for seat in b.info.seats] == ["Ada", "Bob"]


async def test_who_leaves_through_one_and_returns_through_the_other(pair: Pair) -> None:
    async with people(pair[0].url, "Ada") as (ada,), people(pair[1].url, "Bob") as (bob,):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            async with device(bob, pair[0]) as elsewhere:
                await elsewhere.leave(table_id)
            await b.until(lambda b: b.info.seats[1].stands_in, PATIENCE)
            if a.my_turn:
                await play_turn(a)
            await a.until(lambda a: _by_computer(a) >= 1, PATIENCE)
            await b.come_back()
            await a.until(lambda a: not a.info.seats[1].stands_in, PATIENCE)
            await finish(a, b)
            await check_game(pair[1], table_id, {ada: a, bob: b})


def _by_computer(table: Table) -> int:
    return sum("level" in each for each in happened(table, "turn_made"))


async def test_an_alert_is_sent_once(pair: Pair) -> None:
    """By the worker that made the step, though both have the table."""
    with Letterbox() as box:
        async with (
            people(pair[0].url, "Ada") as (ada,),
            people(pair[1].url, "Bob", "Sue") as (bob, sue),
        ):
            await bob.introduce()
            await bob.add_webhook(p.NewWebhook(box.url))
            table_id = await ada.create(["me", None], FAST)
            await bob.take_seat(table_id)
            async with watching(table_id, ada, sue) as (a, s):
                turns = []
                for _ in range(3):
                    async with bob.watch(table_id) as b:
                        if a.view is None:
                            await begin(a, b)
                        await same_step(a, b)
                        if b.my_turn:
                            await play_turn(b)
                        await goes(b, a, 1)
                    await a.until(lambda a: a.my_turn, PATIENCE)
                    await play_turn(a)
                    await same_step(a, s)
                    turns.append(a.turn_number)
                    await box.wait_for(len(turns))
                assert [letter.json["turn"] for letter in box.letters] == turns


async def test_a_worker_that_leaves_hands_its_tables_to_the_others(pair: Pair) -> None:
    """A third server comes, keeps a table, and goes; its computers play on all the same."""
    one = pair[0]
    before = await known_to_each_other(one, 2)
    with running_server(one.database_url) as third:
        workers = await known_to_each_other(one, 3)
        (its_id,) = workers - before
        async with people(one.url, "Ada") as (ada,):
            while True:
                table_id = await ada.create(["me", "greenhorn", "greenhorn"], p.Settings(pace=100))
                if max(workers, key=lambda worker: _weight(worker, table_id)) == its_id:
                    break
            thought = 'lastspike_thinking_seconds_count{level="greenhorn"}'
            async with ada.watch(table_id) as a:
                await begin(a)
                await a.until(lambda a: a.my_turn, PATIENCE)
                await play_turn(a)
                await a.until(lambda a: a.my_turn, PATIENCE)
                assert await metric(third, thought) >= 2  # it was this one that kept it
                await play_turn(a)
                await asyncio.to_thread(third.stop)
                made = _by_computer(a)
                await a.until(lambda a: a.my_turn, PATIENCE)
                await ada.change_settings(table_id, FAST)
                await finish(a, seed="handed on")
                assert _by_computer(a) > made
                await check_game(one, table_id, {ada: a})


# ---- one server with two workers ------------------------------------------------------------


async def test_one_server_with_two_workers_plays_counts_and_ends(postgres_url: str) -> None:
    with running_server(postgres_url, workers=2) as server:
        assert len(server.workers) == 2
        async with people(server.url, "Ada", "Bob", "Cy", "Sue") as everybody:
            ada, bob, cy, _ = everybody
            table_id = await ada.create(["me", None, None, "greenhorn"], FAST)
            await bob.take_seat(table_id)
            await cy.take_seat(table_id)
            async with watching(table_id, *everybody) as tables:
                assert await metric(server, "lastspike_sockets_open") == 4
                await begin(*tables[:3])
                await finish(*tables[:3], seed="one server")
                viewers = dict(zip(everybody, tables, strict=True))
                await check_game(server, table_id, viewers)
                turns = len(happened(tables[0], "turn_made"))
            # Whichever worker is asked tells of both.
            for _ in range(6):
                assert await metric(server, "lastspike_turns_total") == turns
            await until(lambda: _is(server, "lastspike_sockets_open", 0))
            used = await in_database(server, "SELECT count(*) FROM worker")
            assert used == [(2,)]


async def _is(server: RunningServer, name: str, value: float) -> bool:
    return await metric(server, name) == value
