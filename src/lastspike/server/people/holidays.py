"""Holidays: a person announces them once, and all their games of days hear of them."""

from __future__ import annotations

import asyncio
import logging
import secrets

from lastspike.protocol import SlowClock
from lastspike.rules.errors import LastSpikeError
from lastspike.server.live.registry import TableRegistry, TableWatcher
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import HolidayRow
from lastspike.server.table import log_events as e
from lastspike.server.table.clocks.commands import announce_holidays
from lastspike.server.table.clocks.holidays import merged
from lastspike.server.table.errors import NotFound, TooMany
from lastspike.server.table.now import now_ms

log = logging.getLogger(__name__)

DAY_MS = 86_400_000
LONGEST_DAYS = 30
MOST_DAYS_A_YEAR = 45
"""Days of holiday that begin or end within a year: games must go on."""
MOST_AHEAD_DAYS = 365
MOST_KEPT = 20
TOLD_DAYS = 61
"""Holidays that ended longer ago can’t matter to a turn that is being made."""


class Holidays(TableWatcher):
    def __init__(self, storage: Storage, registry: TableRegistry) -> None:
        self._storage = storage
        self._registry = registry
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        """Tell a table of the holidays of the people who begin to play."""
        if not own or not isinstance(table.state.settings.clock, SlowClock):
            return
        if any(isinstance(event, e.GameStarted) for step in steps for event in step.events):
            people = set(table.state.people())
            task = asyncio.get_running_loop().create_task(self._tell_about(table, people))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def announce(self, person: str, begins: int, ends: int) -> HolidayRow:
        """Add a holiday, and tell the person’s games."""
        now = now_ms()
        begins = max(begins, now)
        row = HolidayRow(secrets.token_urlsafe(9), person, begins, ends)

        def check(known: list[HolidayRow]) -> None:
            check_holiday([(each.begins_at, each.ends_at) for each in known], begins, ends, now)

        await self._storage.holidays.add(row, check)
        await self._tell_games(person)
        return row

    async def end(self, person: str, holiday_id: str) -> None:
        """End a holiday, or take back one that has not begun."""
        known = await self._storage.holidays.of_person(person)
        if all(row.id != holiday_id for row in known):
            raise NotFound("there is no such vacation")
        await self._storage.holidays.end(holiday_id, now_ms())
        await self._tell_games(person)

    async def _tell_games(self, person: str) -> None:
        holidays = await self._told(person)
        for row in await self._storage.logs.tables_of(person, None, "playing"):
            try:
                table = await self._registry.table(row.id)
                if isinstance(table.state.settings.clock, SlowClock):
                    await table.act(lambda state: announce_holidays(state, person, holidays))
            except (LastSpikeError, NotFound):
                log.warning("table %s… was not told of a holiday", row.id[:6], exc_info=True)

    async def _tell_about(self, table: LiveTable, people: set[str]) -> None:
        try:
            for person in people:
                holidays = await self._told(person)
                if holidays:
                    await table.act(
                        lambda state, who=person, when=holidays: announce_holidays(state, who, when)  # type: ignore[misc]
                    )
        except Exception:
            log.warning("a table was not told of a holiday", exc_info=True)

    async def _told(self, person: str) -> list[tuple[int, int]]:
        since = now_ms() - TOLD_DAYS * DAY_MS
        rows = await self._storage.holidays.of_person(person)
        return merged((row.begins_at, row.ends_at) for row in rows if row.ends_at > since)


def check_holiday(known: list[tuple[int, int]], begins: int, ends: int, now: int) -> None:
    """`LastSpikeError` if a holiday is too long, too far ahead, or one too many."""
    if ends <= begins:
        raise LastSpikeError("a vacation must end after it begins")
    if ends - begins > LONGEST_DAYS * DAY_MS:
        raise LastSpikeError("a vacation can’t be longer than {days} days", days=LONGEST_DAYS)
    if begins > now + MOST_AHEAD_DAYS * DAY_MS:
        raise LastSpikeError(
            "a vacation must begin within the next {days} days", days=MOST_AHEAD_DAYS
        )
    if len(known) >= MOST_KEPT:
        raise TooMany("you have too many vacations planned")
    year = 365 * DAY_MS
    near = [(a, b) for a, b in known if b > begins - year and a < ends + year]
    taken = sum(until - since for since, until in merged([*near, (begins, ends)]))
    if taken > MOST_DAYS_A_YEAR * DAY_MS:
        raise TooMany("you can take up to {days} days of vacation a year", days=MOST_DAYS_A_YEAR)
