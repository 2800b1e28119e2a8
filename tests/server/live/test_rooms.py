"""The waiting room and whatever else goes on round the game: seats, hosts, chat, lists, rematch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.server.http.routes.tables import MOST_HIDDEN
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage
from lastspike.server.table.errors import NotFound
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    begin,
    check_game,
    finish,
    goes,
    happened,
    heard,
    in_database,
    is_shared,
    people,
    same_step,
    server_in_a_hurry,
    server_on,
    until,
    watching,
)
from tests.server.running import RunningServer, running_server

pytestmark = pytest.mark.anyio

TOKEN = "who-knows-this-may-make-tables"


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """One for all tests: with a public list, and a token for those who make tables."""
    with server_on(request, public_list=True, create_token=TOKEN) as running:
        yield running


@asynccontextmanager
async def room(
    server: RunningServer,
    seats: list[str | None],
    *names: str,
    settings: p.Settings = FAST,
) -> AsyncIterator[tuple[str, list[Person], list[Table]]]:
    """A table with somebody of each name watching it: the first has made it, and those after take
    the free seats as long as there are any."""
    async with people(server.url, *names, create_token=TOKEN) as everybody:
        table_id = await everybody[0].create(seats, settings)
        guests = everybody[1:]
        for guest in guests[: seats.count(None)]:
            await guest.take_seat(table_id)
        for guest in guests[seats.count(None) :]:
            await guest.introduce()
        async with watching(table_id, *everybody) as tables:
            yield table_id, everybody, tables


def changed(settings: p.Settings = FAST, **what: Any) -> p.Settings:
    return msgspec.structs.replace(settings, **what)


def names(table: Table) -> list[str | None]:
    return [seat.name for seat in table.info.seats]


def refused(status: int, match: str) -> Any:
    """A refusal over HTTP with this status and such words."""

    def right(error: RefusedError) -> bool:
        return error.status == status

    return pytest.RaisesExc(RefusedError, match=rf"(?i){match}", check=right)


# ---- seats ----------------------------------------------------------------------------------


async def test_seats_are_taken_in_order_or_by_choice_with_names_made_unlike(
    server: RunningServer,
) -> None:
    async with (
        people(server.url, "Ada", create_token=TOKEN) as (ada,),
        people(server.url, "Ada", "Ada", "Bob") as (second, third, bob),
    ):
        table_id = await ada.create([None, "me", "clerk", None, None], FAST)
        await bob.introduce()
        async with watching(table_id, ada, bob) as (a, seen):
            assert names(a) == [None, "Ada", None, None, None]
            assert await second.take_seat(table_id, 4) == 2
            await third.take_seat(table_id)
            await third.take_seat(table_id)  # they may have two
            await same_step(a, seen)
            await heard(seen, 4)
            assert names(seen) == ["Ada 3", "Ada", None, "Ada 4", "Ada 2"]
            for seat, status, why in (
                (None, 409, "every seat is taken"),
                (1, 409, "this seat is already taken"),
                (2, 409, "this seat is already taken"),
                (5, 404, "no seat 6"),
            ):
                with refused(status, why):
                    await bob.take_seat(table_id, seat)
            await ada.set_seat(table_id, 2, None)
            await bob.take_seat(table_id)
            await seen.until(lambda seen: seen.you.seats == [2])
            assert [seat.person for seat in seen.info.seats].count(seen.you.person) == 1


async def test_names_of_several_seats_are_unlike_too(server: RunningServer) -> None:
    async with people(server.url, "Ada", create_token=TOKEN) as (ada,):
        table_id = await ada.create(["me", "me", "me", "me"], FAST, {1: "Grandma", 3: "Grandma"})
        info = await ada.info(table_id)
        assert [seat.name for seat in info.seats] == ["Ada", "Grandma", "Ada 2", "Grandma 2"]


async def test_a_table_needs_a_person_and_two_to_six_seats(server: RunningServer) -> None:
    async with people(server.url, "Ada", create_token=TOKEN) as (ada,):
        with refused(403, "at least one person"):
            await ada.create(["clerk", "clerk"], FAST)
        with refused(404, "no computer player called"):
            await ada.create(["me", "hal"], FAST)
        for count in (1, 7):
            with refused(400, "can’t be understood"):
                await ada.create(["me"] * count, FAST)
        with refused(400, "edition"):
            await ada.create(["me", None], changed(edition="atlantis-1999"))
        with refused(400, ""):
            await ada.create(["me", None], changed(figures={"id": "nothing-else"}))


async def test_before_the_start_leaving_frees_the_seats_and_the_host_passes_on(
    server: RunningServer,
) -> None:
    async with room(server, ["me", None, "me"], "Ada", "Bob") as (table_id, (ada, _), (a, b)):
        assert a.you.host
        await ada.leave(table_id)
        await b.until(lambda b: b.you.host)
        assert names(b) == [None, "Bob", None]
        await a.until(lambda a: a.you == p.You(a.you.person, [], False))
        with refused(404, "no seat"):
            await ada.leave(table_id)
        await ada.take_seat(table_id)
        await a.until(lambda a: a.you.seats == [0])
        assert not a.you.host


# ---- what the host may do -------------------------------------------------------------------


async def test_only_the_host_leads(server: RunningServer) -> None:
    async with room(server, ["me", None, None], "Ada", "Bob") as (table_id, (_, bob), (a, b)):
        before = a.number
        assert a.you.person is not None
        for attempt in (
            bob.set_seat(table_id, 2, "clerk"),
            bob.change_settings(table_id, changed(aids=False)),
            bob.remove(table_id, a.you.person),
            bob.mute(table_id, a.you.person),
            bob.close_table(table_id),
            bob.hand_over(table_id, 0),
        ):
            with refused(403, "only the host"):
                await attempt
        await b.ping()
        assert b.number == before


async def test_the_host_fills_seats_with_computers_and_frees_them(server: RunningServer) -> None:
    async with room(server, ["me", None], "Ada") as (table_id, (ada,), (a,)):
        assert await ada.set_seat(table_id, 1, "surveyor")
        await a.until(lambda a: a.info.seats[1].level == "surveyor")
        assert await ada.set_seat(table_id, 1, "surveyor") == 0
        with refused(409, "this seat is already taken"):
            await ada.set_seat(table_id, 0, "clerk")
        with refused(404, "no seat 4"):
            await ada.set_seat(table_id, 3, "clerk")
        with refused(404, "no computer player called"):
            await ada.set_seat(table_id, 1, "exec:true")
        await ada.set_seat(table_id, 1, None)
        await a.until(lambda a: a.info.seats[1].level is None)
        await ada.leave(table_id)
        await ada.set_seat(table_id, 1, "clerk")
        with refused(403, "at least one person"):
            await ada.set_seat(table_id, 0, "clerk")


async def test_settings_change_until_the_start_and_some_after_it(server: RunningServer) -> None:
    async with room(server, ["me", None], "Ada", "Bob") as (table_id, (ada, _), (a, b)):
        await b.ready(again=False)
        wanted = changed(aids=False, options=p.GameOptions("open", "hidden", "open"))
        assert await ada.change_settings(table_id, wanted)
        assert await ada.change_settings(table_id, wanted) == 0
        await b.until(lambda b: b.info.settings == wanted)
        assert not b.info.seats[1].ready  # it was another game that they were ready for
        with refused(400, "edition"):
            await ada.change_settings(table_id, changed(edition="atlantis-1999"))
        with refused(404, "no computer player"):
            await ada.change_settings(table_id, changed(stand_in="hal"))
        await begin(a, b)
        with refused(409, "has started"):
            await ada.change_settings(table_id, changed(wanted, aids=True))
        for attempt in (
            ada.set_seat(table_id, 1, "clerk"),
            ada.remove(table_id, b.you.person or ""),
        ):
            with refused(409, "has started"):
                await attempt
        await ada.change_settings(table_id, changed(wanted, pace=50, stand_in="clerk", aids=True))
        await b.until(lambda b: b.info.settings == changed(wanted, pace=50, stand_in="clerk"))


async def test_whoever_is_removed_only_watches_until_they_are_let_back(
    server: RunningServer,
) -> None:
    async with (
        room(server, ["me", None], "Ada", "Bob") as (table_id, (ada, bob), (a, b)),
        people(server.url, "Not Bob at all") as (phone,),
    ):
        assert b.you.person is not None
        await a.ready(again=False)
        await ada.remove(table_id, b.you.person)
        await b.until(lambda b: not b.you.seats)
        assert happened(b, "seat_freed") == [{"kind": "seat_freed", "seat": 1, "removed": True}]
        assert not b.info.seats[0].ready
        with refused(404, "no seat"):
            await ada.remove(table_id, b.you.person)
        with refused(403, "leave the table"):
            await ada.remove(table_id, a.you.person or "")
        with pytest.raises(RefusedError, match=r"(?i)take a seat first"):
            await b.ready()
        await bob.introduce("Somebody else")
        await phone.use_link((await bob.link()).token)
        for device in (bob, phone):
            with refused(403, "removed you"):
                await device.take_seat(table_id)
        await b.drop()
        with pytest.raises(RefusedError, match=r"(?i)removed you"):
            await b.say("It’s me again")
        with refused(403, "only the host"):
            await bob.remove(table_id, b.you.person, undo=True)
        await ada.remove(table_id, b.you.person, undo=True)
        await bob.take_seat(table_id)
        await b.until(lambda b: b.you.seats == [1])


async def test_a_closed_table_is_closed_for_everything(server: RunningServer) -> None:
    async with room(server, ["me", None], "Ada", "Bob") as (table_id, (ada, bob), (a, b)):
        await begin(a, b)
        await ada.close_table(table_id)
        assert await ada.close_table(table_id) == 0
        await b.until(lambda b: b.info.end_agreed == [0])
        assert b.info.status == "playing"
        await ada.agree_to_end(table_id, undo=True)
        await bob.agree_to_end(table_id)
        await ada.agree_to_end(table_id)
        await b.until(lambda b: b.info.status == "closed")
        assert b.over
        mover = a if a.view and a.looking == a.view["turn"] else b
        assert mover.view is not None
        with pytest.raises(RefusedError, match=r"(?i)no game is being played"):
            await mover.turn(mover.view["legal"][:1])
        with pytest.raises(RefusedError, match=r"(?i)closed"):
            await a.say("Anybody there?")
        with refused(409, "closed"):
            await bob.take_seat(table_id)
        with refused(403, "once the game is over"):
            await bob.record(table_id)
        with refused(409, "not over"):
            await bob.rematch(table_id)


async def test_an_absent_player_s_seat_is_handed_over_by_the_host_after_two_minutes(
    server: RunningServer,
) -> None:
    """PostgreSQL knows since when they are away, and can be told otherwise. With SQLite only the
    server does; for that there is the test below."""
    settings = changed(stand_in="clerk")
    async with room(server, ["me", None, None], "Ada", "Bob", "Cy", settings=settings) as (
        table_id,
        (ada, bob, cy),
        (a, b, c),
    ):
        with refused(409, "no game"):
            await ada.hand_over(table_id, 1)
        await begin(a, b, c)
        with refused(403, "is here"):
            await ada.hand_over(table_id, 1)
        with refused(404, "no seat 6"):
            await ada.hand_over(table_id, 5)
        with refused(403, "only the host"):
            await cy.hand_over(table_id, 1)
        await goes(b, a, 1)
        with refused(403, "two minutes"):
            await ada.hand_over(table_id, 1)
        assert not happened(a, "seat_handed_over")
        if not is_shared(server):
            return
        away = "UPDATE membership SET away_since = away_since - 120000"
        of_bob = " WHERE table_id = :table AND person_id = :person"
        await in_database(server, away + of_bob, table=table_id, person=b.you.person)
        assert await ada.hand_over(table_id, 1)
        assert await ada.hand_over(table_id, 1) == 0
        await a.until(lambda a: a.info.seats[1].stands_in)
        (handed,) = happened(a, "seat_handed_over")
        assert (handed["seat"], handed["level"], handed["why"]) == (1, "clerk", "absent")
        async with bob.watch(table_id):
            await a.until(lambda a: not a.info.seats[1].stands_in)


async def test_who_is_away_for_long_enough_is_handed_over_with_sqlite_too(tmp_path: Path) -> None:
    """At a server for which two minutes pass in one and a half seconds."""
    with server_in_a_hurry(tmp_path, {"table.limits.ABSENCE_MS": 1500}) as hurried:
        async with room(hurried, ["me", None], "Ada", "Bob") as (table_id, (ada, bob), (a, b)):
            await begin(a, b)
            await goes(b, a, 1)
            assert a.presence is not None
            since = a.presence.away_since[1]
            assert since is not None

            async def handed_over() -> int:
                try:
                    return await ada.hand_over(table_id, 1)
                except RefusedError:
                    return 0

            await until(handed_over)
            await a.until(lambda a: a.info.seats[1].stands_in)
            step = next(s for s in a.steps if s.happenings[0]["kind"] == "seat_handed_over")
            assert step.at >= since + 1500
            async with bob.watch(table_id):
                await a.until(lambda a: not a.info.seats[1].stands_in)


async def test_with_a_clock_the_host_hands_nobody_over(server: RunningServer) -> None:
    settings = changed(clock=p.DaysClock(2))
    async with room(server, ["me", None], "Ada", "Bob", settings=settings) as (
        table_id,
        (ada, _),
        (a, b),
    ):
        await begin(a, b)
        assert a.clock is not None
        assert a.clock.deadline == a.steps[-1].at + 2 * 86_400_000
        with refused(403, "time is up"):
            await ada.hand_over(table_id, 1)


# ---- ready ----------------------------------------------------------------------------------


async def test_the_game_begins_when_all_seats_are_filled_and_everybody_is_ready(
    server: RunningServer,
) -> None:
    async with room(server, ["me", None, None], "Ada", "Bob") as (table_id, (ada, _), (a, b)):
        await a.ready(again=False)
        await b.ready(again=False)
        assert a.info.status == "waiting"  # one seat is free
        assert a.info.shuffle.reveal_by is None
        await b.until(lambda b: [seat.ready for seat in b.info.seats] == [True, True, False])
        await b.not_ready()
        await a.until(lambda a: [seat.ready for seat in a.info.seats] == [True, False, False])
        await b.not_ready()
        await b.ready(again=False)
        shown = a.info.shuffle.commitments
        assert set(shown) == {"0", "1"}
        await ada.set_seat(table_id, 2, "clerk")
        await a.until(lambda a: not any(seat.ready for seat in a.info.seats))
        await a.ready()
        assert a.info.status == "waiting"
        await b.ready()
        for table in (a, b):
            await table.until(lambda table: table.info.status == "playing")
            (asked,) = happened(table, "secrets_asked")
            assert asked["round"] == 1
            assert [each["seat"] for each in happened(table, "secret_revealed")] in ([0, 1], [1, 0])
            assert table.info.shuffle.commitments == {
                str(seat): happened(table, "person_ready")[-2:][place]["commitment"]
                for place, seat in enumerate((0, 1))
            }
        with pytest.raises(RefusedError, match=r"(?i)has started"):
            await a.not_ready()


async def test_a_browser_that_stays_silent_starts_a_new_round(server: RunningServer) -> None:
    """Bob's device has committed and is gone. Half a minute passes while the server is down."""
    async with room(server, ["me", None], "Ada", "Bob") as (table_id, (ada, bob), (a, b)):
        await b.ready()
        await b.__aexit__(None, None, None)
        first = a.info.shuffle
        async with bob.watch(table_id) as other_device:
            await a.ready()
            await a.until(lambda a: a.info.shuffle.reveal_by)
            reveal_by = a.info.shuffle.reveal_by
            assert reveal_by == a.steps[-1].at + 30_000 or reveal_by == a.steps[-2].at + 30_000
            with refused(409, "being dealt"):
                await ada.set_seat(table_id, 1, "clerk")
            await asyncio.to_thread(server.stop)
            older = "UPDATE step SET at = at - 29000 WHERE table_id = :table"
            await in_database(server, older, table=table_id)
            await asyncio.to_thread(server.start)
            await a.until(lambda a: a.info.shuffle.round == 2, PATIENCE)
            began = happened(a, "round_began")[1]
            assert began["silent"] == [1]
            assert began["commitment"] not in (first.commitment, None)
            # Ada is ready again by herself, with another secret; Bob's new device says so too.
            await other_device.until(lambda other: other.info.shuffle.round == 2, PATIENCE)
            await other_device.ready()
            await a.until(lambda a: a.info.status == "playing", PATIENCE)
            await finish(a, other_device, seed="silent")
        async with watching(table_id, ada, bob) as (
            late,
            late_too,
        ):  # who know the log as it is now
            late.contribution, late_too.contribution = a.contribution, other_device.contribution
            record = await check_game(server, table_id, {ada: late, bob: late_too})
            assert record.raw["shuffle"]["commitment"] == began["commitment"]


