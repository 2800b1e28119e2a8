"""Nobody let in: another's seat, false secrets, foreign pages, messages out of order, false hosts.

Each attempt is refused clearly, with the right status or code, and the game goes on: at the end of
each test the next turn is made, and everybody hears of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lastspike.client import Person, Table
from lastspike.client.playing import play_turn
from lastspike.rules.shuffle import commitment
from lastspike.server import protocol as p
from lastspike.server.persons import hashed
from lastspike.server.storage import Storage, WebhookRow

from .running import RunningServer, running_server
from .strangers import Answer, Line, ask, line, not_let_in, secret_of

pytestmark = pytest.mark.anyio

INTERNAL = re.compile(
    r"Traceback|File \"|\.py\b|site-packages|sqlite|sqlalchemy|SELECT |INSERT |object at 0x"
    r"|lastspike\.|msgspec|litestar|asyncio|Exception|/tmp|/src/",
    re.IGNORECASE,
)
TOKEN = "let me make a table, please"


def sqlite_in(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'spike.db'}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(sqlite_in(tmp_path_factory.mktemp("open"))) as running:
        yield running


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Behind https, with a token for making tables and room for very few."""
    limits = {
        "sockets_per_address": 8,
        "spectators_per_table": 2,
        "tables_per_person_per_hour": 3,
        "persons_per_address_per_hour": 12,
        "messages_per_10s": 30,
        "chats_per_minute": 4,
        "body_bytes": 4096,
    }
    with running_server(
        sqlite_in(tmp_path_factory.mktemp("guarded")),
        base_url="https://spike.example/game",
        create_token=TOKEN,
        limits=limits,
    ) as running:
        yield running


class Company:
    """A game of two people, with somebody who watches."""

    def __init__(self, server: RunningServer) -> None:
        self.url = server.url
        self.database = server.database_url
        self.table_id = ""
        self.host = Person(server.url, "Host")
        self.guest = Person(server.url, "Guest")
        self.watcher = Person(server.url, "Watcher")
        self.tables: list[Table] = []
        self.ids: list[str] = []

    async def gather(self, stack: AsyncExitStack) -> None:
        for person in (self.host, self.guest, self.watcher):
            await stack.enter_async_context(person)
            self.ids.append((await person.introduce()).person)
        self.table_id = await self.host.create(["me", None], p.Settings(pace=0))
        await self.guest.take_seat(self.table_id)

    async def begin(self, stack: AsyncExitStack) -> None:
        for person in (self.host, self.guest):
            table = await stack.enter_async_context(person.watch(self.table_id))
            self.tables.append(table)
        await asyncio.gather(*(table.ready() for table in self.tables))
        for table in self.tables:
            await table.until(lambda table: table.view)

    @property
    def mover(self) -> Person:
        """The person whose turn it is."""
        return self.host if self.tables[0].to_move == 0 else self.guest

    @property
    def other(self) -> Person:
        return self.guest if self.mover is self.host else self.host

    @property
    def turn(self) -> int:
        return self.tables[0].turn_number

    def legal(self) -> str:
        """A tile that the mover can lay."""
        view = self.tables[self.tables[0].to_move or 0].view
        assert view is not None
        legal: str = view["legal"][0]
        return legal

    async def goes_on(self) -> None:
        """The next turn is made, as if nothing had happened."""
        turn = self.turn
        await play_turn(self.tables[self.tables[0].to_move or 0])
        for table in self.tables:
            await table.until(partial(_is_past, turn))
            assert table.turn_number == turn + 1


def _is_past(turn: int, table: Table) -> bool:
    return table.turn_number > turn


@pytest.fixture
async def waiting(server: RunningServer) -> AsyncIterator[Company]:
    """A table before its game."""
    async with AsyncExitStack() as stack:
        company = Company(server)
        await company.gather(stack)
        yield company


@pytest.fixture
async def game(server: RunningServer) -> AsyncIterator[Company]:
    async with AsyncExitStack() as stack:
        company = Company(server)
        await company.gather(stack)
        await company.begin(stack)
        await company.goes_on()
        yield company
        await company.goes_on()


