"""Where alerts go, which ones a person wants, those that wait, holidays, and the server's keys."""

from __future__ import annotations

import asyncio

import pytest

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage import SessionRow, Storage
from lastspike.server.storage.queries.alerts import MOST_TAKEN, TAKEN_OF_ONE
from lastspike.server.storage.rows import ChannelRow, HolidayRow, WaitingAlertRow, WebhookRow

from .examples import TABLE, new_table

pytestmark = pytest.mark.anyio

PUSH = ChannelRow("c1", "ann", "push", "https://push.example/1", "key", "auth", "en", 1, 1)
MAIL = ChannelRow("c2", "ann", "mail", "ann@example.org", "", "", "ja", 2, None)


async def test_a_browser_belongs_to_the_last_who_used_it_and_an_address_is_confirmed_once(
    storage: Storage,
) -> None:
    for person in ("ann", "bob"):
        await storage.persons.add(person, person, SessionRow(person.encode(), 0, 100))
    alerts = storage.alerts
    for row in (PUSH, MAIL, MAIL._replace(id="c3", person_id="bob")):
        await alerts.add_channel(row)
    await alerts.add_channel(PUSH._replace(id="c4", person_id="bob", created_at=9))
    assert await alerts.channels_of("ann") == [MAIL]
    assert [row.id for row in await alerts.channels_of("bob")] == ["c3", "c4"]
    await alerts.confirm("c2", 7)
    await alerts.confirm("c2", 8)
    assert await alerts.channel("c2") == MAIL._replace(confirmed_at=7)
    assert await alerts.choices("ann") is None
    for body in ("{}", '{"turns":false}'):
        await alerts.choose("ann", body)
    assert await alerts.choices("ann") == '{"turns":false}'
    await storage.personal_data.begin_erasure("ann")
    assert await alerts.channels_of("ann") == []
    assert await alerts.choices("ann") is None


async def test_each_alert_that_is_due_goes_to_one_worker(storage: Storage, other: Storage) -> None:
    await storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100))
    await new_table(storage)
    rows = [WaitingAlertRow(f"w{n}", "ann", TABLE, f"kind {n}", n, 0, 10 * n) for n in range(9)]
    await storage.alerts.wait(rows)
    taken = await asyncio.gather(storage.alerts.take_due(50), other.alerts.take_due(50))
    assert sorted(row.id for some in taken for row in some) == [f"w{n}" for n in range(6)]
    assert await storage.alerts.take_due(50) == []
    assert [row.id for row in await storage.alerts.waiting_of("ann")] == ["w6", "w7", "w8"]
    keys = [await one.alerts.key("push", new) for one, new in ((storage, b"a"), (other, b"b"))]
    assert keys == [b"a", b"a"]


async def test_one_alert_of_a_kind_waits_for_a_person_and_a_seat(storage: Storage) -> None:
    for person in ("ann", "bob"):
        await storage.persons.add(person, person, SessionRow(person.encode(), 0, 100))
    for table in (TABLE, "table-b"):
        await new_table(storage, table)
    first = WaitingAlertRow("w0", "ann", TABLE, "your_turn", 4, 0, 50)
    others = [
        first._replace(id="w1", person_id="bob"),
        first._replace(id="w2", table_id="table-b"),
        first._replace(id="w3", kind="reminder"),
        first._replace(id="w4", seat=1),
        first._replace(id="w5", turn=9),
    ]
    await storage.alerts.wait([first, *others[:-1]])
    await storage.alerts.wait([others[-1]])
    assert await storage.alerts.waiting_of("bob") == [others[0]]
    assert sorted(await storage.alerts.waiting_of("ann")) == others[1:]
    # One that is put back after a newer one came does not replace it.
    await storage.alerts.wait([first])
    assert others[-1] in await storage.alerts.waiting_of("ann")


async def test_one_persons_backlog_delays_nobody_elses_alerts(storage: Storage) -> None:
    people = ("mallory", "ann", "bob")
    for person in people:
        await storage.persons.add(person, person, SessionRow(person.encode(), 0, 100))
    await new_table(storage)
    backlog = [
        WaitingAlertRow(f"m{n:03}", "mallory", TABLE, f"kind {n}", 1, 0, n)
        for n in range(MOST_TAKEN + TAKEN_OF_ONE)
    ]
    mine = [WaitingAlertRow(p, p, TABLE, "your_turn", 1, 0, 9_000) for p in people[1:]]
    await storage.alerts.wait([*backlog, *mine])
    taken = await storage.alerts.take_due(10_000)
    assert len(taken) == MOST_TAKEN
    assert [row.person_id for row in taken[-2:]] == ["ann", "bob"]
    assert [row for row in taken if row.person_id == "mallory"] == backlog[: MOST_TAKEN - 2]
    assert await storage.alerts.take_due(10_000) == backlog[MOST_TAKEN - 2 :]


async def test_requests_at_once_add_no_more_than_is_allowed(
    storage: Storage, other: Storage
) -> None:
    await storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100))

    def at_most_two(known: list[HolidayRow]) -> None:
        if len(known) >= 2:
            raise LastSpikeError("too many")

    both = (storage, other) * 4
    hook = WebhookRow("", "ann", None, "https://example.org", "plain", "en")
    added: list[list[object]] = [
        await asyncio.gather(*each, return_exceptions=True)
        for each in (
            [
                one.holidays.add(HolidayRow(f"h{n}", "ann", n, n + 1), at_most_two)
                for n, one in enumerate(both)
            ],
            [one.webhooks.add(hook._replace(id=f"w{n}"), 2) for n, one in enumerate(both)],
            [
                one.alerts.add_channel(MAIL._replace(id=f"c{n}", address=f"{n}@example.org"), 2)
                for n, one in enumerate(both)
            ],
        )
    ]
    assert sum(isinstance(each, LastSpikeError) for each in added[0]) == 6
    assert len(await storage.holidays.of_person("ann")) == 2
    assert sorted(map(str, added[1])) == sorted(map(str, added[2])) == ["False"] * 6 + ["True"] * 2
    assert len(await storage.webhooks.of_person("ann")) == 2
    assert len(await storage.alerts.channels_of("ann")) == 2


async def test_a_holiday_ends_early_or_is_taken_back(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100))
    for number, (begins, ends) in enumerate([(10, 20), (30, 40), (50, 60)]):
        await storage.holidays.add(HolidayRow(f"h{number}", "ann", begins, ends))
    for number in range(3):
        await storage.holidays.end(f"h{number}", 35)
    found = [row[2:] for row in await storage.holidays.of_person("ann")]
    assert found == [(10, 20), (30, 35)]
