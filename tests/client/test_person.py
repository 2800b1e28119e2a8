"""What a person does over HTTP, at a real server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lastspike.client import LostError, Person, RefusedError
from lastspike.protocol import GameOptions, NewWebhook, Settings
from tests.server.running import RunningServer, running_server

FAST = Settings(pace=0, stand_in="greenhorn")


def test_a_person_has_a_name_and_comes_back_by_secret_or_link(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url) as elsewhere:
            first = await ada.introduce()
            assert first.name == "Ada"
            assert ada.secret is not None
            assert (await ada.introduce("Ada L")).person == first.person
            async with Person.with_secret(server.url, ada.secret) as again:
                assert await again.me() == await ada.me()
            await elsewhere.use_link((await ada.link()).token)
            assert elsewhere.secret != ada.secret
            assert (await elsewhere.me()).person == first.person
            await ada.forget_other_devices()
            with pytest.raises(RefusedError, match=r"(?i)tell us your name first"):
                await elsewhere.me()

    asyncio.run(scene())


def test_the_host_sets_a_table_and_others_come_and_go(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table = await ada.create(["me", None, None, "clerk"], FAST)
            assert await bob.take_seat(table, seat=2) == 2
            names = [seat.name for seat in (await bob.info(table)).seats]
            assert names == ["Ada", None, "Bob", None]
            bob_id = (await bob.me()).person
            assert await ada.set_seat(table, 1, "greenhorn")
            open_hands = Settings(options=GameOptions(hands="open"), pace=0)
            assert await ada.change_settings(table, open_hands)
            assert await ada.change_settings(table, open_hands) == 0  # it is so already
            assert await ada.mute(table, bob_id)
            assert await ada.mute(table, bob_id, undo=True)
            await ada.hide(table, bob_id)
            assert await bob.leave(table)
            assert await bob.tables() == []
            assert await bob.take_seat(table)
            assert [listed.table for listed in await bob.tables()] == [table]
            assert await ada.remove(table, bob_id)
            with pytest.raises(RefusedError, match="removed you"):
                await bob.take_seat(table)
            assert await ada.close_table(table)
            assert (await bob.info(table)).status == "closed"

    asyncio.run(scene())


def test_webhooks_are_added_listed_and_deleted(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            await ada.introduce()
            hook = await ada.add_webhook(NewWebhook("https://93.184.215.14/ring", form="ntfy"))
            assert await ada.webhooks() == [hook]
            await ada.delete_webhook(hook.id)
            assert await ada.webhooks() == []

    asyncio.run(scene())


def test_several_seats_have_names_of_their_own(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            table = await ada.create(["me", "me", "me"], FAST, {1: "Bob"})
            assert [seat.name for seat in (await ada.info(table)).seats] == ["Ada", "Bob", "Ada 2"]

    asyncio.run(scene())


def test_a_refusal_says_why_with_its_status(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            with pytest.raises(RefusedError) as nobody:
                await ada.me()
            assert nobody.value.status == 403
            with pytest.raises(RefusedError, match=r"(?i)no such table") as nowhere:
                await ada.info("A" * 22)
            assert nowhere.value.status == 404
            with pytest.raises(RefusedError, match=r"(?i)no public list"):
                await ada.public_tables()
            table = await ada.create(["me", "clerk"], FAST)
            with pytest.raises(RefusedError, match=r"(?i)not over yet"):
                await ada.rematch(table)
            with pytest.raises(RefusedError, match=r"(?i)no game is being played"):
                await ada.hand_over(table, 0)
        async with Person(server.url, "Ada", language="fr") as french:
            with pytest.raises(RefusedError) as refused:
                await french.info("A" * 22)
            assert refused.value.problem.template == "there is no such table"

    asyncio.run(scene())


def test_a_token_opens_a_server_that_asks_for_one(tmp_path: Path) -> None:
    async def scene(url: str) -> None:
        async with Person(url, "Eve") as eve:
            with pytest.raises(RefusedError, match=r"(?i)this server’s token"):
                await eve.create(["me", "clerk"])
        async with Person(url, "Ada", create_token="a token of some length") as ada:
            table = await ada.create(["me", "clerk"], Settings(public=True))
            assert [listed.table for listed in await ada.public_tables()] == [table]

    url = f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}"
    with running_server(url, create_token="a token of some length", public_list=True) as server:
        asyncio.run(scene(server.url))


def test_a_sub_path_and_a_secure_cookie_behind_a_proxy(tmp_path: Path) -> None:
    async def scene(url: str) -> None:
        async with Person(f"{url}/spike", "Ada") as ada:
            table = await ada.create(["me", "clerk"], FAST)
            assert (await ada.me()).name == "Ada"
            async with ada.watch(table) as watched:
                assert watched.you.host

    url = f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}"
    with running_server(url, base_url="https://games.example.org/spike") as server:
        asyncio.run(scene(server.url))


def test_a_server_that_is_not_there_is_lost() -> None:
    async def scene() -> None:
        async with Person("http://127.0.0.1:9", "Ada", patience=0.3) as ada:
            with pytest.raises(LostError, match="can't be reached"):
                await ada.introduce()
            with pytest.raises(TimeoutError, match="can't be reached"):
                async with ada.watch("A" * 22):
                    pass

    asyncio.run(scene())