def refused(answer: Answer, status: int, words: str = "") -> None:
    """Over HTTP: with this status, clearly, and with the headers that everything carries."""
    assert answer.status == status, answer
    clear(answer.json)
    assert words in answer.json["message"].lower()
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert "default-src 'none'" in (answer.header("content-security-policy") or "")
    assert answer.cookie is None


def clear(problem: dict[str, Any]) -> None:
    """A sentence for people, and nothing of what is inside."""
    assert problem.keys() == {"message", "template", "facts", "rule"}
    assert re.match(r"\S.{5,}", problem["message"])
    assert not INTERNAL.search(str(problem)), problem


async def says_no(
    line: Line, message: p.FromClient | dict[str, Any], words: str = "", rule: str | None = None
) -> dict[str, Any]:
    """Over a socket."""
    answer = await line.refused(message)
    clear(answer["problem"])
    assert words in answer["problem"]["message"].lower(), answer
    assert rule is None or answer["problem"]["rule"] == rule
    return answer


class TestAnothersSeat:
    async def test_nobody_plays_for_another(self, game: Company) -> None:
        seat = game.tables[0].to_move
        for person, words in ((game.other, ""), (game.watcher, ""), (None, "name first")):
            cookie = None if person is None else secret_of(person)
            async with line(game.url, game.table_id, cookie) as here:
                moves = [game.legal()]
                await says_no(here, p.CommitTurn("a", game.turn, moves), words)
                await says_no(here, p.AskPreview("b", moves))
                await says_no(here, p.AskHint("c"))
                await says_no(here, p.Look(seat), "not your seat")
                await says_no(here, p.Ready("d", 1, "0" * 64))
                await says_no(here, p.Reveal("e", 1, "0" * 64))
                await says_no(here, p.NotReady("f"))

    async def test_a_turn_that_is_not_mine_names_the_rule(self, game: Company) -> None:
        async with line(game.url, game.table_id, secret_of(game.other)) as here:
            await says_no(here, p.CommitTurn("a", game.turn, [game.legal()]), "your turn", "T4")
            await says_no(here, p.AskPreview("b", [game.legal()]), "your turn", "T4")

    async def test_before_the_game_nobody_is_ready_for_another(self, waiting: Company) -> None:
        for person in (waiting.watcher, None):
            cookie = None if person is None else secret_of(person)
            async with line(waiting.url, waiting.table_id, cookie) as here:
                await says_no(here, p.Ready("a", 1, "0" * 64))
                await says_no(here, p.NotReady("b"))
                await says_no(here, p.Look(0), "not your seat")
        assert not any(seat.ready for seat in (await waiting.host.info(waiting.table_id)).seats)

    async def test_a_seat_that_is_taken_stays_taken(self, waiting: Company) -> None:
        path = f"/api/tables/{waiting.table_id}/seats"
        for seat, status in ((0, 409), (1, 409), (None, 409), (5, 404), (-1, 400), (99, 400)):
            answer = await ask(
                waiting.url,
                "POST",
                path,
                {"name": "Thief", "seat": seat},
                cookie=secret_of(waiting.watcher),
            )
            refused(answer, status)
        people = [seat.person for seat in (await waiting.host.info(waiting.table_id)).seats]
        assert people == waiting.ids[:2]