# ---- chat -----------------------------------------------------------------------------------


def heard_by(table: Table) -> list[str]:
    return [each["text"] for each in happened(table, "said")]


async def test_players_and_spectators_talk_apart_and_spectators_hear_both(
    server: RunningServer,
) -> None:
    async with (
        room(server, ["me", None], "Ada", "Bob", "Sue", "Tom") as (table_id, _, tables),
        people(server.url, "") as (nobody,),
    ):
        a, b, s, t = tables
        async with nobody.watch(table_id) as unknown:
            await a.say("From Ada")
            await s.say("From Sue")
            last = await b.say("From Bob, who\nsays: hi")
            for table in (a, b, s, t, unknown):
                await heard(table, last)
            from_players = ["From Ada", "From Bob, who says: hi"]
            assert heard_by(a) == heard_by(b) == from_players
            everything = ["From Ada", "From Sue", "From Bob, who says: hi"]
            assert heard_by(s) == heard_by(t) == heard_by(unknown) == everything
            said = happened(s, "said")
            assert said[0] == {
                "kind": "said",
                "channel": "players",
                "person": a.you.person,
                "name": "Ada",
                "text": "From Ada",
                "seat": 0,
            }
            assert (said[1]["channel"], said[1]["name"]) == ("spectators", "Sue")
            assert "seat" not in said[1]
            with pytest.raises(RefusedError, match=r"(?i)name first"):
                await unknown.say("Who am I?")
            with pytest.raises(RefusedError, match=r"(?i)at most 300"):
                await a.say("x" * 301)
            with pytest.raises(RefusedError, match=r"(?i)this message has no visible text"):
                await a.say("\u202e\u200b")


