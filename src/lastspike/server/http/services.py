"""The services of a worker: opened in order, closed in reverse."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import secrets
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

from litestar import Request
from litestar.di import NamedDependency

from lastspike.protocol import CLOSE_RESTART
from lastspike.server.admin.actions import Operator
from lastspike.server.admin.announcements import Announcements
from lastspike.server.admin.bans import Bans
from lastspike.server.admin.reading import Reading
from lastspike.server.alerts.fetching import fetch
from lastspike.server.alerts.mail import MailSender
from lastspike.server.alerts.personal import PersonalAlerts
from lastspike.server.alerts.send import AlertSender
from lastspike.server.alerts.when import TurnAlerts
from lastspike.server.config.settings import Config
from lastspike.server.daily.chains import Chains
from lastspike.server.daily.following import Followed
from lastspike.server.daily.results import Results
from lastspike.server.daily.scoring import DailyScoring
from lastspike.server.daily.tries import check_open
from lastspike.server.jobs.job_queue import EXPECTED_S, JobQueue
from lastspike.server.jobs.players.player_pool import PlayerPool
from lastspike.server.jobs.reader import Reader
from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.live.presence import Presence
from lastspike.server.live.registry import TableRegistry, TableWatcher
from lastspike.server.live.scheduler import Scheduler
from lastspike.server.live.table import LiveTable
from lastspike.server.monitoring import metrics
from lastspike.server.people.devices import device_of
from lastspike.server.people.erasure import Erasure
from lastspike.server.people.holidays import Holidays
from lastspike.server.people.sessions import Sessions
from lastspike.server.records.packing import pack_finished
from lastspike.server.storage import Storage
from lastspike.server.storage.notifications import News
from lastspike.server.storage.queries.moderation import ANNOUNCEMENTS, BANS
from lastspike.server.storage.rows import PersonRow
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotAllowed, TooMany
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState

from .limits.rate_limits import RateLimits, caller_key

log = logging.getLogger(__name__)

CLEAN_UP_S = 3600.0
"""How often tables older than the retention are deleted."""
MOST_JUMP_S = 60.0
PACK_S = 600.0
"""How often the logs of finished games are packed."""
_OFF = {
    "reviews": NotAllowed("reviews are off on this server"),
    "studies": NotAllowed("studies are off on this server"),
    "imports": NotAllowed("recorded games can’t be opened on this server"),
}


class Services:
    """What the routes of one worker use. `news` brings what other workers have stored."""

    def __init__(self, config: Config, limits: RateLimits, news: News) -> None:
        self.config = config
        self.limits = limits
        self.worker_id = secrets.token_urlsafe(9)
        self.storage = Storage(config.database, self.worker_id, on_commit=_count_commit)
        self.open_sockets = OpenSockets(self.storage)
        self.registry = TableRegistry(self.storage)
        self.presence = Presence(self.storage)
        self.erasure = Erasure(self.storage, self.registry, self.open_sockets)
        self.bans = Bans(self.storage, self.registry, config.contact)
        self.announcements = Announcements(self.storage, self.registry)
        self.operator = Operator(
            self.storage, self.registry, self.erasure, self.bans, self.announcements
        )
        self.reading = Reading(config, self.storage, self.registry, self.announcements)
        self._reading_back = asyncio.Semaphore(2)
        self.sessions = Sessions(self.storage, self.open_sockets, host_only=config.host_cookie)
        self.player_pool = PlayerPool(config.player_processes, on_done=_count_turn)
        self.scheduler = Scheduler(self.registry, self.storage, self.player_pool, self.worker_id)
        self.alerts = AlertSender(allow_private=config.allow_private_webhooks, on_done=_count_alert)
        self.mail = MailSender(config, on_done=_count_mail)
        self.personal_alerts = PersonalAlerts(
            config, self.storage, self.registry, self.presence, self.alerts, self.mail
        )
        turn_alerts = TurnAlerts(
            self.storage, self.presence, self.alerts, config.page_url, self.personal_alerts
        )
        self.holidays = Holidays(self.storage, self.registry)
        self.chains = Chains(self.storage, config.daily, followed=_followed(config, self.storage))
        self.daily_results = Results(self.storage, self.registry, self.chains)
        self.daily_scoring = DailyScoring(self.storage, self.registry, self.chains)
        self.registry.watch(
            self.scheduler,
            self.presence,
            turn_alerts,
            self.holidays,
            self.daily_scoring,
            _TurnCounter(),
        )
        self.jobs = JobQueue(limits.jobs.spend)
        self.reader = Reader()
        self.closing = False
        self._news = news
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await self.storage.open()
        await self.bans.load()
        await self.announcements.load()
        await self.player_pool.start()
        await self.alerts.start()
        await self.mail.start()
        await self.personal_alerts.start()
        await self.jobs.start()
        await self.reader.start()
        if self.storage.shared:
            self._spawn(self._news.listen(self._on_news, self._on_gap))
            sockets = self.open_sockets
            self._spawn(self._news.listen_for_ended_sessions(sockets.on_ended, sockets.on_gap))
        await self.scheduler.start()
        # Asked here, and not by a task: a server that closes at once would cancel it amid a query.
        if await self.storage.personal_data.being_erased():
            self._spawn(self.erasure.finish())
        self._spawn(self._clean_up())
        self._spawn(self._pack_logs())
        self._spawn(self.personal_alerts.run())
        if self.config.daily != "off":
            self._spawn(self.daily_scoring.run())
        log.info("worker [%d] is ready", os.getpid())

    async def close(self) -> None:
        """Accept nothing new, close every socket, and store what is under way."""
        self.closing = True
        self.announcements.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.scheduler.close()
        connections = [
            connection
            for table in list(self.registry.live.values())
            for connection in list(table.connections.values())
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await asyncio.gather(*(connection.drained() for connection in connections))
        for connection in connections:
            connection.drop(CLOSE_RESTART)
        await self.jobs.close()
        await self.reader.close()
        await self.alerts.close()
        await self.mail.close()
        await self.player_pool.close()
        await self.storage.close()

    async def person_for(
        self, request: Request[Any, Any, Any], name: str
    ) -> tuple[PersonRow, str | None]:
        """The caller; for a new one, a new person and the secret for their cookie."""
        person = await self.sessions.known(request)
        if person is not None:
            return person, None
        caller = caller_key(request.scope)
        wait = self.limits.persons.take(caller)
        if wait:
            raise TooMany(
                "too many new players from your address; wait {seconds} s", seconds=math.ceil(wait)
            )
        return await self.sessions.new(name, device_of(request.headers))

    @asynccontextmanager
    async def read_back(self, caller: str) -> AsyncIterator[None]:
        """Waits for a turn to read a whole history, which costs as much as many moves. Two are read
        at the same time, one of them for this caller."""
        async with self.limits.reading_back.place(caller), self._reading_back:
            yield

    async def admit(
        self, request: Request[Any, Any, Any], what: Literal["reviews", "studies", "imports"]
    ) -> None:
        """`NotAllowed` unless the settings let this caller have it. Who knows the token, or has a
        table here, is known."""
        whom, token = getattr(self.config, what), self.config.create_token
        if whom == "off":
            raise _OFF[what].with_traceback(None)
        given = request.headers.get("x-create-token", "")
        if token is not None and secrets.compare_digest(given.encode(), token.encode()):
            return
        if whom == "known" or token is not None:
            person = await self.sessions.known(request)
            if person is None or not await self.storage.logs.tables_of(person.id, 1):
                raise NotAllowed("only people who have joined a table on this server can do this")

    async def admit_job(self, request: Request[Any, Any, Any], kind: str) -> str:
        """The key of the caller, who pays for a job of this kind. `TooMany` if there is no room
        for it, or if the caller has used up their share of CPU time."""
        caller = caller_key(request.scope)
        self.jobs.check_room(caller, quick=kind == "quick")
        wait = self.limits.jobs.take(caller, EXPECTED_S[kind])
        if wait:
            raise TooMany(
                "you’ve asked for too many reviews and studies; wait {seconds} s",
                seconds=math.ceil(wait),
            )
        return caller

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(_log_if_failed)
        self._tasks.append(task)

    async def _on_news(self, news: list[tuple[str, int]]) -> None:
        topics = {topic for topic, _ in news}
        if BANS in topics:
            await self.bans.load()
        if ANNOUNCEMENTS in topics:
            await self.announcements.load()
        await self.registry.on_news(news)

    async def _on_gap(self) -> None:
        await self.bans.load()
        await self.announcements.load()
        await self.registry.on_gap()
        await self.scheduler.look_at_all()
        await self.presence.repair(self.registry.live.values())

    async def _clean_up(self) -> None:
        """Every hour, finish what was begun to be erased, and delete expired sessions and what is
        older than the host wants to keep.

        A clock that is wrong at the start is usually set right soon: the first hour deletes
        nothing, nor does an hour in which the clock jumped."""
        while True:
            days = self.config.retention_days
            try:
                if not await _hour_by_two_clocks():
                    continue
                await self.erasure.finish()
                before = now_ms() - days * 86_400_000 if days else 0
                gone = await self.storage.logs.delete_older(before)
                audited = now_ms() - self.config.audit_days * 86_400_000
                await self.storage.audit.delete_older(audited)
                await self.storage.moderation.delete_ended(now_ms(), audited)
                if gone:
                    log.info("%s tables were older than %s days and are deleted", gone, days)
            except Exception:
                log.warning("cleaning up failed; trying again later", exc_info=True)
                await asyncio.sleep(CLEAN_UP_S)

    async def _pack_logs(self) -> None:
        """Pack the logs of games that have been over for a while."""
        while True:
            await asyncio.sleep(PACK_S)
            try:
                await pack_finished(self.storage)
            except Exception:
                log.warning("packing logs failed; trying again later", exc_info=True)


async def check_open_to(
    services: Services, request: Request[Any, Any, Any], state: TableState
) -> None:
    """`NotAllowed` unless the caller may see the game at this table."""
    if state.daily is not None:
        person = await services.sessions.known(request)
        check_open(state, None if person is None else person.id)


async def _hour_by_two_clocks() -> bool:
    """Wait; whether the wall clock went as far as the monotonic one, give or take a minute."""
    wall, steady = now_ms(), time.monotonic()
    await asyncio.sleep(CLEAN_UP_S)
    jump = (now_ms() - wall) / 1000 - (time.monotonic() - steady)
    if abs(jump) > MOST_JUMP_S:
        log.warning("the clock jumped by %.0f s; nothing is deleted for another hour", jump)
    return abs(jump) <= MOST_JUMP_S


def _followed(config: Config, storage: Storage) -> Followed | None:
    """The chain of the Daily Deal that this server plays, if it is another server's."""
    if config.daily_follow is None:
        return None

    async def read(url: str, headers: dict[str, str]) -> bytes:
        return await fetch(url, headers, allow_private=config.allow_private_webhooks)

    return Followed(storage, config.daily_follow, config.daily_key or "", read)


class _TurnCounter(TableWatcher):
    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        del table
        if own:
            metrics.TURNS.inc(sum(step.turn is not None for step in steps))


def _log_if_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("a task of the server failed", exc_info=task.exception())


FromServices = NamedDependency[Services]


def _count_commit(seconds: float, steps: int) -> None:
    metrics.COMMIT_SECONDS.observe(seconds)
    metrics.COMMIT_STEPS.observe(steps)
    metrics.STEPS.inc(steps)


def _count_turn(level: str, seconds: float) -> None:
    metrics.THINKING_SECONDS.labels(level).observe(seconds)


def _count_alert(sent: bool) -> None:
    metrics.WEBHOOKS.labels("sent" if sent else "failed").inc()


def _count_mail(sent: bool) -> None:
    metrics.MAILS.labels("sent" if sent else "failed").inc()