class TestHostOnly:
    ATTEMPTS = (
        ("PUT", "seats/1", {"level": "clerk"}),
        ("PATCH", "settings", {"settings": {"public": True}}),
        ("POST", "hand-over", {"seat": 0}),
        ("POST", "remove", {"person": "x"}),
        ("POST", "mute", {"person": "x"}),
        ("POST", "close", None),
    )

    @pytest.mark.parametrize(("method", "what", "body"), ATTEMPTS, ids=lambda each: str(each)[:12])
    async def test_only_the_host_leads_a_table(
        self, game: Company, method: str, what: str, body: Any
    ) -> None:
        path = f"/api/tables/{game.table_id}/{what}"
        for person in (game.guest, game.watcher):
            answer = await ask(game.url, method, path, body, cookie=secret_of(person))
            refused(answer, 403, "host")
        refused(await ask(game.url, method, path, body), 403, "name")

    async def test_the_host_can_do_nothing_to_who_is_here(self, game: Company) -> None:
        path, mine = f"/api/tables/{game.table_id}", secret_of(game.host)
        over = await ask(game.url, "POST", f"{path}/hand-over", {"seat": 1}, cookie=mine)
        refused(over, 403, "here")
        remove = {"person": game.ids[1]}
        refused(await ask(game.url, "POST", f"{path}/remove", remove, cookie=mine), 409)
        put = await ask(game.url, "PUT", f"{path}/seats/1", {"level": "clerk"}, cookie=mine)
        refused(put, 409)
        change: dict[str, Any] = {"options": {"hands": "open"}, "pace": 0}
        settings = partial(ask, game.url, "PATCH", f"{path}/settings", cookie=mine)
        refused(await settings({"settings": change}), 409)
        assert (await settings({"settings": change | {"pace": 5}})).status == 200
        now = (await game.host.info(game.table_id)).settings
        assert (now.pace, now.options.hands) == (5, "hidden")

    @pytest.mark.parametrize("seat", [-1, -2, 2, 6, 10**30])
    async def test_seats_that_are_not_there(self, server: RunningServer, seat: int) -> None:
        async with Person(server.url, "Host") as host:
            table_id = await host.create(["me", None])
            answer = await ask(
                server.url,
                "PUT",
                f"/api/tables/{table_id}/seats/{seat}",
                {"level": "clerk"},
                cookie=secret_of(host),
            )
            refused(answer, 404)
            assert (await host.info(table_id)).seats[1].level is None


class TestSecrets:
    async def test_a_secret_that_is_none_lets_nobody_in(self, game: Company) -> None:
        real = secret_of(game.mover)
        tampered = real[:-2] + ("A" if real[-2] != "A" else "B") + real[-1]
        for false in (
            secrets.token_urlsafe(32),
            tampered,
            real[:-1],
            real + "A",
            real.lower(),
            "",
            "x" * 20_000,
            hashed(real).hex(),
            "' OR 1=1 --" + "x" * 32,
        ):
            answer = await ask(game.url, "GET", "/api/me", cookie=false)
            refused(answer, 403, "name")
            if len(false) < 1000:
                async with line(game.url, game.table_id, false) as here:
                    await says_no(here, p.CommitTurn("a", game.turn, [game.legal()]), "name first")

    async def test_a_secret_whose_time_is_over(self, game: Company) -> None:
        async with Person(game.url, "Old") as old:
            await old.introduce()
            storage = await _opened(game.database)
            await storage.prolong_session(hashed(secret_of(old)), 1)
            await storage.close()
            refused(await ask(game.url, "GET", "/api/me", cookie=old.secret), 403)
            async with line(game.url, game.table_id, old.secret) as here:
                await says_no(here, p.Say("a", "hello"), "name first")

    async def test_a_link_brings_one_device_once(self, game: Company) -> None:
        token = (await game.guest.link()).token
        use = partial(ask, game.url, "POST", "/api/me/use-link", {"token": token})
        answers = await asyncio.gather(*(use() for _ in range(6)))
        assert sorted(answer.status for answer in answers) == [200] + [403] * 5
        refused(await use(), 403, "ten minutes")
        [let_in] = [answer for answer in answers if answer.status == 200]
        me = await ask(game.url, "GET", "/api/me", cookie=let_in.cookie)
        assert me.json["person"] == game.ids[1]

    async def test_a_link_whose_time_is_over_or_that_never_was(self, game: Company) -> None:
        storage = await _opened(game.database)
        await storage.new_link(hashed("late"), game.ids[0], 1)
        await storage.close()
        for token in ("late", secrets.token_urlsafe(32), "\0", "x" * 60):
            answer = await ask(game.url, "POST", "/api/me/use-link", {"token": token})
            refused(answer, 403, "ten minutes")
        refused(await ask(game.url, "POST", "/api/me/use-link", {"token": "x" * 61}), 400)

    async def test_devices_that_were_forgotten_are_strangers(self, game: Company) -> None:
        token = (await game.guest.link()).token
        other = await ask(game.url, "POST", "/api/me/use-link", {"token": token})
        await game.guest.forget_other_devices()
        refused(await ask(game.url, "GET", "/api/me", cookie=other.cookie), 403)
        assert (await game.guest.me()).person == game.ids[1]

    async def test_only_hashes_are_stored(self, game: Company) -> None:
        """And neither file nor log has a secret itself."""
        token = (await game.guest.link()).token
        file = Path(game.database.partition("///")[2])
        stored = b"".join(path.read_bytes() for path in file.parent.iterdir())
        for secret in (secret_of(game.host), secret_of(game.guest), token):
            assert len(secret) >= 128 // 6
            assert secret.encode() not in stored
            assert hashlib.sha256(secret.encode()).digest() in stored
        assert file.stat().st_mode & 0o077 == 0

    async def test_a_cookie_that_no_script_reads_and_no_other_site_sends(
        self, server: RunningServer, guarded: RunningServer
    ) -> None:
        flags = {"httponly", "path=/", "samesite=strict", f"max-age={400 * 86400}"}
        given = (await ask(server.url, "POST", "/api/me", {"name": "Ada"})).header("set-cookie")
        assert given is not None
        assert {part.strip().lower() for part in given.split(";")[1:]} == flags
        answer = await ask(guarded.url, "POST", "/api/me", {"name": "Ada"})
        given = answer.header("set-cookie")
        assert given is not None
        there = {"httponly", "path=/game", "samesite=strict", flags_age(flags), "secure"}
        assert {part.strip().lower() for part in given.split(";")[1:]} == there
        assert answer.header("strict-transport-security") == "max-age=31536000"


