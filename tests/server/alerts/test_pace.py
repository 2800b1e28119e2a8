"""How often one person is alerted: nobody can flood them, and no news is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastspike.server.alerts.pace import MOST_AN_HOUR, MOST_KEPT, Pace
from lastspike.server.table import commands
from tests.server.paper import HOST, Paper

from .test_timing import HOUR, at, begun

pytestmark = pytest.mark.anyio

MINUTE = 60_000


async def test_sitting_down_and_getting_up_again_alerts_the_host_once(tmp_path: Path) -> None:
    week = await begun(tmp_path, Paper(("me", None, None, None)))
    paper = week.paper

    async def comes(person: str, *, stays: bool = False) -> None:
        paper.sit(person)
        await week.told()
        if not stays:
            paper.do(commands.leave, person, True, b"")

    await comes("eve")
    first = [("06-01 12:00", "EVE has taken a seat at your table.")]
    assert week.sent == first
    for _ in range(20):
        paper.now += 1000
        await comes("eve")
    assert len(await week.storage.alerts.waiting_of(HOST)) == 1
    await week.until(at("2026-06-01 12:15"), minutes=1)
    assert week.sent == first, "whoever is gone again is no news"
    # Two who stay: the first is told at once, the second ten minutes later.
    await comes("bob", stays=True)
    paper.now += MINUTE
    await comes("cy", stays=True)
    for _ in range(3):
        await comes("eve")  # at the last seat, which hides nobody else
    second = [*first, ("06-01 12:15", "BOB has taken a seat at your table.")]
    assert week.sent == second
    await week.until(at("2026-06-01 13:00"), minutes=1)
    assert week.sent == [*second, ("06-01 12:30", "CY has taken a seat at your table.")]
    assert await week.storage.alerts.waiting_of(HOST) == []
    await week.storage.close()


async def test_somebody_who_is_gone_before_the_alert_is_written_is_not_told(tmp_path: Path) -> None:
    week = await begun(tmp_path, Paper(("me", None, None, None)))
    week.paper.sit("eve")
    seat = week.paper.state.seats_of("eve")[0]
    week.paper.do(commands.leave, "eve", True, b"")
    await week.alerts.tell(week.table, HOST, "seat_taken", 0, seat, week.paper.now)
    assert week.sent == []
    await week.storage.close()


def test_one_person_gets_so_many_messages_an_hour_and_the_rest_together() -> None:
    pace = Pace()
    now = at("2026-06-01 12:00")
    for n in range(MOST_AN_HOUR):
        assert pace.earliest("ann", f"t{n}", "your_turn", now) == now
        pace.sent("ann", [(f"t{n}", "your_turn")], now + n * 1000)
    for minute, due in ((4, "12:10"), (9, "12:10"), (11, "12:20"), (59, "13:00")):
        waits = pace.earliest("ann", "more", "your_turn", now + minute * MINUTE)
        assert waits == at(f"2026-06-01 {due}")
    assert pace.earliest("bob", "t1", "your_turn", now) == now
    assert pace.earliest("ann", "more", "your_turn", now + HOUR) == now + HOUR


def test_the_pace_of_few_is_kept_and_no_clock_stops_it() -> None:
    pace = Pace()
    now = at("2026-06-01 12:00")
    pace.sent("ann", [("t", "seat_taken")], now)
    assert pace.earliest("ann", "t", "seat_taken", now) > now
    assert pace.earliest("ann", "other", "seat_taken", now) == now
    assert pace.earliest("ann", "t", "seat_taken", now - HOUR) == now - HOUR  # it was set back
    for n in range(MOST_KEPT):
        pace.sent(f"p{n}", [("t", "seat_taken")], now)
    assert pace.earliest("ann", "t", "seat_taken", now) == now
    assert len(pace._seats) == len(pace._sent) == MOST_KEPT
