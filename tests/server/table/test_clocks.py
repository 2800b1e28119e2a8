"""Clocks of games that go on for days: hours that are saved, holidays, and nudges."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastspike.protocol import DaysClock, HoursClock, LiveClock, NoClock, Settings
from lastspike.rules.errors import LastSpikeError
from lastspike.server.people.erasure import masked
from lastspike.server.people.holidays import check_holiday
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.clocks import commands as time_commands
from lastspike.server.table.clocks.commands import announce_holidays, nudge
from lastspike.server.table.clocks.holidays import merged, runs_out, time_used
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound
from lastspike.server.table.limits import SLOW_GRACE_MS
from lastspike.server.table.views import clock_info, table_info
from tests.server.paper import HOST, Paper

from .test_commands import started

HOUR = 3_600_000
DAY = 24 * HOUR

times = st.integers(0, 1000)
holidays = st.lists(st.tuples(times, times), max_size=6)


@given(times, times, holidays)
def test_time_runs_out_when_it_is_used_up(
    begin: int, time: int, free: list[tuple[int, int]]
) -> None:
    deadline = runs_out(begin, time, free)
    assert time_used(begin, deadline, free) == time
    if time:
        assert time_used(begin, deadline - 1, free) == time - 1
    outside = [t for t in range(begin, deadline) if not any(a <= t < b for a, b in free)]
    assert len(outside) == time


@given(holidays)
def test_merged_holidays_are_apart_and_the_same_moments(free: list[tuple[int, int]]) -> None:
    found = merged(free)
    assert all(a < b for a, b in found)
    assert all(one[1] < other[0] for one, other in pairwise(found))
    assert {t for a, b in found for t in range(a, b)} == {t for a, b in free for t in range(a, b)}


def test_hours_are_saved_up_to_a_limit() -> None:
    paper = started(clock=HoursClock(hours=72, increment=12, most=120))
    seat = paper.state.to_move()
    assert seat is not None
    assert paper.state.deadline() == paper.now + 72 * HOUR
    banks = []
    for hours in (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 30, 30):
        paper.now += hours * HOUR
        paper.play(1)
        banks.append(paper.state.banks[seat] // HOUR)
    assert banks[::2] == [82, 92, 102, 112, 120, 102]
    assert paper.state.deadline() == paper.now + 102 * HOUR
    paper.now += 102 * HOUR
    assert paper.do(time_commands.out_of_time, paper.now)
    paper.now += DAY
    paper.play(2)
    paper.do(commands.come_back, paper.state.seats[seat].person, paper.now)
    assert paper.state.deadline() == paper.now + SLOW_GRACE_MS
    assert paper.replayed().deadline() == paper.state.deadline()


@pytest.mark.parametrize("clock", [DaysClock(2), HoursClock(hours=48)])
def test_a_turn_stands_still_while_its_person_is_on_holiday(clock: DaysClock | HoursClock) -> None:
    paper = started(clock=clock)
    seat = paper.state.to_move()
    assert seat is not None
    person = paper.state.seats[seat].person or ""
    other = paper.state.seats[1 - seat].person or ""
    began = paper.now
    away = [(began + DAY, began + 8 * DAY)]
    paper.do(announce_holidays, other, [(began, began + 30 * DAY)])
    assert paper.state.deadline() == began + 2 * DAY
    assert paper.do(announce_holidays, person, away)
    assert not paper.do(announce_holidays, person, away)
    assert paper.state.deadline() == began + 9 * DAY
    assert table_info(paper.state).seats[seat].holidays == away
    assert not paper.do(time_commands.out_of_time, began + 9 * DAY - 1)
    paper.now = began + 8 * DAY + HOUR
    paper.play(1)
    if isinstance(clock, HoursClock):
        assert paper.state.banks[seat] == (48 - 25 + 12) * HOUR
    assert paper.replayed().deadline() == paper.state.deadline()
    assert not paper.do(announce_holidays, "spectator", away)
    assert masked(e.HolidaysAnnounced(person, away), person) == e.HolidaysAnnounced(person, [])


def test_holidays_do_not_fill_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Paper(("me", None), Settings(clock=DaysClock(2)))
    assert not waiting.do(announce_holidays, HOST, [(0, DAY)])
    paper = started(clock=DaysClock(2))
    assert paper.do(announce_holidays, HOST, [(0, DAY)])
    monkeypatch.setattr(commands, "MOST_CHANGES", paper.state.number)
    with pytest.raises(Conflict, match="too many times"):
        paper.do(announce_holidays, HOST, [(0, 2 * DAY)])


def test_a_slow_opponent_is_nudged_once_a_day() -> None:
    paper = started(clock=DaysClock(7))
    seat = paper.state.to_move()
    assert seat is not None
    slow, waiting = (paper.state.seats[each].person or "" for each in (seat, 1 - seat))
    info = clock_info(paper.state)
    assert info is not None
    assert info.nudge == paper.now + DAY
    for who, away, after, error in (
        (waiting, 0, DAY - 1, Conflict),
        (waiting, None, DAY, NotAllowed),
        (slow, 0, DAY, Conflict),
        ("spectator", 0, DAY, NotFound),
    ):
        with pytest.raises(error):
            paper.do(nudge, who, away, paper.now + after)
    paper.now += DAY
    assert paper.do(nudge, waiting, 0, paper.now)
    with pytest.raises(Conflict, match="once a day"):
        paper.do(nudge, waiting, 0, paper.now + DAY - 1)
    assert paper.replayed().nudge_at() == paper.now + DAY
    paper.do(announce_holidays, slow, [(paper.now, paper.now + 3 * DAY)])
    with pytest.raises(NotAllowed, match="on vacation"):
        paper.do(nudge, waiting, 0, paper.now + DAY)


def test_nobody_is_nudged_in_a_live_game_and_holidays_do_not_count_there() -> None:
    paper = started(clock=LiveClock(bank=100, increment=0))
    seat = paper.state.to_move()
    assert seat is not None
    waiting = paper.state.seats[1 - seat].person
    assert paper.state.nudge_at() is None
    with pytest.raises(NotAllowed):
        paper.do(nudge, waiting, 0, paper.now + 9 * DAY)
    paper.do(announce_holidays, paper.state.seats[seat].person, [(0, paper.now + DAY)])
    assert paper.state.deadline() == paper.now + 100_000
    assert table_info(paper.state).seats[seat].holidays == []
    assert started(clock=NoClock()).state.nudge_at() is not None


def test_holidays_are_bounded() -> None:
    now = 1000 * DAY
    check_holiday([], now, now + 30 * DAY, now)
    taken = [(now - 100 * DAY, now - 80 * DAY)]
    check_holiday(taken, now, now + 25 * DAY, now)
    check_holiday([(now - 900 * DAY, now - 870 * DAY)], now, now + 30 * DAY, now)
    for known, begins, ends in (
        ([], now, now),
        ([], now, now + 30 * DAY + 1),
        ([], now + 366 * DAY, now + 367 * DAY),
        (taken, now, now + 25 * DAY + 1),
        ([(now - each * DAY, now - each * DAY + 1) for each in range(20)], now, now + DAY),
    ):
        with pytest.raises(LastSpikeError):
            check_holiday(known, begins, ends, now)