def flags_age(flags: set[str]) -> str:
    return next(flag for flag in flags if flag.startswith("max-age"))


async def _opened(database: str) -> Storage:
    storage = Storage(database)
    await storage.open()
    return storage


FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
]
REBOUND = ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.nip.io", "", "@"]


class TestForeignPages:
    @pytest.mark.parametrize("headers", FOREIGN, ids=str)
    async def test_a_foreign_page_changes_nothing_and_hears_nothing(
        self, game: Company, headers: dict[str, str]
    ) -> None:
        cookie = secret_of(game.host)
        path = f"/api/tables/{game.table_id}"
        for method, at, body in (
            ("POST", f"{path}/close", None),
            ("POST", "/api/me", {"name": "Owned"}),
            ("PATCH", f"{path}/settings", {"settings": {}}),
            ("DELETE", "/api/me/other-devices", None),
            ("POST", "/api/tables", {"name": "x", "seats": ["me", None]}),
        ):
            answer = await ask(game.url, method, at, body, cookie=cookie, headers=headers)
            refused(answer, 403, "another site")
        named = {name.replace("-", "_"): value for name, value in headers.items()}
        refused(await not_let_in(game.url, game.table_id, cookie, **named), 403, "another site")
        assert (await game.host.info(game.table_id)).status == "playing"
        assert (await game.host.me()).name == "Host"

    @pytest.mark.parametrize("host", REBOUND)
    async def test_a_name_that_was_pointed_at_us(self, game: Company, host: str) -> None:
        """DNS rebinding: a foreign page that became same-origin by its name reads nothing."""
        cookie, headers = secret_of(game.host), {"Host": host}
        for path in ("/api/me", "/", f"/api/tables/{game.table_id}", "/metrics", "/schema"):
            refused(await ask(game.url, "GET", path, cookie=cookie, headers=headers), 403, "name")
        same = headers | {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        answer = await ask(game.url, "POST", "/api/me", {"name": "x"}, cookie=cookie, headers=same)
        refused(answer, 403, "name")

    async def test_own_pages_and_plain_programs_are_let_in(
        self, game: Company, guarded: RunningServer
    ) -> None:
        own: list[dict[str, str]] = [
            {},
            {"Origin": game.url},
            {"Origin": game.url, "Sec-Fetch-Site": "same-origin"},
        ]
        for headers in own:
            answer = await ask(game.url, "POST", "/api/me", {"name": "x"}, headers=headers)
            assert answer.status == 200
            async with line(game.url, game.table_id, headers=headers):
                pass
        theirs = {"Origin": "https://spike.example"}
        cookie = (await ask(guarded.url, "POST", "/game/api/me", {"name": "x"})).cookie
        for headers, status in ((theirs, 200), ({"Origin": guarded.url}, 403)):
            path = "/game/api/me"
            answer = await ask(
                guarded.url, "POST", path, {"name": "y"}, cookie=cookie, headers=headers
            )
            assert answer.status == status


class TestOutOfOrder:
    async def test_a_turn_that_is_sent_again_counts_once(self, game: Company) -> None:
        turn = p.CommitTurn("once", game.turn, [game.legal()])
        async with line(game.url, game.table_id, secret_of(game.mover)) as here:
            await here.send(turn)
            done = await here.hear("accepted", "refused")
            assert done["type"] == "accepted"
            for _ in range(3):
                await here.send(turn)
                assert await here.hear("accepted", "refused") == done
            again = p.CommitTurn("once", turn.turn + 1, ["A1"])  # another turn, the same id
            await here.send(again)
            assert await here.hear("accepted", "refused") == done
        for table in game.tables:
            await table.until(partial(_is_past, turn.turn))
            assert table.turn_number == turn.turn + 1

    async def test_a_turn_for_another_time_is_stale(self, game: Company) -> None:
        for number in (game.turn - 1, game.turn + 1, 10_000):
            for person in (game.mover, game.other):
                async with line(game.url, game.table_id, secret_of(person)) as here:
                    told = await says_no(here, p.CommitTurn("old", number, [game.legal()]))
                    assert told["stale"]
                    assert told["turn"] == told["view"]["number"] == game.turn

    async def test_an_id_that_another_has_used_is_mine_too(self, game: Company) -> None:
        mover, other = game.mover, game.other
        async with line(game.url, game.table_id, secret_of(other)) as here:
            await here.send(p.Say("same", "good luck"))
            assert (await here.hear("accepted", "refused"))["type"] == "accepted"
        turn = game.turn
        async with line(game.url, game.table_id, secret_of(mover)) as here:
            await here.send(p.CommitTurn("same", turn, [game.legal()]))
            assert (await here.hear("accepted", "refused"))["type"] == "accepted"
        for table in game.tables:
            await table.until(partial(_is_past, turn))

    async def test_the_shuffle_in_any_other_order(self, waiting: Company) -> None:
        mine, theirs = secrets.token_bytes(32), secrets.token_bytes(32)
        url, table_id = waiting.url, waiting.table_id
        async with (
            line(url, table_id, secret_of(waiting.host)) as host,
            line(url, table_id, secret_of(waiting.guest)) as guest,
        ):
            await says_no(host, p.Reveal("a", 1, mine.hex()), "not everybody is ready")
            await says_no(host, p.Ready("b", 2, commitment(mine).hex()), "new round")
            await says_no(host, p.Ready("c", 0, commitment(mine).hex()), "new round")
            for first in (theirs, mine):  # who changes their mind commits anew
                await host.send(p.Ready(first.hex()[:8], 1, commitment(first).hex()))
                await host.hear("accepted")
            await says_no(host, p.Reveal("d", 1, mine.hex()), "not everybody is ready")
            await guest.send(p.Ready("e", 1, commitment(theirs).hex()))
            await guest.hear("accepted")
            await says_no(guest, p.Ready("f", 1, commitment(mine).hex()), "ready already")
            await says_no(guest, p.NotReady("g"), "dealt")
            await says_no(guest, p.Reveal("h", 1, mine.hex()), "committed to")
            await says_no(guest, p.Reveal("i", 2, theirs.hex()), "new round")
            await says_no(guest, p.Reveal("j", 1, commitment(theirs).hex()), "committed to")
            leave = await ask(
                url,
                "POST",
                f"/api/tables/{table_id}/seats",
                {"name": "x"},
                cookie=secret_of(waiting.watcher),
            )
            refused(leave, 409, "dealt")
            await host.send(p.Reveal("k", 1, mine.hex()))
            await host.hear("accepted")
            await host.send(p.Reveal("l", 1, secrets.token_bytes(32).hex()))  # too late to change
            assert (await host.hear("accepted", "refused"))["type"] in ("accepted", "refused")
            await guest.send(p.Reveal("m", 1, theirs.hex()))
            await guest.hear("accepted")
        storage = await _opened(waiting.database)
        stored = b"".join(row.secret or b"" for row in await storage.steps(table_id))
        await storage.close()
        assert stored.count(mine.hex().encode()) == stored.count(theirs.hex().encode()) == 1
        assert (await waiting.host.info(table_id)).status == "playing"


class TestTalk:
    async def test_spectators_talk_among_themselves(self, game: Company) -> None:
        async with (
            line(game.url, game.table_id, secret_of(game.watcher)) as watcher,
            line(game.url, game.table_id) as nobody,
        ):
            await says_no(nobody, p.Say("a", "hello"), "name first")
            await watcher.send(p.Say("b", "the guest has A1!"))
            await watcher.hear("accepted")
        await game.tables[0].say("on we go")
        for table in game.tables:
            await table.until(lambda table: "on we go" in str(table.steps))
            assert "A1!" not in str(table.steps)

    async def test_who_is_muted_is_not_heard(self, game: Company) -> None:
        for muted in game.ids[1:]:
            await game.host.mute(game.table_id, muted)
        for person in (game.guest, game.watcher):
            async with line(game.url, game.table_id, secret_of(person)) as here:
                await says_no(here, p.Say("a", "you can't stop me"), "muted")
        await game.host.mute(game.table_id, game.ids[1], undo=True)
        await game.tables[1].say("thank you")

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("<b>bold</b>", "\u2039b\u203abold\u2039/b\u203a"),
            ("a\u202eb\u2066c\u200f", "abc"),
            ("one\ntwo\x1b[31m\0", "one two[31m"),
            ("\ufeffhidden\U000e0041", "hidden"),
        ],
    )
    async def test_nothing_that_acts_is_shown(self, game: Company, text: str, shown: str) -> None:
        async with line(game.url, game.table_id, secret_of(game.guest)) as here:
            await here.send({"type": "say", "id": "a", "text": text})
            await here.hear("accepted")
        await game.tables[0].until(lambda table: shown in str(table.steps[-1].happenings))
        assert game.tables[0].steps[-1].happenings[0]["text"] == shown
        answer = await ask(game.url, "POST", "/api/me", {"name": text})
        assert answer.json["name"] == shown

    async def test_what_shows_nothing_is_refused(self, game: Company) -> None:
        async with line(game.url, game.table_id, secret_of(game.guest)) as here:
            for text in ("\u202e", " \n ", "\u200b\u200d"):
                await says_no(here, p.Say("a", text))
            for text in ("", "x" * 501):
                await says_no(here, p.Say("a", text), "can't be understood")
            await says_no(here, p.Say("a", "x" * 301), "300")
        for name in ("\u202e", "", " ", "x" * 41, "x" * 25):
            refused(await ask(game.url, "POST", "/api/me", {"name": name}), 400)


