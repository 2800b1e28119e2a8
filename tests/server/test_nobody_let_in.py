"""Nobody let in: another's seat, false secrets, foreign pages, messages out of order, false hosts.

Each attempt is refused clearly, with the right status or code, and the game goes on: at the end of
each test the next turn is made, and everybody hears of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.client import Person
from lastspike.rules.records.shuffle import commitment
from lastspike.server.people.sessions import hashed
from lastspike.server.storage import SessionRow

from .running import RunningServer, running_server
from .siege import Company, is_past, opened, refused, says_no, sqlite_in
from .strangers import ask, line, not_let_in, secret_of

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(sqlite_in(tmp_path_factory.mktemp("open"))) as running:
        yield running


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One that people reach by https, in a corner of another site."""
    url = sqlite_in(tmp_path_factory.mktemp("secure"))
    with running_server(url, base_url="https://spike.example/game") as running:
        yield running


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

    async def test_only_who_plays_can_end_the_game(self, game: Company) -> None:
        path = f"/api/tables/{game.table_id}/agree-to-end"
        cookie = secret_of(game.watcher)
        refused(await ask(game.url, "POST", path, {}, cookie=cookie), 403, "play")
        refused(await ask(game.url, "POST", path, {}), 403, "name")
        assert (await game.host.info(game.table_id)).end_agreed == []

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
            "x" * 10_000,
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
            storage = await opened(game.database)
            await storage.persons.update_session(SessionRow(hashed(secret_of(old)), 0, 1))
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
        storage = await opened(game.database)
        await storage.persons.new_link(hashed("late"), game.ids[0], 1)
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
        self, server: RunningServer, secure: RunningServer
    ) -> None:
        flags = {"httponly", "path=/", "samesite=strict", f"max-age={400 * 86400}"}
        given = (await ask(server.url, "POST", "/api/me", {"name": "Ada"})).header("set-cookie")
        assert given is not None
        assert {part.strip().lower() for part in given.split(";")[1:]} == flags
        answer = await ask(secure.url, "POST", "/api/me", {"name": "Ada"})
        given = answer.header("set-cookie")
        assert given is not None
        there = {"httponly", "path=/game", "samesite=strict", flags_age(flags), "secure"}
        assert {part.strip().lower() for part in given.split(";")[1:]} == there
        assert answer.header("strict-transport-security") == "max-age=31536000"


def flags_age(flags: set[str]) -> str:
    return next(flag for flag in flags if flag.startswith("max-age"))


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
        self, game: Company, secure: RunningServer
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
        cookie = (await ask(secure.url, "POST", "/game/api/me", {"name": "x"})).cookie
        for headers, status in ((theirs, 200), ({"Origin": secure.url}, 403)):
            path = "/game/api/me"
            answer = await ask(
                secure.url, "POST", path, {"name": "y"}, cookie=cookie, headers=headers
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
            await table.until(partial(is_past, turn.turn))
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
            await table.until(partial(is_past, turn))

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
            await says_no(guest, p.Ready("f", 1, commitment(mine).hex()), "already ready")
            await says_no(guest, p.NotReady("g"), "dealt")
            await says_no(guest, p.Reveal("h", 1, mine.hex()), "match")
            await says_no(guest, p.Reveal("i", 2, theirs.hex()), "new round")
            await says_no(guest, p.Reveal("j", 1, commitment(theirs).hex()), "match")
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
        storage = await opened(waiting.database)
        stored = b"".join(row.secret or b"" for row in await storage.logs.steps(table_id))
        await storage.close()
        assert stored.count(mine.hex().encode()) == stored.count(theirs.hex().encode()) == 1
        assert (await waiting.host.info(table_id)).status == "playing"


async def test_records_of_unfinished_games_do_not_leave(game: Company) -> None:
    for person in (game.host, game.watcher, None):
        cookie = None if person is None else secret_of(person)
        path = f"/api/tables/{game.table_id}/record"
        refused(await ask(game.url, "GET", path, cookie=cookie), 403, "over")
