"""Workers hear of each other's steps, and of having missed some."""

from __future__ import annotations

import asyncio

import pytest

from lastspike.server.storage import Storage
from lastspike.server.storage.notifications import CHANNEL, News, make_channels
from tests.server.databases import OwnPostgresServer

from .examples import TABLE, new_table, step

pytestmark = pytest.mark.anyio

Told = asyncio.Queue[list[tuple[str, int]] | None]


class Listener:
    """Listens to the news of a database; None stands for a gap."""

    def __init__(self, url: str) -> None:
        self.channels = make_channels(url)
        self.told: Told = asyncio.Queue()
        self.failures = 0

    async def __aenter__(self) -> Listener:
        await self.channels.__aenter__()
        self._task = asyncio.create_task(News(self.channels).listen(self._on_news, self._on_gap))
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.channels.__aexit__(None, None, None)

    async def _on_news(self, news: list[tuple[str, int]]) -> None:
        if self.failures:
            self.failures -= 1
            raise ValueError("not now")
        await self.told.put(news)

    async def _on_gap(self) -> None:
        await self.told.put(None)

    async def next(self) -> list[tuple[str, int]] | None:
        return await asyncio.wait_for(self.told.get(), 20)


async def test_every_stored_step_is_told_and_no_other(postgres_url: str) -> None:
    storage = Storage(postgres_url)
    await storage.open()
    async with Listener(postgres_url) as listener:
        await new_table(storage)
        assert await listener.next() == [(TABLE, 1)]
        assert not await storage.logs.append(step(1))
        await asyncio.gather(storage.logs.append(step(2)), storage.logs.append(step(3)))
        assert await listener.next() == [(TABLE, 2), (TABLE, 3)]
    await storage.close()


async def test_news_of_many_steps_come_in_parts(postgres_url: str) -> None:
    storage = Storage(postgres_url)
    await storage.open()
    tables = [f"{number:022}" for number in range(450)]
    async with Listener(postgres_url) as listener:
        await asyncio.gather(*(new_table(storage, table) for table in tables))
        heard: list[tuple[str, int]] = []
        while len(heard) < 450:
            heard += await listener.next() or []
        assert sorted(heard) == [(table, 1) for table in tables]
    await storage.close()


async def test_a_listener_comes_back_and_knows_that_it_missed_something(
    own_postgres_server: OwnPostgresServer, own_postgres_url: str
) -> None:
    storage = Storage(own_postgres_url)
    await storage.open()
    async with Listener(own_postgres_url) as listener:
        await new_table(storage)
        assert await listener.next() == [(TABLE, 1)]
        await asyncio.to_thread(own_postgres_server.crash)
        assert await listener.next() is None
        assert await storage.logs.append(step(2))
        assert await listener.next() == [(TABLE, 2)]
    await storage.close()


async def test_leaving_while_the_connection_is_lost(
    own_postgres_server: OwnPostgresServer, own_postgres_url: str
) -> None:
    async with Listener(own_postgres_url):
        await asyncio.to_thread(own_postgres_server.stop, "immediate")
    await asyncio.to_thread(own_postgres_server.start)


async def test_what_could_not_be_passed_on_counts_as_missed(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    storage = Storage(postgres_url)
    await storage.open()
    async with Listener(postgres_url) as listener:
        listener.failures = 1
        await new_table(storage)
        assert await listener.next() is None
        assert await storage.logs.append(step(2))
        assert await listener.next() == [(TABLE, 2)]
    await storage.close()
    assert "news could not be passed on" in caplog.text


async def test_a_single_worker_can_tell_itself(sqlite_url: str) -> None:
    async with Listener(sqlite_url) as listener:
        await listener.channels.wait_published(f"{TABLE} 7", CHANNEL)
        assert await listener.next() == [(TABLE, 7)]
