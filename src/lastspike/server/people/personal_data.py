"""The export of everything the server has about a person."""

from __future__ import annotations

from typing import Any

import msgspec

from lastspike import protocol as p
from lastspike.server.storage import PersonRow, Storage
from lastspike.server.storage.rows import to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import finished_record
from lastspike.server.table.state import TableState

from .history import replayed


async def personal_data_of(storage: Storage, person: PersonRow) -> p.MyData:
    profile = await storage.personal_data.profile_of(person.id)
    choices = await storage.alerts.choices(person.id)
    hooks = await storage.webhooks.of_person(person.id)
    rows = await storage.logs.tables_of(person.id, None)
    tables = [mine async for mine in replayed(storage, rows, lambda state: _mine(state, person.id))]
    events = await storage.audit.newest(None, person=person.id)
    said = [
        (found.table_id, found.row.at, event)
        for found in await storage.personal_data.steps_about(person.id)
        for event in to_step(found.row).events
    ]
    return p.MyData(
        made=now_ms(),
        person=p.MyPerson(person.id, person.name, profile.created_at, profile.publishes_since),
        devices=[
            p.MyDevice(row.created_at, row.expires_at, row.seen_at, row.browser, row.system)
            for row in await storage.persons.sessions_of(person.id, now_ms())
        ],
        webhooks=[
            p.MyWebhook(hook.id, hook.url, hook.form, hook.table_id, hook.language)
            for hook in hooks
        ],
        alert_choices=None
        if choices is None
        else msgspec.json.decode(choices, type=p.AlertChoices),
        channels=[
            p.MyChannel(row.kind, row.address, row.language, row.created_at, row.confirmed_at)
            for row in await storage.alerts.channels_of(person.id)
        ],
        waiting_alerts=[
            p.MyWaitingAlert(row.table_id, row.kind, row.turn, row.due_at)
            for row in await storage.alerts.waiting_of(person.id)
        ],
        holidays=[
            p.Holiday(row.id, row.begins_at, row.ends_at)
            for row in await storage.holidays.of_person(person.id)
        ],
        hidden=[p.Hiding(*hiding) for hiding in profile.hidden],
        tables=[table for table, _ in tables],
        names=[
            p.MyName(table, at, taken.seat, taken.name)
            for table, at, taken in said
            if isinstance(taken, e.SeatTaken) and taken.person == person.id
        ],
        chat=[
            p.MyLine(table, at, line.channel, line.name, line.text)
            for table, at, line in said
            if isinstance(line, e.Said) and line.person == person.id
        ],
        events=[
            p.MyEvent(event.at, event.what, event.who == person.id, event.table_id, event.detail)
            for event in events
        ],
        reports=[
            p.MyReport(row.table_id, row.at, row.reason, row.about_id, row.step, row.settled_at)
            for row in await storage.moderation.reports_by(person.id)
        ],
        records=[record for _, record in tables if record is not None],
    )


def _mine(state: TableState, person: str) -> tuple[p.MyTable, dict[str, Any] | None]:
    seats = state.seats_of(person)
    mine = p.MyTable(state.id, state.status, state.created, state.host == person, seats)
    return mine, finished_record(state) if state.status == "over" and seats else None