class TestTooMuch:
    async def test_tables_are_made_by_who_has_the_token(self, guarded: RunningServer) -> None:
        wanted = {"name": "Ada", "seats": ["me", "clerk"]}
        for headers in ({}, {"X-Create-Token": ""}, {"X-Create-Token": TOKEN[:-1]}):
            answer = await ask(guarded.url, "POST", "/api/tables", wanted, headers=headers)
            refused(answer, 403, "token")
        given = {"X-Create-Token": TOKEN}
        first = await ask(guarded.url, "POST", "/api/tables", wanted, headers=given)
        assert first.status == 201
        make = partial(ask, guarded.url, "POST", "/api/tables", wanted, cookie=first.cookie)
        statuses = [(await make(headers=given)).status for _ in range(3)]
        assert statuses == [201, 201, 429]
        assert TOKEN not in guarded.log

    async def test_persons_sockets_messages_and_talk_have_an_end(
        self, guarded: RunningServer
    ) -> None:
        async with Person(guarded.url, "Ada", create_token=TOKEN) as ada:
            table_id = await ada.create(["me", "clerk"])
            async with AsyncExitStack() as stack:
                come = partial(line, guarded.url, table_id)
                mine = await stack.enter_async_context(come(ada.secret))
                for _ in range(2):
                    await stack.enter_async_context(come())
                third = await stack.enter_async_context(come(hello=False))
                await third.send(p.Hello(p.PROTOCOL))
                assert await third.closed() == (4003, "too many watch this table")
                for number in range(5):
                    await mine.send(p.Say(str(number), "hello"))
                    told = await mine.hear("accepted", "refused")
                    assert told["type"] == ("accepted" if number < 4 else "refused")
                for number in range(30):
                    await mine.send(p.Ping(str(number)))
                assert await mine.closed() == (4003, "too many messages")
                for _ in range(6):
                    await stack.enter_async_context(come(hello=False))
                refused(await not_let_in(guarded.url, table_id), 429, "connections")
            async with line(guarded.url, table_id, ada.secret):
                pass
        new = [await ask(guarded.url, "POST", "/api/me", {"name": "x"}) for _ in range(12)]
        refused(new[-1], 429, "address")
        assert int(new[-1].header("retry-after") or 0) > 0

    async def test_a_body_has_a_size(self, guarded: RunningServer) -> None:
        for chunked in (False, True):
            body = b'{"name":"%b"}' % (b"x" * 5000)
            refused(await ask(guarded.url, "POST", "/api/me", body, chunked=chunked), 413)


