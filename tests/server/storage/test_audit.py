"""The audit log: what it keeps, for how long, and what erasure leaves of it."""

from __future__ import annotations

import json

import pytest

from lastspike.server.storage import SessionRow, Storage
from lastspike.server.storage.queries import audit
from lastspike.server.storage.queries.audit import ERASED, OPERATOR, SYSTEM, AuditEvent

pytestmark = pytest.mark.anyio


async def newest(storage: Storage, **about: str) -> list[AuditEvent]:
    return await storage.audit.newest(100, **about)


async def test_events_are_told_from_the_newest_in_pages(storage: Storage) -> None:
    await storage.audit.add(200, "ann", "report_settled", table="t2", note="x" * 1000, count=3)
    await storage.audit.add(100, OPERATOR, "table_closed", table="t1", person="ann")
    await storage.audit.add(300, SYSTEM, "ban_ended")
    events = await newest(storage)
    assert [event[1:-1] for event in events] == [
        (300, SYSTEM, "ban_ended", None, None),
        (200, "ann", "report_settled", "t2", None),
        (100, OPERATOR, "table_closed", "t1", "ann"),
    ]
    assert events[1].detail == {"note": "x" * audit.MOST_DETAIL, "count": 3}
    first = await storage.audit.newest(1)
    assert first == events[:1]
    assert await storage.audit.newest(5, before=first[0].id) == events[1:]
    assert [event.at for event in await newest(storage, table="t1")] == [100]
    assert [event.at for event in await newest(storage, person="ann")] == [200, 100]
    assert await newest(storage, person="bob") == []


async def test_events_end_with_their_time_or_when_persons_cause_too_many(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "MOST_BY_PERSONS", 2)
    for at in (1, 50):
        await storage.audit.add(at, OPERATOR, "banned")
    for at in range(51, 55):
        await storage.audit.add(at, "ann", "report_settled")
    await storage.audit.delete_older(before=50)
    assert [event.at for event in await newest(storage)] == [54, 53, 50]
    await storage.audit.delete_older(before=50)
    assert [event.at for event in await newest(storage)] == [54, 53, 50]


async def test_erasure_leaves_what_happened_but_not_to_whom(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", SessionRow(b"secret", 0, 1000))
    await storage.audit.add(1, OPERATOR, "person_renamed", person="ann", name="Nasty Ann")
    await storage.audit.add(2, "ann", "report_settled", table="t", address="192.0.2.7")
    await storage.audit.add(3, OPERATOR, "person_renamed", person="bob", name="Bob")
    await storage.personal_data.begin_erasure("ann")
    assert "ann" not in json.dumps(await newest(storage)).lower()
    await storage.audit.add(4, OPERATOR, "person_erased", person="ann")
    await storage.personal_data.end_erasure("ann")
    assert [event[1:] for event in await newest(storage)] == [
        (4, OPERATOR, "person_erased", None, ERASED, {}),
        (3, OPERATOR, "person_renamed", None, "bob", {"name": "Bob"}),
        (2, ERASED, "report_settled", "t", None, {}),
        (1, OPERATOR, "person_renamed", None, ERASED, {}),
    ]
