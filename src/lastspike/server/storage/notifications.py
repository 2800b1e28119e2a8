"""News between workers, over Litestar's channels: of steps, and of sessions that have ended.

With PostgreSQL, the transaction that stores steps also sends lines of `<table> <number>`; see
`writing/postgres.py`. The one that ends sessions sends their hashes. SQLite has a single worker,
which needs no news.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from litestar.channels import ChannelsBackend, ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend

from .database import is_shared, normalised, postgres_creator

if TYPE_CHECKING:
    import asyncpg  # type: ignore[import-untyped]

CHANNEL = "lastspike_news"
ENDED_SESSIONS = "lastspike_ended_sessions"
GAP = b""
"""Sent to listeners after the connection was lost, because news may have been missed."""
FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 5.0
LOOK_SECONDS = 20.0
"""How often the connection is checked, as it can be lost without notice."""

log = logging.getLogger(__name__)


def make_channels(url: str) -> ChannelsPlugin:
    """The channels for all workers that use this database."""
    address = normalised(url)
    shared = is_shared(address)
    backend = _reconnecting(postgres_creator(address)) if shared else MemoryChannelsBackend()
    return ChannelsPlugin(backend, channels=[CHANNEL, ENDED_SESSIONS])


class News:
    def __init__(self, channels: ChannelsPlugin) -> None:
        self._channels = channels

    async def listen(
        self,
        on_news: Callable[[list[tuple[str, int]]], Awaitable[None]],
        on_gap: Callable[[], Awaitable[None]],
    ) -> None:
        """Listen until cancelled. `on_news` gets tables with the numbers of their new steps, from
        all workers including this one. `on_gap` is called when news may have been missed, because
        the connection was lost or a callback failed."""
        await self._listen(CHANNEL, lambda event: on_news(_parse(event)), on_gap)

    async def listen_for_ended_sessions(
        self,
        on_ended: Callable[[list[bytes]], Awaitable[None]],
        on_gap: Callable[[], Awaitable[None]],
    ) -> None:
        """The same for the hashes of sessions that have ended."""
        await self._listen(ENDED_SESSIONS, lambda event: on_ended(_from_ended(event)), on_gap)

    async def _listen(
        self,
        channel: str,
        on_event: Callable[[bytes], Awaitable[None]],
        on_gap: Callable[[], Awaitable[None]],
    ) -> None:
        async with self._channels.start_subscription(channel) as subscriber:
            async for event in subscriber.iter_events():
                try:
                    await (on_gap() if event == GAP else on_event(event))
                except Exception:
                    log.exception("news could not be passed on")
                    await _retry(on_gap)


def _parse(event: bytes) -> list[tuple[str, int]]:
    lines = (line.rsplit(" ", 1) for line in event.decode().split("\n"))
    return [(table, int(number)) for table, number in lines]


def to_ended(sessions: Iterable[bytes]) -> str:
    """The notification of sessions that have ended."""
    return "\n".join(session.hex() for session in sessions)


def _from_ended(event: bytes) -> list[bytes]:
    return [bytes.fromhex(line) for line in event.decode().split("\n")]


async def _retry(on_gap: Callable[[], Awaitable[None]]) -> None:
    pause = FIRST_PAUSE_SECONDS
    while True:
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        try:
            return await on_gap()
        except Exception:
            log.exception("what was missed could not be read")


def _reconnecting(connect: Callable[[], Awaitable[asyncpg.Connection]]) -> ChannelsBackend:
    # asyncpg is an optional dependency.
    from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend

    class ReconnectingBackend(AsyncPgChannelsBackend):
        """Reconnects when the listening connection breaks, and then sends GAP."""

        async def on_startup(self) -> None:
            await super().on_startup()
            self._lost = asyncio.Event()
            self._watch(self._listener_conn)
            self._watcher = asyncio.create_task(self._keep_listening(), name="news")

        async def on_shutdown(self) -> None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
            if self._listener_conn.is_closed():
                self._subscribed_channels.clear()
                self._queue = None
            else:
                await super().on_shutdown()

        async def subscribe(self, channels: Iterable[str]) -> None:
            if self._listener_conn.is_closed():
                self._subscribed_channels.update(channels)
            else:
                await super().subscribe(channels)

        async def unsubscribe(self, channels: Iterable[str]) -> None:
            if self._listener_conn.is_closed():
                self._subscribed_channels.difference_update(channels)
            else:
                await super().unsubscribe(channels)

        def _watch(self, connection: asyncpg.Connection) -> None:
            connection.add_termination_listener(lambda _connection: self._lost.set())

        async def _keep_listening(self) -> None:
            while True:
                try:
                    await asyncio.wait_for(self._lost.wait(), LOOK_SECONDS)
                except TimeoutError:
                    if await self._answers():
                        continue
                log.warning("the connection that listens for news is lost")
                await self._reconnect()
                log.info("listening for news again")

        async def _answers(self) -> bool:
            try:
                await self._listener_conn.fetchval("SELECT 1", timeout=LOOK_SECONDS)
            except Exception:
                return False
            return True

        async def _reconnect(self) -> None:
            pause = FIRST_PAUSE_SECONDS
            while True:
                self._listener_conn.terminate()
                self._lost.clear()
                try:
                    connection = await self._connect()
                    self._watch(connection)
                    async with self._listener_lock:
                        self._listener_conn = connection
                        for channel in self._subscribed_channels:
                            await connection.add_listener(channel, self._listener)
                            assert self._queue is not None
                            self._queue.put_nowait((channel, GAP))
                    return
                except Exception as error:
                    log.debug("still no connection for news: %s", error)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    return ReconnectingBackend(make_connection=connect)
