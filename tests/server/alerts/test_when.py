"""Turn alerts: who is told through their webhook, when, and what."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from email.header import decode_header
from pathlib import Path

import pytest

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.words.language import words_for
from tests.server.company import (
    FAST,
    KINDS,
    Letterbox,
    SharedServers,
    begin,
    by_chance,
    finish,
    goes,
    metric,
    people,
    same_step,
    sees,
    until,
)
from tests.server.running import RunningServer, running_server

pytestmark = pytest.mark.anyio

YOUR_TURN = "It’s your turn, {player}: {url}"


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, shared_servers: SharedServers) -> RunningServer:
    """One for all tests, which lets alerts go to this machine."""
    return shared_servers.get(request.param, allow_private_webhooks=True)


@pytest.fixture
def letterbox() -> Iterator[Letterbox]:
    with Letterbox() as box:
        yield box


@asynccontextmanager
async def duel(
    server: RunningServer, ada: Person, bob: Person
) -> AsyncIterator[tuple[str, Table, Table]]:
    """A game of two in which it is Ada's turn, and both are there."""
    table_id = await ada.create(["me", None], FAST)
    await bob.take_seat(table_id)
    async with ada.watch(table_id) as a:
        b = bob.watch(table_id)
        async with b:
            await begin(a, b)
            await _until_turn_of(a, b)
            yield table_id, a, b


async def _until_turn_of(a: Table, b: Table) -> None:
    await same_step(a, b)
    if b.my_turn:
        await play_turn(b)
        await same_step(a, b)


async def test_an_alert_comes_when_it_is_my_turn_and_i_am_not_there(
    server: RunningServer, letterbox: Letterbox
) -> None:
    sent = 'lastspike_webhooks_total{result="sent"}'
    before = await metric(server, sent)
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        await bob.introduce()
        await bob.add_webhook(p.NewWebhook(letterbox.url + "/bob"))
        async with duel(server, ada, bob) as (table_id, a, b):
            # While he is there, none; letters come in order, so those below would show it.
            for turn in range(4):
                await play_turn(a if a.my_turn else b, by_chance(turn))
                await same_step(a, b)
            assert a.my_turn
            await goes(b, a, 1)
            await play_turn(a)
            (letter,) = await letterbox.wait_for(1)
            assert letter.path == "/bob"
            assert letter.headers["content-type"] == "application/json"
            assert letter.json == {
                "table": table_id,
                "url": f"{server.url}/table/{table_id}",
                "player": "Bob",
                "turn": a.turn_number,
                "event": "your_turn",
                "text": f"It’s your turn, Bob: {server.url}/table/{table_id}",
            }
            async with bob.watch(table_id) as b:
                await sees(a, 1, here=True)
                await play_turn(b)
                await same_step(a, b)
                await play_turn(a)  # he is there and needs no letter
                await same_step(a, b)
                await play_turn(b)
                await same_step(a, b)
                last = a.turn_number
                await goes(b, a, 1)
            await play_turn(a)
            letters = await letterbox.wait_for(2)
            assert [each.json["turn"] for each in letters] == [letter.json["turn"], last + 1]
    await until(lambda: _is(server, sent, before + 2))


async def _is(server: RunningServer, name: str, value: float) -> bool:
    return await metric(server, name) == value


async def test_every_form_that_can_be_asked_for(
    server: RunningServer, letterbox: Letterbox
) -> None:
    async with people(server.url, "Ada", "Björn & <Bob>") as (ada, bob):
        await bob.introduce()
        for form, language in (
            ("json", "en"),
            ("discord", "fr"),
            ("slack", "pt"),
            ("ntfy", "ja"),
        ):
            hook = p.NewWebhook(f"{letterbox.url}/{form}", form, None, language)  # type: ignore[arg-type]
            added = await bob.add_webhook(hook)
            assert (added.form, added.table) == (form, None)
        assert len(await bob.webhooks()) == 4
        async with duel(server, ada, bob) as (table_id, a, b):
            name = b.info.seats[1].name or ""
            assert name == "Björn & ‹Bob›"  # noqa: RUF001
            await goes(b, a, 1)
            await play_turn(a)
            letters = {each.path[1:]: each for each in await letterbox.wait_for(4)}
            url = f"{server.url}/table/{table_id}"
            assert letters["json"].json["text"] == f"It’s your turn, {name}: {url}"
            discord = letters["discord"].json
            assert discord["allowed_mentions"] == {"parse": []}
            assert url in discord["content"]
            assert "Björn" in discord["content"]
            in_portuguese = words_for("pt").say(YOUR_TURN, player=name, url=url)
            assert letters["slack"].json == {"text": in_portuguese.replace("&", "&amp;")}
            ntfy = letters["ntfy"]
            assert url in ntfy.body.decode()
            assert ntfy.headers["click"] == url
            ((title, charset),) = decode_header(ntfy.headers["title"])
            assert title.decode(charset or "ascii") == f"Last Spike: {name}"
            in_japanese = words_for("ja").say(YOUR_TURN, player=name, url=url)
            assert ntfy.body.decode() == in_japanese


