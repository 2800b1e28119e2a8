"""Everything a worker runs on, put together: opened in order, closed in reverse."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from litestar import Request
from litestar.di import NamedDependency

from . import happenings as h
from . import metrics
from .alerting import Alerting
from .alerts import Alerts
from .config import Config
from .errands import Errands
from .errors import TooMany
from .forgetting import Forgetting
from .hall import Hall
from .keeper import Keeper
from .limiting import RateLimits, address_key
from .live import LiveTable, now_ms
from .persons import Persons
from .presence import Presence
from .storage import Storage
from .storage.news import News
from .storage.rows import PersonRow
from .thinking import Thinkers

log = logging.getLogger(__name__)

TIDY_S = 3600.0
"""How often what is older than the retention is forgotten."""


class Services:
    """One worker's. `news` brings what other workers have stored."""

    def __init__(self, config: Config, limits: RateLimits, news: News) -> None:
        self.config = config
        self.limits = limits
        self.worker_id = secrets.token_urlsafe(9)
        self.storage = Storage(config.database, self.worker_id, on_commit=_count_commit)
        self.hall = Hall(self.storage)
        self.presence = Presence(self.storage)
        self.forgetting = Forgetting(self.storage, self.hall)
        self.reading_back = asyncio.Semaphore(2)
        """So many may read whole histories at the same time; they cost what many moves do."""
        self.persons = Persons(self.storage)
        self.thinkers = Thinkers(config.thinkers, on_done=_count_thinking)
        self.keeper = Keeper(self.hall, self.storage, self.thinkers, self.worker_id)
        self.alerts = Alerts(allow_private=config.allow_private_webhooks, on_done=_count_alert)
        self.alerting = Alerting(self.storage, self.presence, self.alerts, config)
        self.errands = Errands()
        self.closing = False
        self._news = news
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await self.storage.open()
        self.hall.changed = self._changed
        self.hall.loaded = self.keeper.consider
        self.hall.refreshed = self.presence.tell_soon
        self.hall.wanted = self.keeper.keeps
        self.hall.read = self.keeper.give_back
        await self.thinkers.start()
        await self.alerts.start()
        await self.errands.start()
        if self.storage.shared:
            self._spawn(self._news.listen(self.hall.on_news, self._on_gap))
        await self.keeper.start()
        self._spawn(self._tidy_up())
        log.info("worker [%d] is ready", os.getpid())

    async def close(self) -> None:
        """Let nothing new begin, tell every viewer to come back, and store what is under way."""
        self.closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.keeper.close()
        connections = [
            connection
            for table in list(self.hall.live.values())
            for connection in list(table.connections.values())
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await asyncio.gather(*(connection.drained() for connection in connections))
        for connection in connections:
            connection.drop()
        await self.errands.close()
        await self.alerts.close()
        await self.thinkers.close()
        await self.storage.close()

    async def person_for(
        self, request: Request[Any, Any, Any], name: str
    ) -> tuple[PersonRow, str | None]:
        """Who asks; where they are new, a new person and the secret for their cookie."""
        person = await self.persons.known(request)
        if person is not None:
            return person, None
        caller = address_key(request.client.host if request.client else "")
        wait = self.limits.persons.take(caller)
        if wait:
            raise TooMany(
                "too many new players from your address; wait {seconds} s", seconds=math.ceil(wait)
            )
        return await self.persons.new(name)

    def may_ask_for_errand(self, request: Request[Any, Any, Any]) -> None:
        """`TooMany` for an address that has asked for many reviews and studies already."""
        caller = address_key(request.client.host if request.client else "")
        wait = self.limits.errands.take(caller)
        if wait:
            raise TooMany(
                "you have asked for many reviews and studies; wait {seconds} s",
                seconds=math.ceil(wait),
            )

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(_tell_if_failed)
        self._tasks.append(task)

    def _changed(self, table: LiveTable, steps: list[h.Step], own: bool) -> None:
        self.keeper.consider(table)
        if any(isinstance(each, h.PersonForgotten) for step in steps for each in step.happenings):
            self.presence.tell_soon(table)  # who sat there only watches now
        if own:
            metrics.TURNS.inc(sum(step.turn is not None for step in steps))
            self.alerting.consider(table, steps)

    async def _on_gap(self) -> None:
        await self.hall.on_gap()
        await self.keeper.look_at_all()
        await self.presence.put_right(self.hall.live.values())

    async def _tidy_up(self) -> None:
        """Forget what is older than the host wants to keep, and sessions that have ended."""
        while True:
            days = self.config.retention_days
            try:
                await self.forgetting.finish()
                before = now_ms() - days * 86_400_000 if days else 0
                gone = await self.storage.forget_older(before)
                if gone:
                    log.info("%s tables were older than %s days and are deleted", gone, days)
            except Exception:
                log.warning("tidying up failed; trying again later", exc_info=True)
            await asyncio.sleep(TIDY_S)


def _tell_if_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("a task of the server failed", exc_info=task.exception())


FromServices = NamedDependency[Services]


def _count_commit(seconds: float, steps: int) -> None:
    metrics.COMMIT_SECONDS.observe(seconds)
    metrics.COMMIT_STEPS.observe(steps)
    metrics.STEPS.inc(steps)


def _count_thinking(level: str, seconds: float) -> None:
    metrics.THINKING_SECONDS.labels(level).observe(seconds)


def _count_alert(sent: bool) -> None:
    metrics.WEBHOOKS.labels("sent" if sent else "failed").inc()
