"""Reviews in a browser, a step at a time: the worker has games to serve in between.

Asking computes a little and returns the progress, without a job to follow: the page asks again at
once. A page that has been left asks no more, and the review waits until somebody comes back to it.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from lastspike import protocol as p
from lastspike.review.judges import speculators
from lastspike.review.run_review import Review, Steps, review_steps
from lastspike.rules.records.record import Record, read_record
from lastspike.server.jobs.reading import to_review
from lastspike.server.jobs.review_sentences import review_with_sentences
from lastspike.server.storage.errors import StorageDown
from lastspike.server.table.errors import Conflict
from lastspike.server.table.records import full_record
from lastspike.server.table.state import TableState
from lastspike.words.names import names_of

from .store import LocalStore

log = logging.getLogger(__name__)

PLAYOUTS = 8_000
"""A fifth of a server's: Python is several times slower in a browser."""
AT_ONCE_S = 0.2
"""How long one answer computes. A step that has begun is finished."""
MOST_BEGUN = 4
"""Reviews under way. The oldest is given up for another."""


class _Begun(NamedTuple):
    record: Record
    names: list[str]
    steps: Steps


class Reviews:
    """Speculator judges: Tycoon needs NumPy."""

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self._begun: dict[str, _Begun] = {}

    async def of_table(self, state: TableState) -> p.JobState:
        """The review of a table's game, which is stored with it."""
        if state.status != "over" or state.game is None:
            raise Conflict("only a game that is over can be reviewed")
        await asyncio.sleep(0)  # first, what else the page asked for
        if stored := await self._store.review(state.id):
            return p.JobState(1.0, msgspec.json.decode(stored))
        if state.id not in self._begun:
            self._begin(state.id, full_record(state), names_of(state.seats))
        now = self._go_on(state.id)
        if now.found is not None:
            try:
                await self._store.save_review(state.id, msgspec.json.encode(now.found).decode())
            except StorageDown:
                log.warning("a review can't be stored")  # the page has it all the same
        return now

    async def of_record(self, raw: dict[str, Any]) -> p.JobState:
        """The review of a game from a file. Nothing of it is stored."""
        await asyncio.sleep(0)
        game = to_review(raw)
        if game.digest not in self._begun:
            self._begin(game.digest, game.record, game.names)
        return self._go_on(game.digest)

    def forget(self) -> None:
        self._begun.clear()

    def _begin(self, key: str, raw: dict[str, Any], names: list[str]) -> None:
        while len(self._begun) >= MOST_BEGUN:
            del self._begun[next(iter(self._begun))]
        record = read_record(raw)
        steps = review_steps(record, key, PLAYOUTS, speculators())
        self._begun[key] = _Begun(record, names, steps)

    def _go_on(self, key: str) -> p.JobState:
        record, names, steps = self._begun[key]
        until = monotonic() + AT_ONCE_S
        while True:
            try:
                done, total = next(steps)
            except StopIteration as end:
                del self._begun[key]
                reviewed: Review = end.value
                return p.JobState(1.0, review_with_sentences(reviewed, record, names))
            except Exception:
                del self._begun[key]
                raise
            if monotonic() > until:
                return p.JobState(done / total)
