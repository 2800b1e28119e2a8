"""What people see of their tries: results, calendar, streaks and lists."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from time import monotonic
from typing import NamedTuple

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

MOST_TRIES = 100
"""Tries in the calendar; ranked ones, at most one a day, come first."""
MOST_DAYS = 400
"""Days that count for streaks."""
MOST_LISTED = 100
LISTS_S = 30.0
"""How old the lists may be. One's own line is always new, and who left isn't shown."""
WEEK_DAYS = 3
"""The days on which somebody must have played to be in the week's list."""


class _Ended(msgspec.Struct):
    """What the calendar shows of a score besides its points."""

    rank: int
    cash: int


class _Line(NamedTuple):
    """A person's line of a list."""

    person_id: str
    points: float
    margin: float | None
    days: int


_score = msgspec.json.Decoder(Score)
_ended = msgspec.json.Decoder(_Ended)
_tycoon = msgspec.json.Decoder(TycoonMean)


class Results:
    def __init__(self, storage: Storage, registry: TableRegistry, chains: Chains) -> None:
        self._storage = storage
        self._registry = registry
        self._chains = chains
        self._lists: tuple[list[_Line], list[_Line]] = [], []
        self._lists_of: object = None
        self._lists_until = 0.0
        self._lock = asyncio.Lock()

    async def todays(self, person: str) -> TryRow | None:
        """A person's ranked try of today."""
        today, anchor = self._chains.today().isoformat(), await self._chains.anchor()
        return await self._storage.daily.ranked_try(person, anchor, today)

    async def streaks(self, person: str) -> tuple[int, int]:
        """The streak now, and the best one: days whose ranked games are scored, or just over."""
        anchor = await self._chains.anchor()
        rows = await self._storage.daily.ranked_days(person, anchor, MOST_DAYS)
        days = {date.fromisoformat(row) for row in rows}
        return streak(days, self._chains.today()), best_streak(days)

    async def told(self, row: TryRow) -> p.DailyTry:
        """A try as its person sees it."""
        chain = await self._chains.chain()
        number = chain.number(date.fromisoformat(row.day))
        known = p.DailyTry(row.table_id, row.day, number, row.ranked, "scored")
        if row.body is not None:
            ended = _ended.decode(row.body)
            return msgspec.structs.replace(
                known,
                points=row.points,
                margin=row.margin,
                rank=ended.rank,
                cash=ended.cash,
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
            streak=(await self.streaks(person))[0],
        )

    async def _tycoon(self, row: TryRow) -> p.DailyTycoon | None:
        body = await self._storage.daily.tycoon(row.chain, row.day)
        if body is None:
            return None
        mean = _tycoon.decode(body)
        score = mean.score
        return p.DailyTycoon(mean.games, mean.share, mean.cash, score.points, score.margin)

    async def _everybody(self, row: TryRow, score: Score) -> p.DailyEverybody | None:
        scores = await self._storage.daily.scores(row.chain, row.day, score.score.points)
        return p.DailyEverybody(*scores) if scores.number else None

    async def calendar(self, person: str | None) -> p.DailyCalendar:
        days = [day.isoformat() for day in self._chains.playable()]
        rows: list[TryRow] = []
        now = best = 0
        if person is not None:
            anchor = await self._chains.anchor()
            rows = await self._storage.daily.of_person(person, anchor, days[-1], MOST_TRIES)
            rows.sort(key=lambda row: (row.day, row.begun_at), reverse=True)
            now, best = await self.streaks(person)
        return p.DailyCalendar([await self.told(row) for row in rows], days, now, best)

    async def lists(self, person: str | None) -> p.DailyLists:
        """The lists; those of a public chain, whose deals can be known early, are empty."""
        daily = self._storage.daily
        if self._chains.public:
            listed = person is not None and await daily.is_listed(person)
            return p.DailyLists([], [], WEEK_DAYS, listed)
        today = self._chains.today()
        anchor, first, last = await self._chains.anchor(), _monday(today), today.isoformat()
        lists = await self._newest_lists(anchor, first, last)
        persons = {line.person_id for lines in lists for line in lines}
        week: list[ListRow] = []
        if person is not None:
            persons.add(person)
            week = await daily.scores_of(person, anchor, first, last)
        names = await daily.listed_names(persons)

        def told(lines: list[_Line], rows: Iterable[ListRow], least: int) -> list[p.DailyListed]:
            others = [line for line in lines if line.person_id != person]
            return _told(others + _lines(rows, least), names, person)

        return p.DailyLists(
            today=told(lists[0], [row for row in week if row.day == last], 1),
            week=told(lists[1], week, WEEK_DAYS),
            least_days=WEEK_DAYS,
            listed=person in names,
        )

    async def _newest_lists(
        self, anchor: str, first: str, last: str
    ) -> tuple[list[_Line], list[_Line]]:
        """The lists of today and of the week, from the database once in a while."""
        async with self._lock:
            if self._lists_of != (anchor, last) or monotonic() >= self._lists_until:
                best = self._storage.daily.best_scores
                self._lists = (
                    _lines(await best(anchor, last, last, 1, MOST_LISTED), 1),
                    _lines(await best(anchor, first, last, WEEK_DAYS, MOST_LISTED), WEEK_DAYS),
                )
                self._lists_of, self._lists_until = (anchor, last), monotonic() + LISTS_S
            return self._lists


def _monday(day: date) -> str:
    return (day - timedelta(days=day.weekday())).isoformat()


def _lines(rows: Iterable[ListRow], least: int) -> list[_Line]:
    """The means of people with scores on so many days at least."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        scores[row.person_id].append(row.points)
    found = []
    for who, points in scores.items():
        if len(points) >= least:
            mean = mean_points(points)
            margin = mean.margin if len(points) > 1 else None
            found.append(_Line(who, mean.points, margin, len(points)))
    return found


def _told(
    lines: Iterable[_Line], names: Mapping[str, str], person: str | None
) -> list[p.DailyListed]:
    """The best means first, of people who are listed under these names."""
    listed = [
        p.DailyListed(names[line.person_id], *line[1:], line.person_id == person)
        for line in lines
        if line.person_id in names
    ]
    return sorted(listed, key=lambda line: (-line.points, line.name))[:MOST_LISTED]
