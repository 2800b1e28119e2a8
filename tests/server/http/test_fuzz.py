"""What can't be read: frames and bodies of every wrong kind, and thousands of messages by chance.

The server answers each clearly or closes the socket with a code that says why, never with an error
of its own; nothing but legal turns changes the game, which is finished at the end and verifies.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

import msgspec
import psutil  # type: ignore[import-untyped]
import pytest
from websockets.exceptions import ConnectionClosed

from lastspike import protocol as p
from lastspike.client import Person, play_to_end
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.records.record import read_record
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_step
from lastspike.server.table import log_events as e
from tests.server.running import RunningServer, running_server
from tests.server.siege import Company, clear, refused, sqlite_in
from tests.server.strangers import Line, ask, line, not_let_in, secret_of

pytestmark = pytest.mark.anyio

SOAK = bool(os.environ.get("LASTSPIKE_SOAK"))
MESSAGES = 100_000 if SOAK else 3_000
BRANCHES = 10 if SOAK else 3
MIB = 1 << 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One whose log has no error in it at the end, whatever it was sent."""
    with running_server(sqlite_in(tmp_path_factory.mktemp("fuzz"))) as running:
        yield running
        assert "unexpected error" not in running.log
        assert "Exception in ASGI application" not in running.log


@pytest.fixture
async def game(server: RunningServer) -> AsyncIterator[Company]:
    async with contextlib.AsyncExitStack() as stack:
        company = Company(server)
        await company.gather(stack)
        await company.begin(stack)
        yield company
        await company.goes_on()


DEEP = "[" * 8000
HUGE = "9" * 4000
NOT_UNDERSTOOD = [
    "",
    "nonsense",
    "null",
    "[]",
    '"turn"',
    "1e999",
    "{}",
    '{"type":null}',
    '{"type":"nope"}',
    '{"type":["turn"]}',
    f'{{"a":{DEEP}',
    f'{{"type":"ping","id":{DEEP}}}',
    f'{{"type":"turn","id":"a","turn":{HUGE},"moves":[]}}',
    '{"type":"turn","id":"a","turn":1.5,"moves":[]}',
    '{"type":"turn","id":"a","turn":true,"moves":[]}',
    '{"type":"turn","id":"a","turn":0,"moves":[]}',
    '{"type":"turn","id":"a","turn":-1,"moves":[]}',
    '{"type":"turn","id":"a","turn":"1","moves":[]}',
    '{"type":"turn","id":"a","turn":1,"moves":"A1"}',
    '{"type":"turn","id":"a","turn":1,"moves":[["A1"]]}',
    '{"type":"turn","id":"a","turn":1,"moves":[""]}',
    json.dumps({"type": "turn", "id": "a", "turn": 1, "moves": ["A1"] * 61}),
    json.dumps({"type": "turn", "id": "a", "turn": 1, "moves": ["A" * 13]}),
    '{"type":"turn","id":"","turn":1,"moves":[]}',
    json.dumps({"type": "turn", "id": "a" * 41, "turn": 1, "moves": []}),
    '{"type":"turn","id":"a b","turn":1,"moves":[]}',
    '{"type":"turn","id":"a","turn":1,"moves":[],"seat":0}',
    '{"type":"turn","id":"a","moves":[]}',
    '{"type":"look","seat":6}',
    '{"type":"look","seat":-1}',
    '{"type":"look","seat":"0"}',
    '{"type":"look"}',
    '{"type":"ready","id":"a","round":1,"commitment":"xyz"}',
    json.dumps({"type": "ready", "id": "a", "round": 1, "commitment": "A" * 64}),
    json.dumps({"type": "reveal", "id": "a", "round": 1, "secret": "0" * 63}),
    '{"type":"say","id":"a","text":"\\ud800"}',
    '{"type":"say","id":"a","text":1}',
    '{"type":"ping","id":"a"',
    '{"type":"ping","id":"a"}{"type":"ping","id":"b"}',
    "\ufeff" + '{"type":"ping","id":"a"}',
]