async def test_whoever_is_away_is_told_that_the_game_is_over(
    server: RunningServer, letterbox: Letterbox
) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        await ada.introduce()
        await bob.introduce()
        await ada.add_webhook(p.NewWebhook(letterbox.url + "/ada"))
        await bob.add_webhook(p.NewWebhook(letterbox.url + "/bob"))
        async with duel(server, ada, bob) as (table_id, a, b):
            await goes(b, a, 1)
            await bob.leave(table_id)  # a computer plays for him, and none of its turns is his
            await finish(a)
            (letter,) = await letterbox.wait_for(1)
            assert letter.path == "/bob"
            assert letter.json["event"] == "game_over"
            assert letter.json["turn"] == a.turn_number - 1
            assert letter.json["text"].startswith("The game is over, Bob: ")
        # Ada was there to the end, and had no letter; one more to be sure of the order.
        async with duel(server, bob, ada) as (_, b, a):
            await goes(a, b, 1)
            await play_turn(b)
            letters = await letterbox.wait_for(2)
            assert [each.path for each in letters] == ["/bob", "/ada"]


async def test_a_webhook_may_be_for_all_at_one_table(
    server: RunningServer, letterbox: Letterbox
) -> None:
    async with people(server.url, "Ada", "Bob", "Cy") as (ada, bob, cy):
        await cy.introduce()
        async with duel(server, ada, bob) as (table_id, a, b), duel(server, ada, bob) as other:
            hook = p.NewWebhook(letterbox.url + "/table", table=table_id)
            with pytest.raises(RefusedError, match=r"(?i)take a seat"):
                await cy.add_webhook(hook)
            added = await ada.add_webhook(hook)
            assert added.table == table_id
            await bob.add_webhook(p.NewWebhook(letterbox.url + "/other", table=other[0]))
            for here, there in ((a, b), other[1:]):
                await goes(there, here, 1)
                await play_turn(here)
                await letterbox.wait_for(1 if here is a else 2)
            assert [
                (each.path, each.json["table"], each.json["player"]) for each in letterbox.letters
            ] == [("/table", table_id, "Bob"), ("/other", other[0], "Bob")]
            await ada.delete_webhook(added.id)
            with pytest.raises(RefusedError, match=r"(?i)no such alert"):
                await ada.delete_webhook(added.id)
            await ada.add_webhook(p.NewWebhook(letterbox.url + "/again", table=table_id))
            async with bob.watch(table_id) as b:
                await same_step(a, b)
                await play_turn(b)
                await goes(b, a, 1)
            await play_turn(a)
            letters = await letterbox.wait_for(3)
            assert [each.path for each in letters] == ["/table", "/other", "/again"]


async def test_alerts_go_nowhere_inside_unless_the_host_allows_it(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}"
    with Letterbox() as box, running_server(url) as strict:
        async with people(strict.url, "Ada") as (ada,):
            await ada.introduce()
            for address in (box.url, box.url.replace("127.0.0.1", "localhost"), "ftp://x.org/"):
                with pytest.raises(RefusedError):
                    await ada.add_webhook(p.NewWebhook(address))
            assert await ada.webhooks() == []


async def test_a_slow_address_holds_up_no_game(server: RunningServer) -> None:
    """It takes the letter and does not answer; the game goes on, and other letters come."""
    with Letterbox() as box, socket.create_server(("127.0.0.1", 0)) as silent:
        async with people(server.url, "Ada", "Bob") as (ada, bob):
            await bob.introduce()
            await bob.add_webhook(p.NewWebhook(f"http://127.0.0.1:{silent.getsockname()[1]}/"))
            await bob.add_webhook(p.NewWebhook(box.url))
            async with duel(server, ada, bob) as (table_id, a, b):
                await goes(b, a, 1)
                await play_turn(a)
                await box.wait_for(1)
                async with bob.watch(table_id) as b:
                    await same_step(a, b)
                    await play_turn(b)
                    await goes(b, a, 1)
                await play_turn(a)
                await box.wait_for(2)
