"""Live connections: what is told when, to whom, and again to those who come back."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    SharedServers,
    begin,
    by_chance,
    events,
    finish,
    happened,
    heard,
    metric,
    people,
    same_step,
    server_in_a_hurry,
    until,
    watching,
)
from tests.server.running import RunningServer

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, shared_servers: SharedServers) -> RunningServer:
    """One for all tests, which make tables of their own."""
    return shared_servers.get(request.param)


@asynccontextmanager
async def game(
    server: RunningServer, seats: list[str | None], *names: str, settings: p.Settings = FAST
) -> AsyncIterator[tuple[str, list[Person], list[Table]]]:
    """A game that has begun: the first has made the table, the others have the free seats, and
    whoever is left over watches."""
    async with people(server.url, *names) as everybody:
        table_id = await everybody[0].create(seats, settings)
        free = seats.count(None)
        for guest in everybody[1 : free + 1]:
            await guest.take_seat(table_id)
        for guest in everybody[free + 1 :]:
            await guest.introduce()
        async with watching(table_id, *everybody) as tables:
            await begin(*tables[: free + 1])
            await same_step(*tables)
            yield table_id, everybody, tables


class Raw:
    """A socket as it is, message by message."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            message: dict[str, Any] = json.loads(await self.connection.recv())
            return message

    async def until_type(self, wanted: str) -> dict[str, Any]:
        """The next of this type; what comes before is passed over."""
        while True:
            message = await self.receive()
            if message["type"] == wanted:
                return message

    async def closed(self) -> int | None:
        """With which code the server ends it."""
        with suppress(ConnectionClosed):
            while True:
                await self.receive()
        return self.connection.close_code


def live_url(person: Person, table_id: str) -> str:
    return f"{person.base_url.replace('http', 'ws', 1)}/api/tables/{table_id}/live"


@asynccontextmanager
async def raw_socket(person: Person, table_id: str, **options: Any) -> AsyncIterator[Raw]:
    headers = {} if person.secret is None else {"cookie": f"lastspike={person.secret}"}
    async with connect(
        live_url(person, table_id), additional_headers=headers, ping_interval=None, **options
    ) as connection:
        yield Raw(connection)


async def mover_of(*tables: Table) -> Table:
    await same_step(*tables)
    return next(table for table in tables if table.my_turn)


# ---- what was missed ------------------------------------------------------------------------


async def test_whoever_comes_back_gets_exactly_what_was_missed(server: RunningServer) -> None:
    """Bob has two devices: one stays, the other comes back again and again."""
    async with game(server, ["me", None], "Ada", "Bob") as (table_id, (_, bob), (a, b)):
        have = b.number
        for turn in range(8):
            if turn % 3 == 0:
                await a.say(f"Turn {turn}")
            await play_turn(await mover_of(a, b), by_chance(turn))
            await same_step(a, b)
            async with bob.watch(table_id, have=have) as back:
                missed = [step for step in b.steps if step.number > have]
                assert back.steps == missed
                assert (back.view, back.info, back.you) == (b.view, b.info, b.you)
            async with bob.watch(table_id, have=b.number) as back:
                assert back.steps == []  # nothing was missed
                assert (back.number, back.view) == (b.number, b.view)
            have += turn % 2  # and sometimes a step more is known already
        async with bob.watch(table_id) as new:
            assert new.steps == b.steps
        async with bob.watch(table_id, have=b.number + 1000) as strange:
            assert strange.steps == b.steps  # who has more than there is gets it all