class TestFrames:
    async def test_what_nobody_understands_is_told_so(self, game: Company) -> None:
        for begin in range(0, len(NOT_UNDERSTOOD), 20):
            async with line(game.url, game.table_id, secret_of(game.mover)) as here:
                for text in NOT_UNDERSTOOD[begin : begin + 20]:
                    answer = await here.refused(text)
                    clear(answer["problem"])
                    assert "can’t be understood" in answer["problem"]["message"], text

    async def test_patience_ends(self, game: Company) -> None:
        async with line(game.url, game.table_id, secret_of(game.mover)) as here:
            for _ in range(21):
                await here.send("nonsense")
            assert (await here.closed())[0] == p.CLOSE_BAD_MESSAGE

    @pytest.mark.parametrize(
        "first",
        [
            *("", "nonsense", "{}", f'{{"a":{DEEP}', '{"type":"hello"}'),
            '{"type":"ping","id":"a"}',
            '{"type":"turn","id":"a","turn":1,"moves":["A1"]}',
            '{"type":"hello","protocol":1,"have":-1}',
            '{"type":"hello","protocol":1,"language":"xx"}',
        ],
        ids=lambda text: text[:30],
    )
    async def test_hello_comes_first(self, game: Company, first: str) -> None:
        async with line(game.url, game.table_id, secret_of(game.mover), hello=False) as here:
            await here.send(first)
            assert await here.closed() == (p.CLOSE_BAD_MESSAGE, "hello comes first")

    @pytest.mark.parametrize("protocol", [0, 2, -1, 10**30])
    async def test_another_protocol(self, game: Company, protocol: int) -> None:
        async with line(game.url, game.table_id, hello=False) as here:
            await here.send({"type": "hello", "protocol": protocol})
            assert (await here.closed())[0] == p.CLOSE_PROTOCOL

    async def test_hello_is_said_once(self, game: Company) -> None:
        async with line(game.url, game.table_id) as here:
            answer = await here.refused(p.Hello(p.PROTOCOL))
            assert "already" in answer["problem"]["message"]

    async def test_who_says_nothing_is_let_go(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from lastspike.server.http.routes import socket

        class Silent:
            async def receive(self) -> dict[str, Any]:
                await asyncio.sleep(3600)
                raise AssertionError

        monkeypatch.setattr(socket, "HELLO_S", 0.01)
        silent: Any = Silent()
        with pytest.raises(socket._Close) as closed:
            await socket._hello(silent)
        assert closed.value.code == p.CLOSE_BAD_MESSAGE

    @pytest.mark.parametrize("table_id", ["x", "A" * 22, "..", "%FF", "%C3%A9"])
    async def test_a_table_that_is_not_there(self, server: RunningServer, table_id: str) -> None:
        async with line(server.url, table_id, hello=False) as here:
            await here.send(p.Hello(p.PROTOCOL))
            clear((await here.hear("refused"))["problem"])
            assert (await here.closed())[0] == p.CLOSE_NO_TABLE
        refused(await not_let_in(server.url, f"{table_id}%00"), 404)
        assert (await not_let_in(server.url, "..%2F..%2Fx")).status == 403

    async def test_frames_of_every_wrong_kind(self, game: Company) -> None:
        async def sent(code: int, *frames: tuple[bytes, int, bool]) -> None:
            async with line(game.url, game.table_id, secret_of(game.mover)) as here:
                for data, opcode, final in frames:
                    await here.frame(data, opcode, final=final)
                assert (await here.closed())[0] == code

        await sent(1003, (b"\x00\x01", 2, True))
        await sent(1009, (b"x" * 16_385, 1, True))
        await sent(1009, (b"x" * 10_000, 1, False), (b"x" * 10_000, 0, True))
        await sent(1007, (b'{"type":"ping","id":"\xff"}', 1, True))
        await sent(1002, (b"x", 3, True))
        await sent(1002, (b"x", 0, True))
        await sent(1002, (b"x" * 200, 9, True))
        await sent(1002, (b"x", 1, False), (b"x", 1, True))
        await sent(1002, (b"\x00", 8, True))

    async def test_a_message_may_come_in_parts(self, game: Company) -> None:
        async with line(game.url, game.table_id, secret_of(game.mover)) as here:
            text = b'{"type":"ping","id":"parts"}'
            for place, byte in enumerate(text):
                last = place == len(text) - 1
                await here.frame(bytes([byte]), 0 if place else 1, final=last)
            assert (await here.hear("pong"))["id"] == "parts"


class TestBodies:
    BODIES = (
        *(b"", b"null", b"[]", b"{}", b"nonsense", b'{"name":', b'{"name":1}', b'{"name":null}'),
        *(b'{"name":"\xff"}', b'{"name":"\\ud800"}', b'{"name":"a","x":1}', b"\x00", b"\xff\xfe"),
        b'{"name":"a"}{"name":"b"}',
        b'{"name":1e999}',
    )
    LONG = (b"[" * 30_000, b'{"name":' + b"[" * 30_000, b'{"name":' + b"9" * 30_000 + b"}")

    async def test_bodies_of_every_wrong_kind(self, game: Company) -> None:
        cookie = secret_of(game.guest)
        for body in self.BODIES:
            refused(await ask(game.url, "POST", "/api/me", body, cookie=cookie), 400)
            refused(await ask(game.url, "POST", "/api/tables", body, cookie=cookie), 400)
            refused(await ask(game.url, "POST", "/api/records", body, cookie=cookie), 400)
        for body in self.LONG:
            refused(await ask(game.url, "POST", "/api/me", body, cookie=cookie), 413)
            refused(await ask(game.url, "POST", "/api/tables", body, cookie=cookie), 400)
            refused(await ask(game.url, "POST", "/api/records", body, cookie=cookie), 400)
        nested = b'{"name":"a","seats":["me",null],"settings":{"figures":{"a":%b}}}'
        for part in (b"[" * 15_000 + b"]" * 15_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000):
            answer = await ask(game.url, "POST", "/api/tables", nested % part, cookie=cookie)
            refused(answer, 400)
        for kind in ("multipart/form-data; boundary=x", "application/x-msgpack", "text/html"):
            headers = {"Content-Type": kind}
            answer = await ask(game.url, "POST", "/api/me", b"name=x", headers=headers)
            refused(answer, 400)

    async def test_paths_that_lead_nowhere(self, game: Company) -> None:
        for path, status in (
            ("/../../../../etc/passwd", 404),
            ("/%2e%2e/%2e%2e/etc/passwd", 404),
            ("/api/tables/..%2f..%2f..%2fetc%2fpasswd", 404),
            ("/api/tables/%00", 404),
            ("/api/tables/%ff%fe", 404),
            (f"/api/tables/{'x' * 3000}", 404),
            ("/api/tables/'%20OR%201=1--", 404),
            (f"/api/tables/{game.table_id}%00", 404),
            (f"/api/tables/{game.table_id}/live", 405),
            (f"/api/tables/{game.table_id}/secret", 404),
            (f"/api/tables/{game.table_id}/steps", 404),
            ("/api/persons", 404),
            ("/.git/config", 404),
            ("/web/1/../../pyproject.toml", 404),
            ("/web/1/%2e%2e/%2e%2e/server/app.py", 404),
            ("/web/1//etc/passwd", 404),
            ("/web/1/__init__.py", 404),
            ("/web/1/words/..%2fpt.json", 404),
            ("/api/editions/..%2feditions%2fcolumbia-2015", 404),
        ):
            refused(await ask(game.url, "GET", path, cookie=secret_of(game.host)), status)
        for method in ("PUT", "PATCH", "TRACE"):
            refused(await ask(game.url, method, "/api/me"), 405)


class TestEditions:
    """Figures of one's own, however absurd, take neither long nor much memory."""

    def absurd(self) -> Iterator[tuple[dict[str, Any], int]]:
        def figures(**changes: Any) -> dict[str, Any]:
            return shipped("columbia-2015").to_figures() | {"id": "absurd"} | changes

        city = figures()["cities"][0]
        route = figures()["routes"][0]
        many = [{**city, "code": f"C{number}", "names": {}} for number in range(1200)]
        yield figures(cities=figures()["cities"] + many), 413
        yield figures(printed=["cities.DEN.land"] * 10_000), 413
        yield figures(anything="x" * 200_000), 413
        yield figures(name="x" * 100_000), 413
        yield figures(last_spike_bonus=10**4000), 400
        yield figures(last_spike_bonus=10**12), 400
        yield figures(hand_size=10**9), 400
        yield figures(hand_size=99), 400
        yield figures(starting_cash={str(n): 1000 for n in range(2, 2000)}), 400
        yield figures(cities=[]), 400
        yield figures(cities=[city] * 50), 400
        yield figures(routes=[route] * 26), 400
        yield figures(routes=[]), 400
        yield figures(name="a\u202eb"), 400
        yield figures(start="OMA", finish="OMA"), 400
        yield {}, 400

    async def test_they_are_refused_soon(self, game: Company, server: RunningServer) -> None:
        process = psutil.Process(server.pid)
        before = process.memory_info().rss
        for figures, status in self.absurd():
            wanted = {"name": "x", "seats": ["me", None], "settings": {"figures": figures}}
            began = time.perf_counter()
            answer = await ask(
                game.url, "POST", "/api/tables", wanted, cookie=secret_of(game.guest)
            )
            refused(answer, status)
            assert time.perf_counter() - began < 5
        assert process.memory_info().rss - before < 64 * MIB

    async def test_an_edition_with_as_many_ways_as_can_be(self, server: RunningServer) -> None:
        """26 routes, two and two side by side: 8192 shortest ways to the last spike."""
        figures = shipped("columbia-2015").to_figures() | {"id": "ladder"}
        city, route = figures["cities"][0], figures["routes"][0]
        codes = [f"C{number}" for number in range(14)]
        figures["cities"] = [{**city, "code": code, "name": code, "names": {}} for code in codes]
        figures["routes"] = [
            {**route, "letter": chr(65 + n), "ends": [codes[n // 2], codes[n // 2 + 1]]}
            for n in range(26)
        ]
        figures |= {"start": codes[0], "finish": codes[-1], "printed": []}
        settings = p.Settings(figures=figures, pace=0)
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", "speculator"], settings)
            async with ada.watch(table_id) as table:
                await table.ready()
                await table.until(lambda table: table.my_turn)
                began = time.perf_counter()
                await table.hint()
                assert time.perf_counter() - began < 20
                await ada.close_table(table_id)


# ---- by chance ------------------------------------------------------------------------------

TOKENS: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 5, 6, 7, 2**31, 2**63, 10**30, 0.5, 1e300, "", "A1", "Z4"),
    *("pass", "+DEN", "-DEN1", "+OMA", "me", "0", "x" * 50, "\u202e", "\0", "💥", [], {}, [None]),
    *(["A1"], {"a": 1}, "0" * 64, "f" * 64, "clerk", "hello", "turn", "look", "en", [[[[[]]]]]),
]
FIELDS = (
    *("type", "id", "turn", "moves", "seat", "text", "round", "commitment", "secret", "protocol"),
    *("have", "sit", "language", "person", "kind", "", "__class__", "💥"),
)


def valid(rng: Random, turn: int, legal: list[str]) -> dict[str, Any]:
    """A message that could be meant, mostly harmless, sometimes a legal turn."""
    tile = rng.choice([*legal, "A1", "V3", "Z4", "nonsense"])
    laid = tile if rng.random() < 0.1 else rng.choice(["A1", "Z4", "pass", "nonsense"])
    messages: list[p.FromClient] = [
        p.Hello(p.PROTOCOL),
        p.Look(rng.choice([0, 0, 0, 1, 1, 1, None, 2, 5])),
        p.AskPreview("q", [rng.choice(legal)] if legal else []),
        p.AskPreview(f"p{rng.random()}"[:20].replace(".", "_"), [tile]),
        p.AskPreview("p", [tile, rng.choice(["pass", "+DEN", "-DEN1", tile])]),
        p.CommitTurn(f"t{rng.getrandbits(40)}", turn + rng.choice([0, 0, 0, -1, 1, 9]), [laid]),
        p.CommitTurn("same", max(1, turn), [laid, "pass"]),
        p.Say(f"s{rng.getrandbits(40)}", rng.choice(["hello", "\u202e", "<b>", "x" * 400])),
        p.Ready("r", rng.choice([0, 1, 2]), "0" * 64),
        p.NotReady("n"),
        p.Reveal("v", 1, "f" * 64),
        p.Return("b"),
        p.Ping("i"),
    ]
    message: dict[str, Any] = msgspec.to_builtins(rng.choice(messages))
    return message


def mutated(rng: Random, message: dict[str, Any]) -> str | bytes:
    """The message with something wrong in it, or nothing."""
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        key = rng.choice([*message, *FIELDS]) if message else rng.choice(FIELDS)
        match rng.randrange(4):
            case 0:
                message.pop(key, None)
            case 1:
                message[key] = rng.choice(TOKENS)
            case 2:
                message[key] = [message.get(key)] * rng.randrange(4)
            case _:
                message[rng.choice(FIELDS)] = message.get(key)
    text = json.dumps(message)
    match rng.randrange(12):
        case 0:
            at = rng.randrange(len(text) + 1)
            return text[:at] + rng.choice(["", "\0", '"', "{", "[", "\\u", "9" * 50]) + text[at:]
        case 1:
            return text[: rng.randrange(len(text))]
        case 2:
            at = rng.randrange(len(text))
            return text[:at] + chr(rng.choice([rng.randrange(128), 0x202E])) + text[at + 1 :]
        case 3 if rng.random() < 0.1:
            return text.encode()
        case _:
            return text


class Fuzzer:
    """One who sends what comes to mind, and comes back when thrown out."""

    def __init__(self, game: Company, person: Person | None, seed: str) -> None:
        self.game = game
        self.cookie = None if person is None else secret_of(person)
        self.rng = Random(seed)
        self.sent = 0
        self.answers: dict[str, int] = {}

    async def run(self, messages: int) -> None:
        while self.sent < messages:
            with contextlib.suppress(ConnectionClosed):
                async with line(self.game.url, self.game.table_id, self.cookie) as here:
                    await self._visit(here, messages)

    async def _visit(self, here: Line, messages: int) -> None:
        while self.sent < messages:
            tables = self.game.tables
            legal = [move for table in tables for move in (table.view or {}).get("legal", [])]
            for _ in range(10):
                message = valid(self.rng, self.game.turn, legal)
                await here.send(mutated(self.rng, message))
                self.sent += 1
            await here.send({"type": "ping", "id": "sync"})
            while True:
                told = json.loads(await asyncio.wait_for(here.socket.recv(), 60))
                self.answers[told["type"]] = self.answers.get(told["type"], 0) + 1
                if told["type"] == "refused":
                    clear(told["problem"])
                    assert "went wrong" not in told["problem"]["message"], told
                if told["type"] == "pong" and told["id"] == "sync":
                    break


@pytest.mark.soak
@pytest.mark.parametrize("branch", range(BRANCHES))
async def test_thousands_of_messages_by_chance(server: RunningServer, branch: int) -> None:
    async with contextlib.AsyncExitStack() as stack:
        game = Company(server)
        await game.gather(stack)
        await game.begin(stack)
        await game.host.mute(game.table_id, "nobody")
        fuzzers = [
            Fuzzer(game, person, f"{branch} {number}")
            for number, person in enumerate((game.host, game.guest, game.watcher, None))
        ]
        each = MESSAGES // BRANCHES // len(fuzzers) + 1
        await asyncio.gather(*(fuzzer.run(each) for fuzzer in fuzzers))
        assert sum(fuzzer.sent for fuzzer in fuzzers) >= MESSAGES // BRANCHES
        answers = {kind for fuzzer in fuzzers for kind in fuzzer.answers}
        assert answers >= {"refused", "accepted", "previewed", "news", "view", "pong"}
        await asyncio.gather(*(play_to_end(table, patience=30) for table in game.tables))
        record = await game.watcher.record(game.table_id)
        read_record(record)
        assert game.tables[0].check_shuffle(record)
        steps = await _log(server, game.table_id)
    kinds = {type(happening) for step in steps for happening in step.events}
    before = {e.TableCreated, e.SeatTaken, e.RoundBegan, e.PersonReady, e.SecretsAsked}
    during = {e.SecretRevealed, e.GameStarted, e.TurnMade, e.Said, e.Muted}
    assert kinds <= before | during
    moves = [m for step in steps for each in step.events for m in getattr(each, "moves", ())]
    assert moves == record["moves"]


async def _log(server: RunningServer, table_id: str) -> list[e.Step]:
    storage = Storage(server.database_url)
    await storage.open()
    try:
        return [to_step(row) for row in await storage.logs.steps(table_id)]
    finally:
        await storage.close()
