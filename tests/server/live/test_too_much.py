"""Too much, too often, to where it must not go: talk, limits, tokens, alerts.

As with those who want to be let in, each attempt is refused clearly, and the game goes on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from lastspike import protocol as p
from lastspike.client import Person
from lastspike.server.storage import WebhookRow
from tests.server.running import RunningServer, running_server
from tests.server.siege import Company, opened, refused, says_no, sqlite_in
from tests.server.strangers import ask, line, not_let_in, secret_of

pytestmark = pytest.mark.anyio

TOKEN = "let me make a table, please"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(sqlite_in(tmp_path_factory.mktemp("open"))) as running:
        yield running


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """With a token for making tables, and room for very few."""
    limits = {
        "sockets_per_address": 8,
        "spectators_per_table": 2,
        "tables_per_person_per_hour": 3,
        "persons_per_address_per_hour": 12,
    }
    with running_server(
        sqlite_in(tmp_path_factory.mktemp("guarded")),
        create_token=TOKEN,
        limits=limits,
        constants={
            "http.limits.rate_limits.MESSAGES_PER_10S": 30,
            "http.limits.rate_limits.CHATS_PER_MINUTE": 4,
            "app.BODY_BYTES": 4096,
        },
    ) as running:
        yield running


@pytest.fixture
async def game(server: RunningServer) -> AsyncIterator[Company]:
    async with AsyncExitStack() as stack:
        company = Company(server)
        await company.gather(stack)
        await company.begin(stack)
        await company.goes_on()
        yield company
        await company.goes_on()


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
                await says_no(here, p.Say("a", text), "can’t be understood")
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


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
async def test_computer_players_have_none_of_the_servers_sockets(game: Company) -> None:
    """While one lives, the port would stay taken after the server."""
    server = psutil.Process(game.pid)
    assert server.children()
    for child in server.children():
        assert not sockets_of(server.pid) & sockets_of(child.pid)


def sockets_of(pid: int) -> set[str]:
    found = set()
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found.add(os.readlink(each))
    return {each for each in found if each.startswith("socket:")}


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
        storage = await opened(server.database_url)
        async with Person(server.url, "Ada") as ada, Person(server.url, "Eve") as eve:
            mine = (await ada.introduce()).person
            await eve.introduce()
            row = WebhookRow("hook", mine, None, "https://example.org/secret", "json", "en")
            await storage.webhooks.add(row)
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