async def test_a_mute_holds_under_another_name_and_on_another_device(server: RunningServer) -> None:
    async with (
        room(server, ["me", None], "Ada", "Bob") as (table_id, (ada, bob), (_, b)),
        people(server.url, "") as (phone,),
    ):
        await ada.mute(table_id, b.you.person or "")
        await bob.introduce("Somebody else")
        await phone.use_link((await bob.link()).token)
        await b.drop()
        async with phone.watch(table_id) as there:
            for table in (b, there):
                with pytest.raises(RefusedError, match=r"(?i)muted"):
                    await table.say("It’s me again")


async def test_the_host_mutes_players_and_spectators(server: RunningServer) -> None:
    async with room(server, ["me", None], "Ada", "Bob", "Sue") as (table_id, (ada, _, _), tables):
        a, b, s = tables
        for table in (b, s):
            person = table.you.person or ""
            last = await ada.mute(table_id, person)
            assert await ada.mute(table_id, person) == 0
            with pytest.raises(RefusedError, match=r"(?i)muted"):
                await table.say("Mmmh")
            await heard(table, last)
            assert table.info.muted == [person]
            await ada.mute(table_id, person, undo=True)
            await table.say("Free")
        with refused(403, "mute yourself"):
            await ada.mute(table_id, a.you.person or "")
        assert heard_by(a) == ["Free"]


