"""Personal links: one person on several devices, and devices that are forgotten."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from lastspike.client import LostError, Person, RefusedError
from lastspike.client.playing import play_turn
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    SharedServers,
    begin,
    by_chance,
    check_game,
    finish,
    in_database,
    people,
    same_step,
    watching,
)
from tests.server.running import RunningServer

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, shared_servers: SharedServers) -> RunningServer:
    """One for all tests, which make persons of their own."""
    return shared_servers.get(request.param)


async def test_another_device_becomes_the_same_person_and_plays_on(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", "") as (ada, bob, phone):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        async with watching(table_id, ada, bob) as (a, b):
            await begin(a, b)
            link = await ada.link()
            assert len(link.token) >= 22  # 128 bits at least
            assert 0 < link.expires - time.time() * 1000 <= 10 * 60_000
            await phone.use_link(link.token)
            assert await phone.me() == await ada.me()
            assert phone.secret not in (None, ada.secret)
            assert [each.table for each in await phone.tables()] == [table_id]
            async with phone.watch(table_id) as there:
                assert there.you == a.you
                assert there.view == a.view
                assert a.view is not None
                assert len(a.view["hands"][0]) == 4
                # Turn and turn about, on whichever device is at hand.
                for turn in range(8):
                    mover = next(table for table in (a, b) if table.my_turn)
                    used = there if mover is a and turn % 4 > 1 else mover
                    await play_turn(used, by_chance(turn))
                    await same_step(a, b, there)
                    assert there.view == a.view
                await finish(there, b, seed="phone")
                await a.until(lambda a: a.info.status == "over", PATIENCE)
                await check_game(server, table_id, {ada: a, bob: b, phone: there})


async def test_a_link_works_once(server: RunningServer) -> None:
    async with people(server.url, "Ada", "", "", "") as (ada, *devices):
        await ada.introduce()
        token = (await ada.link()).token
        used = await asyncio.gather(
            *(device.use_link(token) for device in devices), return_exceptions=True
        )
        assert sum(each is None for each in used) == 1
        refusals = [each for each in used if isinstance(each, RefusedError)]
        assert len(refusals) == 2
        assert {each.status for each in refusals} == {403}
        assert sum(device.secret is not None for device in devices) == 1


async def test_a_link_has_an_end_and_nobody_guesses_one(server: RunningServer) -> None:
    async with people(server.url, "Ada", "") as (ada, other):
        await ada.introduce()
        link = await ada.link()
        await in_database(server, "UPDATE link SET expires_at = :now", now=int(time.time() * 1000))
        for token in (link.token, "A" * 43, "'; DROP TABLE link; --"):
            with pytest.raises(
                RefusedError, match=r"(?i)has already been used, or it expired after ten minutes"
            ):
                await other.use_link(token)
        assert other.secret is None
        with pytest.raises(RefusedError, match=r"(?i)name first"):
            await other.link()


async def test_a_device_that_was_somebody_else_is_them_no_more(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        ada_is = await ada.introduce()
        bob_was = await bob.introduce()
        await bob.use_link((await ada.link()).token)
        assert await bob.me() == ada_is != bob_was


async def test_other_devices_are_forgotten(server: RunningServer) -> None:
    async with people(server.url, "Ada", "", "") as (ada, phone, tablet):
        table_id = await ada.create(["me", "clerk"], FAST)
        for device in (phone, tablet):
            await device.use_link((await ada.link()).token)
        pending = await ada.link()
        await tablet.forget_other_devices()
        assert (await tablet.me()).name == "Ada"
        for device in (ada, phone):
            with pytest.raises(RefusedError, match=r"(?i)name first") as refused:
                await device.me()
            assert refused.value.status == 403
        async with ada.watch(table_id) as seen:
            assert seen.you.person is None  # whoever has the old device only watches
            assert seen.you.seats == []
        async with tablet.watch(table_id) as mine:
            assert mine.you.seats == [0]
        # A link that was made on a device that is forgotten would bring it back.
        with pytest.raises(RefusedError):
            await phone.use_link(pending.token)


async def test_the_cookie_is_for_the_server_alone(server: RunningServer) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.post("/api/me", json={"name": "Ada"})
        cookie = answer.headers["set-cookie"].lower()
        for part in ("httponly", "samesite=strict", "path=/", "max-age="):
            assert part in cookie
        assert "secure" not in cookie  # there is no https on this machine
        secret = answer.cookies["lastspike"]
        assert len(secret) >= 22
        stored = await in_database(server, "SELECT * FROM session")
        assert not any(secret in str(row) for row in stored)


async def test_a_secret_that_is_not_one_lets_nobody_in(server: RunningServer) -> None:
    for secret in ("A" * 43, "", "x", "é" * 43):
        async with Person(server.url, "Eve", secret=secret) as eve:
            with pytest.raises((RefusedError, LostError, UnicodeEncodeError)):
                await eve.me()
