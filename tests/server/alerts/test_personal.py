"""Personal alerts from a real server: push messages that only the browser can read, e-mail with
confirmation and one click to unsubscribe, and what waits until it is due."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import msgspec
import pytest

from lastspike import protocol as p
from lastspike.client import RefusedError
from lastspike.client.playing import play_turn
from tests.server.company import (
    Letterbox,
    SharedServers,
    goes,
    in_database,
    people,
    same_step,
    until,
)
from tests.server.running import RunningServer

from .receivers import Browser, Mailbox
from .test_when import duel

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as box:
        yield box


@pytest.fixture(scope="module")
def server(shared_servers: SharedServers, mailbox: Mailbox) -> RunningServer:
    return shared_servers.get(
        "sqlite",
        allow_private_webhooks=True,
        smtp_host="127.0.0.1",
        smtp_port=mailbox.port,
        smtp_security="none",
        mail_from="spike@example.org",
    )


async def test_a_turn_arrives_as_push_that_only_the_browser_can_read(
    server: RunningServer,
) -> None:
    with Letterbox() as service:
        browser = Browser(service, "bob")
        async with people(server.url, "Ada", "Bob") as (ada, bob):
            await bob.introduce()
            literal = msgspec.structs.replace(
                Browser(service, "literal").subscription(), endpoint="http://[::1]:9/push"
            )
            odd = await bob.add_push(literal)  # its alerts can't be signed
            added = await bob.add_push(browser.subscription())
            assert (added.kind, added.address, added.confirmed) == ("push", "127.0.0.1", True)
            async with duel(server, ada, bob) as (table_id, a, b):
                await goes(b, a, 1)
                await play_turn(a)
                (letter,) = await service.wait_for(1)
                assert letter.path == browser.path
                assert letter.headers["urgency"] == "high"
                assert b"Ada" not in letter.body
                assert browser.read(letter) == {
                    "title": "The Last Spike",
                    "body": "It’s your turn against Ada.",
                    "tag": table_id,
                    "url": f"{server.url}/table/{table_id}",
                    "language": "en",
                }
            for each in (odd, added):
                await bob.delete_channel(each.id)
            assert (await bob.alerts()).channels == []


async def test_a_subscription_that_is_gone_is_forgotten(server: RunningServer) -> None:
    with Letterbox(status=410) as service:
        browser = Browser(service, "bob")
        async with people(server.url, "Ada", "Bob") as (ada, bob):
            await bob.introduce()
            await bob.add_push(browser.subscription())
            async with duel(server, ada, bob) as (_, a, b):
                await goes(b, a, 1)
                await play_turn(a)
                await service.wait_for(1)

                async def forgotten() -> bool:
                    return not (await bob.alerts()).channels

                await until(forgotten)


async def test_push_goes_nowhere_inside_and_only_where_a_browser_subscribes(
    shared_servers: SharedServers,
) -> None:
    strict = shared_servers.get("sqlite")
    with Letterbox() as service:
        good = Browser(service, "ada").subscription()
        async with people(strict.url, "Ada") as (ada,):
            await ada.introduce()
            inside = good.endpoint.replace("http:", "https:")
            bad = [
                p.NewPush(good.endpoint, good.p256dh, good.auth),
                p.NewPush(inside, good.p256dh, good.auth),
                p.NewPush("https://example.org/x", good.p256dh[:-4] + "AAAA", good.auth),
                p.NewPush("https://example.org/x", good.p256dh, good.auth + "AAAA"),
            ]
            for subscription in bad:
                with pytest.raises(RefusedError):
                    await ada.add_push(subscription)
            assert (await ada.alerts()).channels == []
            assert not (await ada.alerts()).mail
            with pytest.raises(RefusedError, match="doesn’t send e-mail"):
                await ada.add_mail("ada@example.org")


async def test_mail_is_confirmed_first_and_ends_with_one_click(
    server: RunningServer, mailbox: Mailbox
) -> None:
    before = len(mailbox.mails)
    async with (
        people(server.url, "Ada", "Bob") as (ada, bob),
        httpx.AsyncClient(base_url=server.url) as anybody,
    ):
        await bob.introduce()
        added = await bob.add_mail("bob@Example.org")
        assert (added.address, added.confirmed) == ("bob@example.org", False)
        ask = (await mailbox.wait_for(before + 1))[-1]
        assert ask["X-Envelope-To"] == ask["To"] == "bob@example.org"
        assert ask["From"] == "spike@example.org"
        text = ask.get_content()
        assert "Bob" not in text
        async with duel(server, ada, bob) as (table_id, a, b):
            await goes(b, a, 1)
            await play_turn(a)  # not confirmed: no mail; one that came would be counted below
            async with bob.watch(table_id) as b:
                await same_step(a, b)
                await play_turn(b)
                await same_step(a, b)
                token = re.search(r"/alerts#confirm=(\S+)", text)
                assert token is not None
                wrong = await anybody.post("/api/alerts/confirm", json={"token": token[1] + "0"})
                assert wrong.status_code == 404
                right = await anybody.post("/api/alerts/confirm", json={"token": token[1]})
                assert right.status_code == 200
                assert [each.confirmed for each in (await bob.alerts()).channels] == [True]
                await goes(b, a, 1)
            await play_turn(a)
            mail = (await mailbox.wait_for(before + 2))[-1]
            assert mail["Subject"] == "It’s your turn against Ada."
            assert f"{server.url}/table/{table_id}" in mail.get_content()
            # RFC 8058: one POST without cookie, by the programs that people read their mail with.
            assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            url = mail["List-Unsubscribe"].strip("<>")
            assert f"\r\nList-Unsubscribe: <{url}>\r\n".encode() in mailbox.raw[-1]
            shown = await anybody.get(url, headers={"accept": "text/html"})
            assert shown.status_code == 200
            assert (await bob.alerts()).channels, "looking at the link must not unsubscribe"
            body = {"List-Unsubscribe": "One-Click"}
            assert (await anybody.post(f"{url}0", data=body)).status_code == 404
            for _ in range(2):
                assert (await anybody.post(url, data=body)).status_code == 200
            assert (await bob.alerts()).channels == []


async def test_nobody_is_flooded_with_requests_to_confirm(
    server: RunningServer, mailbox: Mailbox
) -> None:
    before = len(mailbox.mails)
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        await ada.introduce()
        await bob.introduce()
        for wrong in (
            "ada",
            "ada@localhost",
            "a@b..org",
            "a b@example.org",
            "a@x.org\r\nBcc: b@x.org",
            "=?utf-8?q??=@example.org",
            "=?utf-16?q?+=A0=A0?=@a.b",
        ):
            with pytest.raises(RefusedError):
                await ada.add_mail(wrong)
        for number in range(4):
            await ada.add_mail(f"victim+{number}@example.org")
        await bob.add_mail("Victim@example.org")
        with pytest.raises(RefusedError, match=r"(?i)too many requests"):
            await bob.add_mail("victim+tag@example.org")
        for number in range(4):
            await bob.add_mail(f"other+{number}@example.org")
        with pytest.raises(RefusedError, match=r"(?i)too many requests"):
            await bob.add_mail("third@example.org")
        assert len(await mailbox.wait_for(before + 1)) <= before + 9


async def test_what_waits_is_sent_when_it_is_due_if_it_is_still_true(
    server: RunningServer,
) -> None:
    """A digest at some minute of the day: the test makes it due at once."""
    due = "UPDATE waiting_alert SET due_at = 1 WHERE table_id = :table"
    waiting = "SELECT kind FROM waiting_alert WHERE table_id = :table"
    with Letterbox() as service:
        browser = Browser(service, "bob")
        async with people(server.url, "Ada", "Bob") as (ada, bob):
            await bob.introduce()
            await bob.add_push(browser.subscription("fr"))
            await bob.choose_alerts(p.AlertChoices(digest=True))
            async with duel(server, ada, bob) as (table_id, a, b):
                await goes(b, a, 1)
                await play_turn(a)

                async def waits() -> bool:
                    return bool(await in_database(server, waiting, table=table_id))

                await until(waits)
                assert service.letters == []
                exported = await bob.export()
                assert [each.kind for each in exported.waiting_alerts] == ["your_turn"]
                assert exported.channels[0].address.endswith(browser.path)
                async with bob.watch(table_id) as b:  # he comes by himself: no alert any more
                    await same_step(a, b)
                    await play_turn(b)
                    await same_step(a, b)
                    await in_database(server, due, table=table_id)
                    await goes(b, a, 1)

                async def taken() -> bool:
                    return not await in_database(server, waiting, table=table_id)

                await until(taken)
                await play_turn(a)
                await until(waits)
                await in_database(server, due, table=table_id)
                (letter,) = await service.wait_for(1)
                assert browser.read(letter)["body"] == "C’est à vous de jouer contre Ada."
            await bob.be_forgotten()
            left = "SELECT count(*) FROM alert_channel WHERE address LIKE :path"
            assert await in_database(server, left, path=f"%{browser.path}%") == [(0,)]
