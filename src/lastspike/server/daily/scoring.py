"""Scores finished tries in the background, has Tycoon play their deals, and ends those of past
days.

What is to be done follows from the database, so nothing is lost in a crash. With several workers,
each score is claimed by one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import date

import msgspec

from lastspike.daily.tycoon import GAMES, mean_of
from lastspike.rules.errors import LastSpikeError
from lastspike.server.jobs.scorer import SECONDS, Scorer
from lastspike.server.live.registry import TableRegistry, TableWatcher
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage
from lastspike.server.storage.queries.daily import TryRow
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed

from .chains import Chains

log = logging.getLogger(__name__)

LOOK_S = 30.0
"""How often the database is looked at for what nobody has told us of."""
AT_ONCE = 50
_STALE_MS = int(2 * SECONDS * 1000)


class DailyScoring(TableWatcher):
    def __init__(self, storage: Storage, registry: TableRegistry, chains: Chains) -> None:
        self._storage = storage
        self._registry = registry
        self._chains = chains
        self._scorer = Scorer()
        self._tycoons = Scorer()
        self._wake = asyncio.Event()
        self._wake_tycoon = asyncio.Event()

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        del steps
        if own and table.state.daily is not None and table.state.status == "over":
            self._wake.set()

    async def run(self) -> None:
        """Until cancelled. Tycoon plays in another process, so that no score waits for it."""
        try:
            await asyncio.gather(
                self._repeat(self._score_all, self._wake),
                self._repeat(self._tycoon, self._wake_tycoon),
            )
        finally:
            await self._scorer.close()
            await self._tycoons.close()

    async def _repeat(self, work: Callable[[], Awaitable[None]], wake: asyncio.Event) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), LOOK_S)
            wake.clear()
            try:
                await work()
            except Exception:
                log.warning("daily games could not be scored; trying again", exc_info=True)

    async def _score_all(self) -> None:
        await self.end_past_days()
        # One at a time: whoever finishes meanwhile may come before all that wait.
        while rows := await self._storage.daily.unscored(now_ms() - _STALE_MS, 1):
            self._wake_tycoon.set()
            await self._score(rows[0])
            await self.end_past_days()

    async def end_past_days(self) -> None:
        """A computer plays on in ranked games that were not finished in time."""
        today = self._chains.today().isoformat()
        for row in await self._storage.daily.unfinished(today, AT_ONCE):
            with suppress(LastSpikeError):
                table = await self._registry.table(row.table_id)
                seed = new_seed()
                person = row.person_id
                await table.act(
                    lambda state, person=person, seed=seed: commands.leave(  # type: ignore[misc]
                        state, person, True, seed
                    )
                )

    async def _score(self, row: TryRow) -> None:
        now = now_ms()
        if not await self._storage.daily.claim(row.table_id, now, now - _STALE_MS):
            return
        try:
            state = (await self._registry.newest(row.table_id)).state
        except NotFound:
            return
        assert state.seed is not None
        moves = [move.text for move in state.playing.moves]
        score = await self._scorer.scored(state.seed, moves)
        body = msgspec.json.encode(score)
        gave_up = any(seat.for_good for seat in state.seats)
        await self._storage.daily.keep(
            row.table_id, score.score.points, score.score.margin, gave_up, body
        )

    async def _tycoon(self) -> None:
        """Tycoon's games on the latest day that somebody has played and Tycoon hasn't."""
        anchor = await self._chains.anchor()
        for day in await self._storage.daily.days_without_tycoon(anchor, 1):
            link = await self._chains.link_to_play(date.fromisoformat(day))
            scores = [await self._tycoons.tycoon(link, number) for number in range(GAMES)]
            body = msgspec.json.encode(mean_of(scores))
            await self._storage.daily.keep_tycoon(anchor, day, body)
            self._wake_tycoon.set()
