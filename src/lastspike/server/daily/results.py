"""What people see of their tries: results, calendar, streaks and lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from statistics import fmean

import msgspec

from lastspike import protocol as p
from lastspike.daily.score import Score, mean_points
from lastspike.daily.sharing import best_streak, streak
from lastspike.daily.tycoon import TycoonMean
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage
from lastspike.server.storage.queries.daily import ListRow, TryRow
from lastspike.server.table.errors import NotFound

from .chains import Chains

MOST_TRIES = 400
MOST_LISTED = 100
WEEK_DAYS = 3
"""The days on which somebody must have played to be in the week's list."""

_score = msgspec.json.Decoder(Score)
_tycoon = msgspec.json.Decoder(TycoonMean)


class Results:
    def __init__(self, storage: Storage, registry: TableRegistry, chains: Chains) -> None:
        self._storage = storage
        self._registry = registry
        self._chains = chains

    async def tries(self, person: str) -> list[TryRow]:
        return await self._storage.daily.of_person(person, await self._chains.anchor(), MOST_TRIES)

    async def streaks(self, rows: Iterable[TryRow]) -> tuple[int, int]:
        """The streak now, and the best one: days whose ranked games are scored, or just over."""
        days = {date.fromisoformat(row.day) for row in rows if row.ranked}
        return streak(days, self._chains.today()), best_streak(days)

    async def told(self, row: TryRow) -> p.DailyTry:
        """A try as its person sees it."""
        chain = await self._chains.chain()
        number = chain.number(date.fromisoformat(row.day))
        known = p.DailyTry(row.table_id, row.day, number, row.ranked, "scored")
        if row.body is not None:
            score = _score.decode(row.body)
            return msgspec.structs.replace(
                known,
                points=score.score.points,
                margin=score.score.margin,
                rank=score.rank,
                cash=score.cash,
                gave_up=row.gave_up,
            )
        return msgspec.structs.replace(
            known, status="scoring" if row.status == "over" else "playing"
        )

    async def result(self, table_id: str, person: str) -> p.DailyResult:
        """The result of a person's game; `NotFound` for anybody else's."""
        row = await self._storage.daily.of_table(table_id)
        if row is None or row.person_id != person:
            raise NotFound("there is no such table")
        rows = await self.tries(person)
        score = None if row.body is None else _score.decode(row.body)
        worst = None if score is None else score.costliest
        return p.DailyResult(
            mine=await self.told(row),
            turns=[]
            if score is None
            else [p.DailyTurn(turn.turn, turn.points, turn.margin) for turn in score.turns],
            costliest=None if worst is None else worst.turn,
            tycoon=None if score is None else await self._tycoon(row),
            everybody=None if score is None else await self._everybody(row, score),
            streak=(await self.streaks(rows))[0],
        )

    async def _tycoon(self, row: TryRow) -> p.DailyTycoon | None:
        body = await self._storage.daily.tycoon(row.chain, row.day)
        if body is None:
            return None
        mean = _tycoon.decode(body)
        score = mean.score
        return p.DailyTycoon(mean.games, mean.share, mean.cash, score.points, score.margin)

    async def _everybody(self, row: TryRow, score: Score) -> p.DailyEverybody | None:
        scores = await self._storage.daily.scores(row.chain, row.day)
        if not scores:
            return None
        below = sum(other < score.score.points for other in scores)
        return p.DailyEverybody(len(scores), fmean(scores), below)

    async def calendar(self, person: str | None) -> p.DailyCalendar:
        rows = [] if person is None else await self.tries(person)
        now, best = await self.streaks(rows)
        return p.DailyCalendar(
            tries=[await self.told(row) for row in rows],
            days=[day.isoformat() for day in self._chains.playable()],
            streak=now,
            best_streak=best,
        )

    async def lists(self, person: str | None) -> p.DailyLists:
        """The lists; those of a public chain, whose deals can be known early, are empty."""
        listed = person is not None and await self._storage.daily.is_listed(person)
        if self._chains.public:
            return p.DailyLists([], [], WEEK_DAYS, listed)
        today = self._chains.today()
        monday = today - timedelta(days=today.weekday())
        anchor = await self._chains.anchor()
        of_today, of_week = [
            await self._storage.daily.listed_scores(
                anchor, first.isoformat(), today.isoformat(), person if listed else None
            )
            for first in (today, monday)
        ]
        return p.DailyLists(
            today=_ranked(of_today, person, 1),
            week=_ranked(of_week, person, WEEK_DAYS),
            least_days=WEEK_DAYS,
            listed=listed,
        )


def _ranked(rows: Iterable[ListRow], person: str | None, least: int) -> list[p.DailyListed]:
    """The best means first, of people with scores on so many days at least."""
    scores: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        scores[row.person_id, row.name].append(row.points)
    found = []
    for (who, name), points in scores.items():
        if len(points) >= least:
            mean = mean_points(points)
            margin = mean.margin if len(points) > 1 else None
            listed = p.DailyListed(name, mean.points, margin, len(points), who == person)
            found.append(listed)
    return sorted(found, key=lambda line: (-line.points, line.name))[:MOST_LISTED]
