"""The bodies of the Daily Deal's requests and responses. Days are written like 2026-11-19; scores
are points, hundredths of a win, with half the width of their 95% interval as `margin`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .settings import Name


class PlayDaily(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class ListMe(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the lists may show me, under my name on this server."""

    listed: bool


class DailyChain(Struct, frozen=True):
    """The chain of commitments: its anchor, and the day of its link 1. A `public` chain is no
    secret: its deals can be known early, and there are no lists. `followed` is the host of the
    server whose chain it is, if that is another one."""

    anchor: str
    first: str
    public: bool
    followed: str | None = None


class DailyTry(Struct, frozen=True):
    """A game of mine. The score is null until it is computed; rank, cash and the rest as well."""

    table: str
    day: str
    number: int
    ranked: bool
    status: Literal["playing", "scoring", "scored"]
    points: float | None = None
    margin: float | None = None
    rank: int | None = None
    cash: int | None = None
    gave_up: bool = False


class DailyToday(Struct, frozen=True):
    """`ends` is when the day is over (milliseconds since 1970), `commitment` the link of the day
    before. `finished` is how many people have finished today's deal."""

    day: str
    number: int
    ends: int
    chain: DailyChain
    commitment: str
    mine: DailyTry | None
    streak: int
    best_streak: int
    finished: int


class DailyTurn(Struct, frozen=True):
    """What a turn of mine gained or cost, compared with Surveyor's. `turn` counts all turns."""

    turn: int
    points: float
    margin: float


class DailyTycoon(Struct, frozen=True):
    """What Tycoon made of the same deal in my seat: its mean share of the win, mean cash, and mean
    score, over so many `games`."""

    games: int
    share: float
    cash: float
    points: float
    margin: float


class DailyEverybody(Struct, frozen=True):
    """All ranked scores of the day: how many, their mean, and how many are below mine."""

    count: int
    points: float
    below: int


class DailyResult(Struct, frozen=True):
    """`costliest` is the number of the turn that clearly cost most. What is not yet computed is
    null."""

    mine: DailyTry
    turns: list[DailyTurn]
    costliest: int | None
    tycoon: DailyTycoon | None
    everybody: DailyEverybody | None
    streak: int


class DailyCalendar(Struct, frozen=True):
    """My tries, newest first, with unranked ones. `days` are those that can be played, newest
    first; the first of them is today."""

    tries: list[DailyTry]
    days: list[str]
    streak: int
    best_streak: int


class DailyListed(Struct, frozen=True):
    """A line of a list. The margin of a mean is null for a single day."""

    name: str
    points: float
    margin: float | None
    days: int
    me: bool


class DailyLists(Struct, frozen=True):
    """The scores of today, and the means of this week, which begins on Monday. Only people who
    played on at least `least_days` of it are in the second. `listed` is whether I want to be."""

    today: list[DailyListed]
    week: list[DailyListed]
    least_days: int
    listed: bool


class DailyProof(Struct, frozen=True):
    """The link of a past day, the seed of its deal."""

    day: str
    number: int
    chain: DailyChain
    link: str
    edition: str
    levels: list[str | None]


class MyDailyTry(Struct, frozen=True):
    table: str
    day: str
    ranked: bool
    begun: int
    points: float | None
    margin: float | None


class MyDaily(Struct, frozen=True):
    """My tries at the Daily Deal, and whether I want to be listed."""

    tries: list[MyDailyTry]
    listed: bool