class TestOutside:
    INSIDE = (
        "http://127.0.0.1/x",
        "http://localhost:8080/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0/",
        "https://user:word@example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:25/",
        "http://example.org:22/",
        "//example.org",
        "javascript:alert(1)",
        "http://",
    )

    async def test_alerts_lead_nowhere_inside(self, game: Company) -> None:
        add = partial(ask, game.url, "POST", "/api/webhooks", cookie=secret_of(game.guest))
        for url in self.INSIDE:
            refused(await add({"url": url}), 400)
        assert (await game.guest.webhooks()) == []

    async def test_anothers_alerts_are_not_mine(self, server: RunningServer) -> None:
        storage = await _opened(server.database_url)
        async with Person(server.url, "Ada") as ada, Person(server.url, "Eve") as eve:
            mine = (await ada.introduce()).person
            await eve.introduce()
            row = WebhookRow("hook", mine, None, "https://example.org/secret", "json", "en")
            await storage.add_webhook(row)
            await storage.close()
            answer = await ask(server.url, "DELETE", "/api/webhooks/hook", cookie=eve.secret)
            refused(answer, 404)
            assert [hook.id for hook in await ada.webhooks()] == ["hook"]
            assert await eve.webhooks() == []
            table_id = await ada.create(["me", None])
            wanted = {"url": "https://example.org/", "table": table_id}
            answer = await ask(server.url, "POST", "/api/webhooks", wanted, cookie=eve.secret)
            refused(answer, 403, "seat")
        assert "example.org/secret" not in server.log


async def test_records_of_unfinished_games_do_not_leave(game: Company) -> None:
    for person in (game.host, game.watcher, None):
        cookie = None if person is None else secret_of(person)
        path = f"/api/tables/{game.table_id}/record"
        refused(await ask(game.url, "GET", path, cookie=cookie), 403, "over")


async def test_a_table_that_is_full_of_talk_still_lets_people_in(game: Company) -> None:
    """A welcome tells all of it, however large it has become."""
    async with line(game.url, game.table_id, secret_of(game.guest)) as here:
        for number in range(400):
            await here.send(p.Say(f"say{number}", "鉄" * 290))
        for _ in range(400):
            assert (await here.hear("accepted", "refused"))["type"] == "accepted"
    async with line(game.url, game.table_id, secret_of(game.guest), hello=False) as here:
        await here.send(p.Hello(p.PROTOCOL))
        welcome = await here.hear("welcome")
        assert len(welcome["steps"]) > 400