async def test_everybody_can_hide_what_a_person_says(server: RunningServer) -> None:
    async with room(server, ["me", None], "Ada", "Bob", "Sue") as (table_id, (_, bob, _), tables):
        a, b, s = tables
        await a.say("One")
        await b.until(lambda b: heard_by(b) == ["One"])
        await bob.hide(table_id, a.you.person or "")
        await a.say("Two")
        last = await b.say("Three")
        for table in (a, b, s):
            await heard(table, last)
        assert heard_by(b) == ["One", "Three"]  # at once, without a new connection
        assert heard_by(s) == ["One", "Two", "Three"]  # nobody else minds
        await b.drop()
        await a.say("Four")
        await b.until(lambda b: b.connections == 2)
        await heard(b, await b.say("Five"))
        assert heard_by(b) == ["One", "Three", "Five"]
        async with bob.watch(table_id) as again:
            assert heard_by(again) == ["Three", "Five"]
        await bob.hide(table_id, a.you.person or "", undo=True)
        await heard(b, await a.say("Six"))
        assert heard_by(b) == ["One", "Three", "Five", "Six"]
        async with bob.watch(table_id) as again:
            assert heard_by(again) == ["One", "Two", "Three", "Four", "Five", "Six"]


async def test_there_is_an_end_to_whom_somebody_hides(server: RunningServer) -> None:
    """All of them are read when they come to the table."""
    async with people(server.url, "Ada", create_token=TOKEN) as [ada]:
        me = (await ada.introduce()).person
        table_id = await ada.create(["me", None])
        storage = Storage(server.database_url)
        await storage.open()
        for number in range(MOST_HIDDEN):
            await storage.hidden_chat.hide(me, table_id, f"p{number}", undo=False)
        await storage.close()
        with refused(409, "hidden too many"):
            await ada.hide(table_id, "another")
        await ada.hide(table_id, "p1", undo=True)
        await ada.hide(table_id, "another")