async def test_a_bad_line_loses_nothing(server: RunningServer) -> None:
    """It breaks at every second turn, while others talk, sit and leave."""
    async with game(server, ["me", None, None], "Ada", "Bob", "Cy", "Sue") as (
        table_id,
        (_, _, cy, _),
        (a, b, c, s),
    ):
        for turn in range(10):
            if turn % 2:
                for table in (b, s):
                    await _drop(table, 1 + turn // 2)
            if turn == 4:
                await cy.leave(table_id)
            if turn == 5:
                await cy.come_back(table_id)
            await a.say(f"Line {turn}")
            if a.my_turn:
                await play_turn(a, by_chance(turn))
            else:
                mover = b if b.my_turn else c
                if mover.my_turn:
                    await play_turn(mover, by_chance(turn))
            await heard(a, a.number)
        await same_step(a, b, c, s)
        assert (b.connections, s.connections) == (6, 6)
        numbers = [step.number for step in a.steps]
        assert numbers == list(range(1, a.number + 1))
        for table in (b, c, s):
            assert [step.number for step in table.steps] == numbers
            assert happened(table, "said") == happened(a, "said")
        assert s.view is not None
        assert a.view is not None
        assert s.view["cash"] == a.view["cash"]


async def _drop(table: Table, after: int) -> None:
    """Break the line for another time, once it is back from the time before."""
    await table.until(lambda table: table.connections == after, PATIENCE)
    await table.drop()


async def test_what_spectators_say_leaves_gaps_for_players_which_cost_nothing(
    server: RunningServer,
) -> None:
    async with game(server, ["me", "clerk"], "Ada", "Sue") as (table_id, (ada, _), (a, s)):
        await a.until(lambda a: a.my_turn)
        await s.say("Only for us")
        number = await s.say("And this")
        async with ada.watch(table_id, have=a.number) as back:
            assert back.steps == []
        await a.drop()
        await a.until(lambda a: a.connections == 2)
        await play_turn(a)
        assert next(step.number for step in a.steps if step.number > number - 2) == number + 1


async def test_two_tabs_of_one_person_agree(server: RunningServer) -> None:
    async with (
        game(server, ["me", None], "Ada", "Bob") as (table_id, (ada, _), (a, b)),
        ada.watch(table_id) as tab,
    ):
        seats = tab.you.seats
        for turn in range(6):
            mover = await mover_of(a, b)
            # From one tab and the other in turn.
            await play_turn(tab if mover is a and turn % 4 < 2 else mover, by_chance(turn))
            await same_step(a, b, tab)
            assert tab.view == a.view
            assert tab.steps == a.steps
            assert tab.you.seats == seats == [0]
        assert a.view is not None
        assert len(a.view["hands"][0]) == 4


async def test_both_tabs_make_the_turn_and_it_is_made_once(server: RunningServer) -> None:
    async with game(server, ["me", None], "Ada", "Bob") as (table_id, everybody, (a, b)):
        mover = await mover_of(a, b)
        person = everybody[0] if mover is a else everybody[1]
        async with person.watch(table_id) as tab:
            assert mover.view is not None
            legal = mover.view["legal"]
            # With the same id it is one request; with another it comes too late.
            same = p.CommitTurn("one-and-the-same", 1, [legal[0]])
            first, second = await asyncio.gather(mover.ask(same), tab.ask(same))
            assert first == second
            with pytest.raises(RefusedError) as late:
                await tab.turn([legal[-1]], 1)
            assert late.value.stale
            await same_step(a, b, tab)
            assert len(happened(tab, "turn_made")) == 1
            assert await tab.ask(same) == first  # also long after
            assert len(happened(tab, "turn_made")) == 1


# ---- turns ----------------------------------------------------------------------------------


async def test_a_stale_turn_is_refused_with_what_is_so_now(server: RunningServer) -> None:
    async with game(server, ["me", "me"], "Ada") as (_, _, (a,)):
        await a.look(a.to_move)
        assert a.view is not None
        legal = a.view["legal"]
        await a.turn([legal[0]], 1)
        await a.look(a.to_move)
        before = a.number
        for number in (1, 3):
            with pytest.raises(RefusedError) as stale:
                await a.turn([legal[0]], number)
            assert stale.value.stale
            assert stale.value.turn == 2
            assert stale.value.view == a.view
            assert stale.value.view["seat"] == a.to_move
        await a.ping()
        assert a.number == before


async def test_a_refused_turn_says_which_rule_forbids_it_and_changes_nothing(
    server: RunningServer,
) -> None:
    async with game(server, ["me", None, "clerk"], "Ada", "Bob", "Sue") as (_, _, (a, b, s)):
        await a.until(lambda a: a.my_turn or b.my_turn, PATIENCE)
        await b.until(lambda b: a.my_turn or b.my_turn, PATIENCE)
        mover = await mover_of(a, b)
        other = b if mover is a else a
        assert mover.view is not None
        mine, before = mover.view["legal"][0], mover.number
        known = {*_hand(mover), *mover.view["track"]}
        elsewhere = next(tile for tile in ("A1", "A2", "A3", "B1", "B2", "B3") if tile not in known)
        for table, moves, rule in (
            (mover, [elsewhere], "T1"),
            (mover, [mine, mine], None),
            (mover, ["+XYZ"], None),
            (mover, [], "T1"),
            (other, [mine], "T4"),
            (s, [mine], "T4"),
        ):
            with pytest.raises(RefusedError) as refused:
                await table.turn(moves)
            assert not refused.value.stale
            if rule is not None:
                assert refused.value.problem.rule == rule
        await mover.ping()
        assert mover.number == before


def _hand(table: Table) -> list[str]:
    assert table.view is not None
    assert table.looking is not None
    hand: list[str] = table.view["hands"][table.looking]
    return hand


async def test_a_preview_is_what_then_happens_but_for_the_draw(server: RunningServer) -> None:
    settings = p.Settings(pace=0, options=p.GameOptions(double_cost="open"))
    async with game(server, ["me", None], "Ada", "Bob", settings=settings) as (_, _, (a, b)):
        turns = 0
        while not a.over:
            mover = await mover_of(a, b)
            before = mover.view
            assert before is not None
            moves: list[str] = []
            choose = by_chance(turns)
            ahead = await mover.preview(moves)
            assert (ahead.events, ahead.legal) == ([], before["legal"])
            while not ahead.turn_over:
                moves.append(choose(before, ahead.legal, None))
                ahead = await mover.preview(moves)
            assert mover.view == before  # looking ahead changes nothing
            number = await mover.turn(moves)
            turns += 1
            await same_step(a, b)
            step = next(step for step in mover.steps if step.number == number)
            told = events(step)
            assert told[: len(ahead.events)] == ahead.events
            after = {event["event"] for event in told[len(ahead.events) :]}
            assert after <= {"tile_drawn", "turn_skipped", "bankruptcy", "pool_mixed", "game_over"}
            if "bankruptcy" in after:
                continue
            assert mover.view is not None
            assert ahead.table["cash"] == mover.view["cash"]
            assert ahead.table["track"] == mover.view["track"]
            assert ahead.table["land"] == mover.view["land"]
            gained = [
                now - then for now, then in zip(mover.view["cash"], before["cash"], strict=True)
            ]
            assert gained == ahead.money
            if not a.over:
                drawn = [e["tile"] for e in told if e["event"] == "tile_drawn" and e["tile"]]
                assert sorted(_hand(mover)) == sorted(ahead.hand + drawn)
        assert turns > 8


async def test_hints_are_for_my_own_turn_at_a_table_with_aids(server: RunningServer) -> None:
    async with (
        people(server.url, "Ada", language="fr") as (ada,),
        people(server.url, "Sue") as (sue,),
    ):
        table_id = await ada.create(["me", None], FAST)
        await sue.take_seat(table_id)
        async with watching(table_id, ada, sue) as (a, b):
            with pytest.raises(RefusedError, match=r"(?i)aucune partie|no game"):
                await a.hint()
            await begin(a, b)
            mover = await mover_of(a, b)
            while mover is b:
                await play_turn(b)
                mover = await mover_of(a, b)
            hint = await a.hint()
            assert hint.level == "tycoon"
            assert hint.reasons
            assert hint.words
            assert all("reason" in reason for reason in hint.reasons)
            ahead = await a.preview(hint.moves)
            assert ahead.turn_over
            # After a part of the turn, what to do with the rest.
            rest = await a.hint(hint.moves[:1])
            if not (await a.preview(hint.moves[:1])).turn_over:
                assert (await a.preview([*hint.moves[:1], *rest.moves])).turn_over
            with pytest.raises(RefusedError, match=r"(?i)your own turn"):
                await b.hint()
            with pytest.raises(RefusedError):
                await a.hint(["+XYZ"])
            # One at a time, so the second may have come too early; the first is answered.
            asked = await asyncio.gather(a.hint(), a.hint(), return_exceptions=True)
            assert isinstance(asked[0], p.Hinted)
            if isinstance(asked[1], RefusedError):
                assert asked[1].problem.template == "one hint at a time"
        bare_id = await ada.create(["me", "greenhorn"], p.Settings(pace=0, aids=False))
        async with ada.watch(bare_id) as bare:
            await begin(bare)
            await bare.until(lambda bare: bare.my_turn)
            with pytest.raises(RefusedError) as refused:
                await bare.hint()
            assert refused.value.problem.template == "hints are off at this table"
            await bare.preview([bare.view["legal"][0]])  # type: ignore[index]


# ---- round one device -----------------------------------------------------------------------


async def test_round_one_device_a_hand_is_seen_only_between_look_and_the_end_of_the_turn(
    server: RunningServer,
) -> None:
    async with game(server, ["me", None, "me"], "Ada", "Bob") as (table_id, (ada, _), (a, b)):
        assert a.view is not None
        assert a.looking is None
        assert a.view["hands"] == [None, None, None]
        with pytest.raises(RefusedError, match=r"(?i)look at your hand"):
            await a.preview([])
        with pytest.raises(RefusedError, match=r"(?i)not your seat"):
            await a.look(1)
        with pytest.raises(RefusedError, match=r"(?i)not your seat"):
            await b.look(0)
        for _ in range(6):
            if b.my_turn:
                await play_turn(b)
                await same_step(a, b)
                continue
            seat, other = (0, 2) if a.to_move == 0 else (2, 0)
            await a.look(seat)
            tile = a.view["legal"][0]
            assert a.view["hands"][other] is None
            await a.look(other)
            assert a.view["hands"][other]
            assert a.view["hands"][seat] is None
            with pytest.raises(RefusedError, match=r"(?i)look at your hand"):
                await a.turn([tile])  # nobody makes the turn of a hand that is not shown
            await a.look(None)
            assert a.view["hands"] == [None, None, None]
            await a.look(seat)
            async with ada.watch(table_id) as second:
                assert second.looking is None  # another screen of theirs shows nothing by that
            step = await a.turn([tile])
            assert a.looking is None
            assert a.view["hands"] == [None, None, None]
            drawn = [each for each in events(a.steps[-1]) if each["event"] == "tile_drawn"]
            assert a.steps[-1].number == step
            assert all(each["tile"] is None for each in drawn)  # the next may be looking on
            await same_step(a, b)
        await a.look(a.you.seats[0])
        await a.drop()
        await a.until(lambda a: a.connections == 2)
        assert a.view["hands"][1] is None


# ---- who is here ----------------------------------------------------------------------------


async def test_everybody_is_told_who_comes_and_goes(server: RunningServer) -> None:
    def told(here: list[bool], spectators: int) -> Any:
        return lambda table: (
            table.presence is not None
            and table.presence.here == here
            and table.presence.spectators == spectators
        )

    async with people(server.url, "Ada", "Bob", "Sue", "") as (ada, bob, sue, nobody):
        table_id = await ada.create(["me", None, "clerk", None], FAST)
        await bob.take_seat(table_id)
        await sue.introduce()
        async with ada.watch(table_id) as a:
            await a.until(told([True, False, False, False], 0))
            assert a.presence is not None
            assert a.presence.away_since[0] is None
            async with bob.watch(table_id) as b:
                for table in (a, b):
                    await table.until(told([True, True, False, False], 0))
                async with bob.watch(table_id), sue.watch(table_id), nobody.watch(table_id):
                    await b.until(told([True, True, False, False], 2))
                await b.until(told([True, True, False, False], 0))
                gone = time.time() * 1000
            await a.until(told([True, False, False, False], 0))
            since = a.presence.away_since
            assert since[1] is not None
            assert since[0] is since[2] is since[3] is None
            assert abs(since[1] - gone) < PATIENCE * 1000
            async with bob.watch(table_id):
                await a.until(told([True, True, False, False], 0))


# ---- the wire -------------------------------------------------------------------------------


async def test_messages_come_in_order(server: RunningServer) -> None:
    """Welcome first; each answer after the news it made; requests in the order they were sent."""
    async with game(server, ["me", None], "Ada", "Bob") as (table_id, everybody, (a, b)):
        mover = await mover_of(a, b)
        person = everybody[0] if mover is a else everybody[1]
        assert mover.view is not None
        tile = mover.view["legal"][0]
        async with raw_socket(person, table_id) as raw:
            await raw.send(type="hello", protocol=p.PROTOCOL)
            welcome = await raw.receive()
            assert welcome["type"] == "welcome"
            assert welcome["protocol"] == p.PROTOCOL
            assert [step["number"] for step in welcome["steps"]] == list(range(1, a.number + 1))
            assert abs(welcome["now"] - time.time() * 1000) < PATIENCE * 1000
            await raw.send(type="ping", id="1")
            await raw.send(type="say", id="2", text="Here goes")
            await raw.send(type="preview", id="3", moves=[tile])
            await raw.send(type="nonsense", id="4")
            await raw.send(type="turn", id="5", turn=1, moves=[tile])
            await raw.send(type="turn", id="6", turn=1, moves=[tile])
            await raw.send(type="hello", protocol=p.PROTOCOL)
            await raw.send(type="ping", id="7")
            came: list[tuple[Any, ...]] = []
            while not came or came[-1] != ("pong", "7"):
                message = await raw.receive()
                if message["type"] == "news":
                    came.append(("news", [step["number"] for step in message["steps"]]))
                elif message["type"] != "presence":
                    came.append((message["type"], message.get("id")))
            said = a.number if a.number > len(welcome["steps"]) else len(welcome["steps"]) + 1
            first = len(welcome["steps"]) + 1
            assert said >= first
            assert came == [
                ("pong", "1"),
                ("news", [first]),
                ("accepted", "2"),
                ("previewed", "3"),
                ("refused", None),
                ("news", [first + 1]),
                ("accepted", "5"),
                ("refused", "6"),
                ("refused", None),
                ("pong", "7"),
            ]


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "hello", "protocol": 0}, p.CLOSE_PROTOCOL),
        ({"type": "hello", "protocol": p.PROTOCOL + 1}, p.CLOSE_PROTOCOL),
        ({"type": "hello"}, p.CLOSE_BAD_MESSAGE),
        ({"type": "ping", "id": "1"}, p.CLOSE_BAD_MESSAGE),
        ({"type": "hello", "protocol": p.PROTOCOL, "have": -1}, p.CLOSE_BAD_MESSAGE),
        ({"type": "hello", "protocol": p.PROTOCOL, "colour": "red"}, p.CLOSE_BAD_MESSAGE),
    ],
    ids=["old", "new", "none", "no hello", "bad number", "unknown field"],
)
async def test_who_does_not_speak_this_protocol_is_sent_away(
    server: RunningServer, first: dict[str, Any], code: int
) -> None:
    async with people(server.url, "Ada") as (ada,):
        table_id = await ada.create(["me", None], FAST)
        async with raw_socket(ada, table_id) as raw:
            await raw.send(**first)
            assert await raw.closed() == code


