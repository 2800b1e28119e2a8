"""What was, and what is forgotten: a person's finished games, their data to take away, and a
deletion that leaves no name anywhere while the games go on."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from lastspike import protocol as p
from lastspike.client import LostError, Person, RefusedError
from lastspike.rules.events import Payout
from lastspike.rules.records.record import read_record
from lastspike.rules.records.shuffle import commitment
from lastspike.server.people.erasure import masked
from lastspike.server.people.history import MOST_GAMES, history_of
from lastspike.server.people.personal_data import personal_data_of
from lastspike.server.storage import PersonRow, Storage
from lastspike.server.storage.rows import to_append
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.log_events import Index
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    SharedServers,
    begin,
    finish,
    happened,
    in_database,
    is_shared,
    log_of,
    people,
    sees,
    until,
    watching,
)
from tests.server.paper import HOST, Paper, secret_of
from tests.server.running import RunningServer

pytestmark = pytest.mark.anyio

OPEN = msgspec.structs.replace(FAST, options=p.GameOptions(hands="open"))


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, shared_servers: SharedServers) -> RunningServer:
    """One for all tests, which make persons of their own."""
    return shared_servers.get(request.param, allow_private_webhooks=True)


async def played(*players: Person, settings: p.Settings = FAST, computers: int = 0) -> str:
    """A finished game of these people, the first of whom makes the table."""
    seats: list[str | None] = ["me", *(None for _ in players[1:]), *["greenhorn"] * computers]
    table_id = await players[0].create(seats, settings)
    for other in players[1:]:
        await other.take_seat(table_id)
    async with watching(table_id, *players) as tables:
        await begin(*tables)
        await finish(*tables, seed=table_id)
    return table_id


# ---- my games -------------------------------------------------------------------------------


async def test_finished_games_are_told_as_they_ended(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", "Eve") as (ada, bob, eve):
        assert await eve.history() == p.History(None, [], {})
        first = await played(ada, bob, computers=1)
        second = await played(ada, settings=OPEN, computers=1)
        record = await ada.record(first)
        third = await ada.play_on(record, 3, 1, "greenhorn")
        hurried = msgspec.structs.replace((await ada.info(third)).settings, pace=0)
        await ada.change_settings(third, hurried)
        await ada.leave(third, for_good=True)
        await ada.create(["me", None], FAST)  # which waits, and is no past game
        async with ada.watch(third) as table:
            await table.until(lambda table: table.info.status == "over", PATIENCE)
        games = (await ada.history()).games
        assert [game.table for game in games] == [third, second, first]
        assert [(game.teaching, game.played_on, game.left) for game in games] == [
            (False, True, True),
            (True, False, False),
            (False, False, False),
        ]
        assert games[0].ended >= games[1].ended >= games[2].ended > games[2].created
        game, replayed, result = games[2], read_record(record).game, record["result"]
        assert [(seat.rank, seat.cash) for seat in game.seats] == list(
            zip(result["ranks"], result["cash"], strict=True)
        )
        named = [(seat.name, seat.level) for seat in game.seats]
        assert named == [("Ada", None), ("Bob", None), (None, "greenhorn")]
        assert (game.winners, game.last_spike) == (result["winners"], result["last_spike"])
        assert game.edition == "columbia-2015"
        told = await ada.history(), await bob.history()
        for seat, mine in enumerate(told):
            paid: Counter[str] = Counter()
            for event in replayed.history:
                if isinstance(event, Payout) and event.seat == seat:
                    paid[event.city] += event.amount
            assert mine.games[-1].mine == [seat]
            assert mine.games[-1].paid == paid
            assert set(paid) <= set(mine.cities)
        assert told[0].cities["DEN"]["en"] == "Denver" if "DEN" in told[0].cities else True
        assert [each.table for each in told[1].games] == [first]


async def test_a_person_agrees_to_publication_and_withdraws(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Eve") as (ada, eve):
        with pytest.raises(RefusedError):
            await eve.let_publish(True)
        await ada.introduce()
        assert (await ada.history()).publishes_since is None
        await ada.let_publish(True)
        since = (await ada.history()).publishes_since
        assert since is not None
        assert (await ada.export()).person.publishes_since == since
        await ada.let_publish(False)
        assert (await ada.history()).publishes_since is None


@pytest.fixture(scope="module")
def game() -> Paper:
    paper = Paper(("me", "clerk", "clerk", "clerk"))
    paper.start()
    paper.play()
    assert paper.state.status == "over"
    return paper


async def test_two_hundred_games_are_read_within_a_second(game: Paper, tmp_path: Path) -> None:
    storage = Storage(f"sqlite+aiosqlite:///{tmp_path / 'many.sqlite'}")
    await storage.open()
    try:
        for number in range(MOST_GAMES + 5):
            index = Index(status="over", joined=(HOST,))
            first, *rest = (to_append(f"{number:022}", step, index) for step in game.log)
            await storage.logs.create_table(first, listed=False)
            await asyncio.gather(*map(storage.logs.append, rest))
        waits: list[float] = []

        async def tick() -> None:
            while True:
                began = time.perf_counter()
                await asyncio.sleep(0.005)
                waits.append(time.perf_counter() - began)

        ticking = asyncio.ensure_future(tick())
        began = time.process_time()
        told = await history_of(storage, PersonRow(HOST, "Ada"))
        took = time.process_time() - began
        ticking.cancel()
        assert len(told.games) == MOST_GAMES
        assert took < 3  # 0.6 s where nothing else runs
        assert sorted(waits)[len(waits) * 9 // 10] < 0.1  # others are served meanwhile
        await storage.personal_data.rewrite(
            [("0" * 22, 3, b"spoilt")]
        )  # one that can't be read spoils no other
        data = await personal_data_of(storage, PersonRow(HOST, "Ada"))
        assert len(data.records) == MOST_GAMES + 4
    finally:
        await storage.close()


# ---- my data --------------------------------------------------------------------------------


async def test_the_export_has_everything_of_mine_and_nothing_hidden(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", "Eve") as (ada, bob, eve):
        over = await played(ada, bob)
        running = await bob.create(["me", None], FAST)
        watched = await bob.create(["me", None], FAST)
        await ada.take_seat(running)
        async with watching(running, bob, ada) as (b, a):
            await begin(b, a)
            await a.say("My word.")
            await b.say("Not hers.")
        async with ada.watch(watched) as seen:
            await seen.say("From afar.")
        hook = await ada.add_webhook(p.NewWebhook("http://127.0.0.1:9/ada", "ntfy", language="pt"))
        await bob.add_webhook(p.NewWebhook("http://127.0.0.1:9/bob"))
        bob_is = (await bob.me()).person
        await ada.hide(over, bob_is)
        await ada.introduce("Lady Ada")

        data = await ada.export()
        me = await ada.me()
        assert (data.person.id, data.person.name) == (me.person, "Lady Ada")
        assert data.person.created <= data.devices[0].created < data.devices[0].expires
        assert data.webhooks == [p.MyWebhook(hook.id, hook.url, "ntfy", None, "pt")]
        assert data.hidden == [p.Hiding(over, bob_is)]
        assert {(t.table, t.status, t.host, tuple(t.seats)) for t in data.tables} == {
            (over, "over", True, (0,)),
            (running, "playing", False, (1,)),
        }
        assert {(name.table, name.seat, name.name) for name in data.names} == {
            (over, 0, "Ada"),
            (running, 1, "Ada"),
        }
        said = {(line.table, line.channel, line.text) for line in data.chat}
        assert said == {(running, "players", "My word."), (watched, "spectators", "From afar.")}
        assert data.records == [await ada.record(over)]
        # Of the game that runs, not a tile and not a seed; and of others nothing that is theirs.
        told = msgspec.json.encode(data).decode()
        for step in await log_of(server, running):
            for secret in (step.secrets.seed, step.secrets.contribution) if step.secrets else ():
                assert secret is None or secret not in told
        assert "hands" not in json.dumps(msgspec.to_builtins(data.tables))
        for foreign in ("127.0.0.1:9/bob", "Not hers.", str(bob.secret), str(ada.secret)):
            assert foreign not in told
        with pytest.raises(RefusedError, match=r"(?i)name first"):
            await eve.export()
        async with httpx.AsyncClient(base_url=server.url) as http:
            cookie = {"cookie": f"lastspike={ada.secret}"}
            answer = await http.get("/api/me/export", headers=cookie)
            assert "attachment" in answer.headers["content-disposition"]
            assert answer.headers["cache-control"] == "no-store"


# ---- erasure -----------------------------------------------------------------------------

NAME = "Zyxwv Ada"
WORDS = "Quomodo vales"


async def everything_in(server: RunningServer) -> str:
    """All that the database holds, wherever it holds it."""
    if not is_shared(server):
        file = Path(server.database_url.partition("///")[2])
        parts = [file, *file.parent.glob(f"{file.name}-*")]
        return "\n".join(part.read_bytes().decode("utf-8", "replace") for part in parts)
    tables = await in_database(
        server, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    )
    found: list[str] = []
    for (table,) in tables:
        for row in await in_database(server, f'SELECT * FROM "{table}"'):
            cells = (c.decode("utf-8", "replace") if isinstance(c, bytes) else str(c) for c in row)
            found += cells
    return "\n".join(found)


def nameless(told: Any) -> bool:
    text = told if isinstance(told, str) else msgspec.json.encode(told).decode()
    return NAME not in text and WORDS not in text


async def test_who_deletes_their_data_is_forgotten_and_the_games_go_on(
    server: RunningServer,
) -> None:
    async with people(server.url, NAME, "Bob", "") as (ada, bob, phone):
        over = await played(ada, bob)
        running = await ada.create(["me", None, "greenhorn"], FAST)
        waiting = await ada.create(["me", None, None], FAST)
        watched = await bob.create(["me", None], FAST)
        for table_id in (running, waiting):
            await bob.take_seat(table_id)
        await phone.use_link((await ada.link()).token)
        await ada.add_webhook(p.NewWebhook("http://127.0.0.1:9/gone"))
        await bob.hide(watched, (await ada.me()).person)
        pending = await ada.link()
        await in_database(
            server,
            "INSERT INTO review (table_id, progress, beat_at, body) VALUES (:id, 1, 0, :body)",
            id=over,
            body=f'{{"words": "{NAME} sells"}}'.encode(),
        )
        assert not nameless(await everything_in(server))
        async with (
            watching(over, ada, bob) as (ada_over, bob_over),
            watching(running, ada, bob) as (a, b),
            watching(waiting, bob) as (w,),
            watching(watched, ada) as (afar,),
        ):
            await begin(a, b)
            for table in (ada_over, a, afar):
                await table.say(WORDS)
            await bob_over.until(lambda table: happened(table, "said"), PATIENCE)
            have = bob_over.number
            await ada.be_forgotten()

            for table, seat in ((bob_over, 0), (b, 0)):
                await table.until(lambda table: happened(table, "person_forgotten"), PATIENCE)
                assert (table.info.seats[seat].person, table.info.seats[seat].name) == (None, "★")
            # In the game that runs a computer goes on for good, and somebody else is the host.
            assert b.info.seats[0].for_good
            await sees(b, 0, here=False)
            assert b.you.host
            await w.until(lambda table: table.you.host, PATIENCE)
            assert (w.info.seats[0].person, w.info.seats[0].name) == (None, None)
            # All their sockets have ended, and who opens one again only watches.
            for table in (ada_over, a, afar):
                with pytest.raises(LostError) as lost:
                    await table.until(lambda _: False, PATIENCE)
                assert lost.value.code == p.CLOSE_LOGGED_OUT
            async with ada.watch(running) as again:
                assert (again.you.person, again.you.seats, again.looking) == (None, [], None)
                with pytest.raises(RefusedError, match=r"(?i)name first"):
                    await again.say("I am still here")
            await finish(b)
            await same_for_everybody(ada, bob, over, running, have)
        for device in (ada, phone):
            with pytest.raises(RefusedError, match=r"(?i)name first"):
                await device.me()
        with pytest.raises(RefusedError, match=r"(?i)link has already been used"):
            await phone.use_link(pending.token)
        await phone.be_forgotten()  # once more does no harm
        (game,) = [game for game in (await bob.history()).games if game.table == over]
        assert [seat.name for seat in game.seats] == ["★", "Bob"]
        assert nameless(await everything_in(server))
        assert await in_database(server, "SELECT * FROM webhook WHERE url LIKE '%/gone'") == []
        assert (await bob.tables())[0].table  # and his own are all there
        assert len(await bob.tables()) == 4


async def same_for_everybody(ada: Person, bob: Person, over: str, running: str, have: int) -> None:
    """No way of asking brings the name back."""
    for table_id in (over, running):
        record = await bob.record(table_id)
        assert record["players"][0]["name"] == "★"
        read_record(record)
        for person in (bob, ada):
            async with person.watch(table_id) as table:
                assert nameless(table.steps)
                assert nameless(table.info)
                (line,) = happened(table, "said")
                assert (line["name"], line["text"]) == ("★", "…")
    async with bob.watch(over, have=have) as later:
        assert happened(later, "person_forgotten")  # also to who had all that was before


async def test_a_server_that_dies_half_way_forgets_when_it_is_back(server: RunningServer) -> None:
    async with people(server.url, NAME, "Bob") as (ada, bob):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            await a.say(WORDS)
        me = (await ada.me()).person
        server.kill()
        storage = Storage(server.database_url)
        await storage.open()
        await storage.personal_data.begin_erasure(me)  # as if it had died right after
        await storage.close()
        server.start()
        with pytest.raises(RefusedError, match=r"(?i)name first"):
            await ada.me()

        async def forgotten() -> bool:
            return not await in_database(server, "SELECT 1 FROM person WHERE id = :id", id=me)

        await until(forgotten)
        assert nameless(await everything_in(server))
        async with bob.watch(table_id) as table:
            assert [seat.name for seat in table.info.seats] == ["★", "Bob"]
            await finish(table)
        assert (
            await in_database(server, "SELECT 1 FROM membership WHERE person_id = :id", id=me) == []
        )


async def test_nobody_deletes_another(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        await ada.introduce()
        await bob.introduce()
        me = await ada.me()
        async with httpx.AsyncClient(base_url=server.url) as http:
            assert (await http.delete("/api/me")).json() == {"number": 0}
            for cookie in ("A" * 43, me.person, "", "x"):
                answer = await http.delete("/api/me", headers={"cookie": f"lastspike={cookie}"})
                assert answer.status_code == 200
            foreign = {"cookie": f"lastspike={ada.secret}", "origin": "https://evil.example"}
            for headers in (foreign, foreign | {"sec-fetch-site": "cross-site"}):
                assert (await http.delete("/api/me", headers=headers)).status_code == 403
        await bob.be_forgotten()
        assert await ada.me() == me


# ---- on paper -------------------------------------------------------------------------------


def seen(paper: Paper) -> list[tuple[str | None, str | None, str | None]]:
    return [(seat.person, seat.name, seat.computer) for seat in paper.state.seats]


def test_before_the_start_a_seat_becomes_free_and_the_dealing_begins_again() -> None:
    paper = Paper(("me", None))
    paper.sit("a")
    for person in (HOST, "a"):
        mine = commitment(secret_of(f"paper/{person}")).hex()
        paper.do(commands.ready, person, 1, mine)
    assert paper.state.secrets_asked is not None
    paper.do(commands.forget, HOST, secret_of("again"))
    assert paper.state.round == 2
    assert paper.state.host == "a"
    assert seen(paper) == [(None, None, None), ("a", "A", None)]
    assert paper.do(commands.forget, HOST, bytes(32)) == 0
    with pytest.raises(NotAllowed):
        paper.do(commands.take_seat, HOST, "Ada", None)
    with pytest.raises(NotAllowed):
        paper.do(commands.say, HOST, "Ada", "hello")


def test_every_seat_round_one_device_is_forgotten_and_a_rematch_leaves_them_free() -> None:
    paper = Paper(("me", None, "me", "clerk"))
    paper.sit("a")
    paper.start()
    paper.play(5)
    paper.do(commands.forget, HOST, bytes(32))
    assert seen(paper)[0] == (None, "★", "surveyor")
    assert seen(paper)[2] == (None, "●", "surveyor")
    paper.play()
    paper.do(commands.offer_rematch, "a", "r" * 22)
    created, *taken = commands.rematch_of(paper.state, "a", bytes(32)).events
    assert isinstance(created, e.TableCreated)
    assert created.seats == [None, None, None, "clerk"]
    assert [each.person for each in taken if isinstance(each, e.SeatTaken)] == ["a"]
    again = paper.replayed()
    assert [seat.name for seat in again.seats] == ["★", "A", "●", None]


def test_only_the_name_and_the_words_of_one_person_are_masked() -> None:
    mine: list[e.AnyLogEvent] = [
        e.SeatTaken(4, "me", "Ada"),
        e.Said("players", "me", "Ada", "hello", 4),
        e.Said("spectators", "me", "Ada", "hello"),
    ]
    assert [masked(each, "me") for each in mine] == [
        e.SeatTaken(4, "me", "■"),
        e.Said("players", "me", "■", "…", 4),
        e.Said("spectators", "me", "…", "…"),
    ]
    assert [masked(each, "you") for each in mine] == mine
    assert masked(e.HostChanged("me"), "me") == e.HostChanged("me")