# ---- lists, and the next game ---------------------------------------------------------------


async def test_public_tables_are_listed_for_everybody(server: RunningServer) -> None:
    async with room(server, ["me", None], "Ada", settings=changed(public=True)) as (
        table_id,
        (ada,),
        _,
    ):
        hidden_id = await ada.create(["me", None], FAST)
        async with people(server.url, "Bob", "") as (bob, nobody):
            (found,) = [each for each in await nobody.public_tables() if each.table == table_id]
            assert found.status == "waiting"
            assert found.players == ["Ada", None]
            assert found.settings == changed(public=True)
            assert (found.mine, found.my_turn) == ([], False)
            assert await _listed(nobody, hidden_id) is None
            await ada.change_settings(hidden_id, changed(public=True))
            await ada.change_settings(table_id, FAST)
            assert await _listed(nobody, hidden_id)
            assert await _listed(nobody, table_id) is None
            await bob.take_seat(hidden_id)
            async with watching(hidden_id, ada, bob) as (mine, theirs):
                await begin(mine, theirs)
                now = await _listed(nobody, hidden_id)
                assert now is not None
                assert (now.status, now.players) == ("playing", ["Ada", "Bob"])
                await finish(mine, theirs)
            assert await _listed(nobody, hidden_id) is None
            assert await _listed(ada, table_id) is None