async def test_requests_that_need_a_game_say_that_there_is_none(server: RunningServer) -> None:
    async with people(server.url, "Ada") as (ada,):
        table_id = await ada.create(["me", "clerk"], FAST)
        async with ada.watch(table_id) as table:
            for attempt in (table.preview(["A1"]), table.hint(), table.turn(["A1"], 1)):
                with pytest.raises(RefusedError, match=r"(?i)no game is being played"):
                    await attempt
            await table.look(0)
            assert await table.ping() > 0
    assert "unexpected error" not in server.log


async def test_a_client_that_does_not_read_is_let_go_and_comes_back_for_the_rest(
    server: RunningServer,
) -> None:
    """It asks for view after view and takes none of them; nobody else notices.

    The server may stop reading before enough views wait; chat goes on to fill the queue then."""
    shed = await metric(server, "lastspike_sockets_shed_total")
    async with game(server, ["me", None], "Ada", "Bob", "Sue") as (table_id, (ada, *_), (a, b, s)):
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.setblocking(False)
        host, _, port = server.url.removeprefix("http://").partition(":")
        await asyncio.get_running_loop().sock_connect(narrow, (host, int(port)))
        async with raw_socket(ada, table_id, sock=narrow, max_queue=1, close_timeout=1) as raw:
            await raw.send(type="hello", protocol=p.PROTOCOL)
            have = a.number
            stuffed = asyncio.create_task(_ask_without_end(raw))
            slowest = 0.0
            try:
                async with asyncio.timeout(PATIENCE):
                    while await metric(server, "lastspike_sockets_shed_total") == shed:
                        slowest = max(slowest, await s.ping(), await b.ping())
                        for _ in range(10):
                            await b.say("🚂" * 300)
            finally:
                stuffed.cancel()
                await asyncio.gather(stuffed, return_exceptions=True)
            for turn in range(3):
                began = time.monotonic()
                await play_turn(await mover_of(a, b), by_chance(turn))
                await same_step(a, b, s)
                slowest = max(slowest, time.monotonic() - began)
            assert slowest < 5.0, "others had to wait"
            # What was under way still comes out of the line, and then its end.
            assert await raw.closed() in (p.CLOSE_SLOW, 1006)
        async with ada.watch(table_id, have=have) as back:
            assert [step.number for step in back.steps] == list(range(have + 1, a.number + 1))
            assert back.steps == a.steps[have:]


