"""Quiet hours, digests and reminders: as pure functions, and over a simulated week of a real game
with the server's own database."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastspike.protocol import AlertChoices, DaysClock, Settings
from lastspike.rules.errors import LastSpikeError
from lastspike.server.alerts.messages import alert_mail, item_of, push_content
from lastspike.server.alerts.personal import PersonalAlerts
from lastspike.server.alerts.timing import (
    check_choices,
    next_digest,
    quiet_end,
    remind_at,
    send_at,
)
from lastspike.server.alerts.when import happenings
from lastspike.server.config.settings import Config
from lastspike.server.storage import SessionRow, Storage
from lastspike.server.storage.rows import ChannelRow, to_append
from lastspike.server.table.clocks.commands import announce_holidays
from tests.server.paper import HOST, Paper
from tests.server.table.test_commands import started

pytestmark = pytest.mark.anyio

HOUR = 3_600_000
DAY = 24 * HOUR
LISBON = AlertChoices(quiet=True, zone="Europe/Lisbon")
"""Quiet from 22:00 to 7:00."""


def at(text: str, zone: str = "Europe/Lisbon") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def shown(ms: int | None, zone: str = "Europe/Lisbon") -> str | None:
    if ms is None:
        return None
    return datetime.fromtimestamp(ms / 1000, ZoneInfo(zone)).strftime("%m-%d %H:%M")


@pytest.mark.parametrize(
    ("now", "sent"),
    [
        ("2026-06-01 21:59", "06-01 21:59"),
        ("2026-06-01 22:00", "06-02 07:00"),
        ("2026-06-02 06:59", "06-02 07:00"),
        ("2026-06-02 07:00", "06-02 07:00"),
        ("2026-03-28 23:00", "03-29 07:00"),  # an hour is skipped in this night
        ("2026-10-24 23:00", "10-25 07:00"),  # and an hour comes twice in this one
    ],
)
def test_quiet_hours_are_those_of_the_persons_clock(now: str, sent: str) -> None:
    assert shown(quiet_end(LISBON, at(now))) == sent


def test_a_digest_takes_the_place_of_all_but_what_is_urgent() -> None:
    daily = AlertChoices(digest=True, digest_at=18 * 60, zone="Asia/Tokyo", over=False)
    now = at("2026-06-01 18:00", "Asia/Tokyo")
    assert shown(send_at(daily, "your_turn", now), "Asia/Tokyo") == "06-02 18:00"
    assert shown(send_at(daily, "seat_taken", now - 1), "Asia/Tokyo") == "06-01 18:00"
    assert send_at(daily, "nudge", now) == now
    assert send_at(daily, "reminder", now) == now
    assert send_at(daily, "game_over", now) is None
    none = AlertChoices(turns=False, over=False, seats=False, remind=False)
    for kind in ("your_turn", "game_over", "seat_taken", "reminder"):
        assert send_at(none, kind, now) is None


def test_a_reminder_comes_in_time_and_not_at_night() -> None:
    def reminder(began: str, deadline: str, now: str = "2026-06-01 00:00") -> str | None:
        return shown(remind_at(LISBON, at(began), at(deadline), at(now)))

    assert reminder("2026-06-01 12:00", "2026-06-03 12:00") == "06-03 07:00"  # not at midnight
    assert reminder("2026-06-01 20:00", "2026-06-08 20:00") == "06-08 08:00"
    assert reminder("2026-06-01 05:00", "2026-06-02 05:00") == "06-01 21:59"  # quiet to the end
    assert reminder("2026-06-01 20:00", "2026-06-01 23:00") is None  # a live game
    assert reminder("2026-06-01 20:00", "2026-06-08 20:00", "2026-06-08 09:00") is None
    assert remind_at(AlertChoices(remind=False), 0, 9 * DAY, 0) is None


choices = st.builds(
    AlertChoices,
    digest=st.booleans(),
    digest_at=st.integers(0, 1439),
    quiet=st.booleans(),
    quiet_from=st.integers(0, 1439),
    quiet_to=st.integers(0, 1439),
    zone=st.sampled_from(["UTC", "Europe/Paris", "America/Sao_Paulo", "Asia/Tokyo", "Nowhere/X"]),
)
moments = st.integers(1_700_000_000_000, 1_900_000_000_000)


@given(choices, moments, st.integers(0, 9 * DAY))
def test_nothing_is_sent_in_quiet_hours_nor_much_later(
    some: AlertChoices, now: int, time: int
) -> None:
    end = quiet_end(some, now)
    assert now <= end <= now + 25 * HOUR
    assert quiet_end(some, end) == end
    assert now < next_digest(some, now) <= now + 25 * HOUR
    remind = remind_at(some, now, now + time, now)
    assert remind is None or now < remind < now + time


def test_a_time_zone_must_be_one() -> None:
    check_choices(AlertChoices(zone="America/St_Johns"))
    for zone in ("Nowhere/X", "../../etc/passwd", "/etc/localtime", "a\0b"):
        with pytest.raises(LastSpikeError):
            check_choices(AlertChoices(zone=zone))


def test_alerts_say_the_same_whatever_is_hidden() -> None:
    """The same table with other hands, pools and seeds."""
    said: dict[tuple[int | None, str], set[bytes]] = {}
    hidden = set()
    for number in range(6):
        paper = Paper(("me", None, "clerk"), Settings(clock=DaysClock(2)), f"seed {number}")
        paper.sit("p1")
        paper.start()
        state = paper.state
        hidden.add(str([state.playing.view(seat) for seat in range(3)]))
        for kind in ("your_turn", "game_over", "reminder", "nudge", "seat_taken"):
            item = item_of(kind, state, HOST, 1, paper.now)
            mail = alert_mail([item], "https://x.org", "en", "https://x.org/unsubscribe/t")
            told = push_content([item], "https://x.org", "en") + mail.get_content().encode()
            said.setdefault((state.to_move(), kind), set()).add(told)
    assert len(hidden) == 6
    assert all(len(each) == 1 for each in said.values())


class Week:
    """A game of days on a server with its own database, and the e-mail that the host gets, with
    the time at which each is sent."""

    def __init__(self, storage: Storage, paper: Paper) -> None:
        self.paper = paper
        self.storage = storage
        self.sent: list[tuple[str | None, str]] = []
        self.table: Any = SimpleNamespace(state=paper.state)
        registry: Any = SimpleNamespace(newest=self._newest)
        presence: Any = SimpleNamespace(away_since=self._away)
        mail: Any = SimpleNamespace(available=True, send=self._mail)
        nowhere: Any = SimpleNamespace()
        self.alerts = PersonalAlerts(Config(), storage, registry, presence, nowhere, mail)

    async def until(self, end: int, minutes: int = 10) -> None:
        """The server looks for what is due, again and again."""
        while self.paper.now < end:
            self.paper.now += minutes * 60_000
            await self.alerts.send_due(self.paper.now)

    async def turn(self) -> None:
        self.paper.play(1)
        await self.told()

    async def told(self) -> None:
        for each in happenings(self.paper.state, self.paper.log[-1:]):
            await self.alerts.tell(
                self.table, each.person, each.kind, each.turn, each.seat, self.paper.now
            )

    async def _newest(self, _table_id: str) -> Any:
        return self.table

    async def _away(self, _table: Any, _person: str) -> int:
        return 0

    def _mail(self, to: str, mail: EmailMessage) -> None:
        assert to == "host@example.org"
        self.sent.append((shown(self.paper.now), str(mail["Subject"])))


async def begun(folder: Path, paper: Paper) -> Week:
    """At noon on Monday, 1 June, the host of this table gets alerts by e-mail."""
    paper.now = at("2026-06-01 12:00")
    storage = Storage(f"sqlite+aiosqlite:///{folder / 'week.db'}")
    await storage.open()
    week = Week(storage, paper)
    await week.alerts.start()
    await storage.persons.add(HOST, "Host", SessionRow(b"1", 0, 100))
    await storage.logs.create_table(to_append(paper.state.id, paper.log[0]), listed=False)
    channel = ChannelRow("c", HOST, "mail", "host@example.org", "", "", "en", 1, 1)
    await storage.alerts.add_channel(channel)
    return week


async def _week(folder: Path, choices: AlertChoices) -> Week:
    """It becomes the host’s turn."""
    paper = started(clock=DaysClock(2))
    week = await begun(folder, paper)
    await week.storage.alerts.choose(HOST, msgspec.json.encode(choices).decode())
    while paper.state.seats[paper.state.to_move() or 0].person == HOST:
        paper.play(1)
    await week.turn()
    return week


async def test_a_week_with_quiet_hours_reminders_and_a_holiday(tmp_path: Path) -> None:
    week = await _week(tmp_path, LISBON)
    paper = week.paper
    mine = "It’s your turn against P1. Time left: {}."
    # Monday noon: told at once. A reminder in the last quarter, not at night.
    await week.until(at("2026-06-03 08:00"))
    assert week.sent == [
        ("06-01 12:00", mine.format("2 days")),
        ("06-03 07:00", "Your time against P1 is running out: 5 hours left."),
    ]
    # Both play on Wednesday; the host's turn comes at night, and is told in the morning.
    await week.turn()
    await week.until(at("2026-06-03 23:30"))
    await week.turn()
    await week.until(at("2026-06-04 09:00"))
    assert week.sent[2:] == [("06-04 07:00", mine.format("1 day 17 hours"))]
    # The host is on holiday until Sunday: the reminder waits as long.
    paper.do(announce_holidays, HOST, [(paper.now, at("2026-06-07 09:00"))])
    await week.until(at("2026-06-08 12:00"))
    assert week.sent[3:] == [("06-08 11:30", "Your time against P1 is running out: 12 hours left.")]
    await week.storage.close()


async def test_a_week_of_digests_tells_each_day_what_is_still_so(tmp_path: Path) -> None:
    daily = AlertChoices(digest=True, digest_at=8 * 60, remind=False, zone="Europe/Lisbon")
    week = await _week(tmp_path, daily)
    for day in range(2, 8):
        await week.until(at(f"2026-06-0{day} 09:00"))
        await week.turn()  # the host's
        if day % 2:  # the other answers at once, else the next afternoon
            await week.turn()
        else:
            await week.until(at(f"2026-06-0{day} 15:00"))
            await week.turn()
            await week.turn()  # and the host plays before the digest
            await week.turn()
    assert [day for day, _ in week.sent] == [f"06-0{day} 08:00" for day in range(2, 8)]
    assert {subject[:27] for _, subject in week.sent} == {"It’s your turn against P1. "}
    await week.turn()  # the host has played: the digest has nothing to say
    assert await week.storage.alerts.waiting_of(HOST)
    await week.until(at("2026-06-08 09:00"))
    assert len(week.sent) == 6
    assert await week.storage.alerts.waiting_of(HOST) == []
    await week.storage.close()