async def _listed(person: Person, table_id: str) -> p.TableListed | None:
    return next((t for t in await person.public_tables() if t.table == table_id), None)


async def test_a_server_may_keep_no_list(tmp_path: Path) -> None:
    with running_server(f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}") as private:
        async with people(private.url, "Ada") as (ada,):
            await ada.create(["me", None], changed(public=True))
            with refused(404, "no public list"):
                await ada.public_tables()


async def test_tables_are_made_only_with_the_token(server: RunningServer) -> None:
    for token in (None, "not-the-right-token-at-all"):
        async with people(server.url, "Eve", create_token=token) as (eve,):
            with refused(403, "token"):
                await eve.create(["me", None], FAST)
            assert eve.secret is None


async def test_my_tables_say_where_it_is_my_turn(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", create_token=TOKEN) as (ada, bob):
        assert await ada.tables() == []  # nobody yet
        waiting_id = await ada.create([None, "me"], FAST)
        playing_id = await bob.create(["me", None], FAST)
        await ada.take_seat(playing_id)
        async with watching(playing_id, ada, bob) as (a, b):
            await begin(a, b)
            for _ in range(2):
                of_ada = {each.table: each for each in await ada.tables()}
                of_bob = {each.table: each for each in await bob.tables()}
                assert set(of_ada) == {waiting_id, playing_id}
                assert set(of_bob) == {playing_id}
                assert of_ada[waiting_id].mine == [1]
                assert not of_ada[waiting_id].my_turn
                mine, theirs = of_ada[playing_id], of_bob[playing_id]
                assert (mine.mine, theirs.mine) == ([1], [0])
                assert (mine.my_turn, theirs.my_turn) == (a.my_turn, b.my_turn)
                assert mine.to_move == theirs.to_move == a.to_move
                assert of_ada[waiting_id].to_move is None
                assert mine.turn == a.turn_number
                await play_turn(a if a.my_turn else b)
                await same_step(a, b)
            # The one with the latest news comes first.
            assert [each.table for each in await ada.tables()] == [playing_id, waiting_id]
            mover, person = (a, ada) if a.my_turn else (b, bob)
            await finish(a, b)
            assert not any(each.my_turn for each in await person.tables())
            assert mover.over
        await ada.leave(waiting_id)
        assert [each.table for each in await ada.tables()] == [playing_id]


async def test_it_is_not_my_turn_while_a_computer_makes_it(server: RunningServer) -> None:
    async with room(server, ["me", "me"], "Ada", settings=changed(pace=10_000)) as (
        table_id,
        (ada,),
        (a,),
    ):
        await begin(a)
        assert [each.my_turn for each in await ada.tables()] == [True]
        await ada.leave(table_id)
        assert [each.my_turn for each in await ada.tables()] == [False]
        await ada.come_back(table_id)
        assert [each.my_turn for each in await ada.tables()] == [True]


async def test_a_rematch_is_one_table_whoever_asks_first(server: RunningServer) -> None:
    """All ask at the same moment. Seats, names, computers and settings are as before."""
    settings = changed(aids=False, options=p.GameOptions(cash="hidden"))
    seats: list[str | None] = ["me", None, "clerk", None]
    async with room(server, seats, "Ada", "Bob", "Cy", "Sue", settings=settings) as (
        table_id,
        (ada, bob, cy, sue),
        (a, b, c, s),
    ):
        with refused(409, "not over"):
            await ada.rematch(table_id)
        await begin(a, b, c)
        with refused(409, "not over"):
            await ada.rematch(table_id)
        await cy.leave(table_id, for_good=True)
        await finish(a, b, seed="rematch")
        with refused(403, "only those who played"):
            await sue.rematch(table_id)
        asking = [person.rematch(table_id) for person in (ada, bob, ada, bob, ada, bob)]
        found = set(await asyncio.gather(*asking))
        assert len(found) == 1
        (again,) = found
        assert again != table_id
        for table in (a, b, c, s):
            await table.until(lambda table: table.info.rematch == again)
        info = await sue.info(again)
        assert info.settings == settings
        assert [(seat.name, seat.level) for seat in info.seats] == [
            ("Ada", None),
            ("Bob", None),
            (None, "clerk"),
            (None, None),  # Cy has left for good
        ]
        assert info.host in (a.you.person, b.you.person)
        assert (await bob.tables())[0].table == again
        await cy.take_seat(again)
        async with watching(again, ada, bob, cy) as (a, b, c):
            await begin(a, b, c)
            await finish(a, b, c, seed="again")
            await check_game(server, again, {ada: a, bob: b, cy: c})


async def test_what_everybody_may_know_of_a_table_needs_no_name(server: RunningServer) -> None:
    async with (
        room(server, ["me", "clerk"], "Ada") as (table_id, _, (a,)),
        people(server.url, "") as (nobody,),
    ):
        assert await nobody.info(table_id) == a.info
        with refused(404, "no such table"):
            await nobody.info("A" * 22)
        with refused(403, "name first"):
            await nobody.close_table(table_id)


async def test_a_table_that_is_deleted_while_a_list_is_made_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when old tables are tidied away just then."""

    class Registry(TableRegistry):
        async def table(self, table_id: str) -> Any:
            if table_id == "gone":
                raise NotFound("there is no such table")
            return SimpleNamespace(state=table_id)

    monkeypatch.setattr("lastspike.server.live.registry.list_entry", lambda state, _person: state)
    storage: Any = None
    found: list[Any] = list(await Registry(storage).listed(["here", "gone", "there"], None))
    assert found == ["here", "there"]