async def _ask_without_end(raw: Raw) -> None:
    with suppress(ConnectionClosed):
        while True:
            for _ in range(1000):  # more at once than the server queues for a viewer
                await raw.send(type="look", seat=0)
            await asyncio.sleep(0)


async def test_a_computer_takes_its_time_if_the_table_says_so(server: RunningServer) -> None:
    """By the server's own clock: each turn of a computer comes so long after the one before."""
    paced = p.Settings(pace=600)
    async with game(server, ["me", "greenhorn", "clerk"], "Ada", settings=paced) as (
        table_id,
        (ada,),
        (a,),
    ):
        await a.until(lambda a: a.my_turn, PATIENCE)
        await play_turn(a)
        await a.until(lambda a: a.my_turn, PATIENCE)
        assert len(_paces(a)) >= 2
        assert min(_paces(a)) >= 0.59  # milliseconds are cut off on the way
        before = a.number
        await ada.change_settings(table_id, p.Settings(pace=0))
        await finish(a)
        hurried = _paces(a, before + 1)
        assert len(hurried) > 10
        # Most turns of the others came at once; how long a busy machine takes is its own affair.
        assert sorted(hurried)[len(hurried) // 2] < 0.6


def _paces(table: Table, after: int = 0) -> list[float]:
    """For each turn of a computer, how many seconds after the step before it came."""
    return [
        (step.at - before.at) / 1000
        for before, step in zip(table.steps, table.steps[1:], strict=False)
        if step.number > after and step.happenings[0].get("level")
    ]


class BareSocket:
    """A WebSocket whose frames are seen, and which answers pings only if it is told to."""

    def __init__(self, person: Person, table_id: str) -> None:
        self._url = parse_uri(live_url(person, table_id))
        self._cookie = f"lastspike={person.secret}"
        self._protocol = ClientProtocol(self._url)

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(self._url.host, self._url.port)
        request = self._protocol.connect()
        request.headers["Cookie"] = self._cookie
        self._protocol.send_request(request)
        self._flush()
        while not await self._events():  # the answer to the request
            pass
        hello = msgspec.json.encode(p.Hello(p.PROTOCOL))
        self._protocol.send_text(hello)
        self._flush()

    async def frames(self, *, answering: bool) -> AsyncIterator[Frame]:
        """All but text, until the connection ends."""
        while not self._reader.at_eof():
            for event in await self._events():
                if isinstance(event, Frame) and event.opcode != Opcode.TEXT:
                    yield event
            answers = self._protocol.data_to_send()
            if answering:
                self._writer.writelines(answers)

    def close(self) -> None:
        self._writer.transport.abort()

    async def _events(self) -> list[Any]:
        data = await self._reader.read(65536)
        if data:
            self._protocol.receive_data(data)
        return self._protocol.events_received()

    def _flush(self) -> None:
        self._writer.writelines(self._protocol.data_to_send())


async def test_the_server_s_heartbeat_finds_out_who_is_gone(tmp_path: Path) -> None:
    """A line that answers no ping counts as lost after a while, though nothing says so."""
    with server_in_a_hurry(tmp_path, {"run.serving.HEARTBEAT": 2.0}) as hurried:
        async with people(hurried.url, "Ada", "Bob", "Cy") as (ada, bob, cy):
            table_id = await ada.create(["me", None, None], FAST)
            await bob.take_seat(table_id)
            await cy.take_seat(table_id)
            async with ada.watch(table_id) as a:
                answering, silent = BareSocket(bob, table_id), BareSocket(cy, table_id)
                await answering.open()
                await silent.open()
                pings: list[Opcode] = []

                async def answer() -> None:
                    async for frame in answering.frames(answering=True):
                        pings.extend([frame.opcode])

                answers = asyncio.create_task(answer())
                await a.until(lambda a: a.presence is not None and all(a.presence.here), PATIENCE)
                async with asyncio.timeout(PATIENCE):
                    seen = [frame async for frame in silent.frames(answering=False)]
                assert [frame.opcode for frame in seen] == [Opcode.PING, Opcode.CLOSE]
                await a.until(lambda a: a.presence is not None and not a.presence.here[2], PATIENCE)
                so_far = len(pings)
                await until(lambda: len(pings) > so_far + 1)
                assert a.presence is not None
                assert a.presence.here == [True, True, False]
                assert set(pings) == {Opcode.PING}
                assert a.connections == 1
                silent.close()
                answering.close()
                await answers
