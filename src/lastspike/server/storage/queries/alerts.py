"""Alerts: where they go, which ones a person wants, those that wait, and holidays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, literal, select, update

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import (
    alert_channel,
    alert_choice,
    holiday,
    server_key,
    waiting_alert,
    webhook,
)
from lastspike.server.storage.rows import ChannelRow, HolidayRow, WaitingAlertRow, WebhookRow

MOST_TAKEN = 200
TAKEN_OF_ONE = 20
"""Waiting alerts taken at once: of all, and of one person while others’ wait. So many go in one
message."""


class Webhooks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: WebhookRow, most: int | None = None) -> bool:
        """False if the person has as many as `most`."""
        async with self._database.writing_for(row.person_id) as writing:
            mine = select(func.count()).where(webhook.c.person_id == row.person_id)
            if most is not None and (await writing.execute(mine)).scalar_one() >= most:
                return False
            await writing.execute(webhook.insert().values(row._asdict()))
        return True

    async def get(self, webhook_id: str) -> WebhookRow | None:
        rows = await self._rows(webhook.c.id == webhook_id)
        return rows[0] if rows else None

    async def of_person(self, person_id: str) -> list[WebhookRow]:
        return await self._rows(webhook.c.person_id == person_id)

    async def of_table(self, table_id: str) -> list[WebhookRow]:
        return await self._rows(webhook.c.table_id == table_id)

    async def delete(self, webhook_id: str) -> None:
        await self._database.execute(delete(webhook).where(webhook.c.id == webhook_id))

    async def _rows(self, condition: ColumnElement[bool]) -> list[WebhookRow]:
        query = select(*(webhook.c[name] for name in WebhookRow._fields)).where(condition)
        rows = await self._database.rows(query.order_by(webhook.c.id))
        return [WebhookRow._make(row) for row in rows]


class Alerts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def choices(self, person_id: str) -> str | None:
        """Which alerts the person wants, as JSON; None if they never said."""
        query = select(alert_choice.c.body).where(alert_choice.c.person_id == person_id)
        found = await self._database.column(query)
        return found[0] if found else None

    async def choose(self, person_id: str, body: str) -> None:
        insert = self._database.insert(alert_choice).values(person_id=person_id, body=body)
        await self._database.execute(
            insert.on_conflict_do_update(index_elements=["person_id"], set_={"body": body})
        )

    async def add_channel(self, row: ChannelRow, most: int | None = None) -> bool:
        """A browser has one subscription: it takes the place of what was at the same address,
        which may be another person's who used this browser before. False if the person has as many
        as `most` at other addresses."""
        async with self._database.writing_for(row.person_id) as writing:
            same = alert_channel.c.address == row.address
            others = select(func.count()).where(alert_channel.c.person_id == row.person_id, ~same)
            if most is not None and (await writing.execute(others)).scalar_one() >= most:
                return False
            if row.kind == "mail":
                same &= alert_channel.c.person_id == row.person_id
            await writing.execute(delete(alert_channel).where(same))
            await writing.execute(alert_channel.insert().values(row._asdict()))
        return True

    async def channel(self, channel_id: str) -> ChannelRow | None:
        found = await self._channels(alert_channel.c.id == channel_id)
        return found[0] if found else None

    async def channels_of(self, person_id: str) -> list[ChannelRow]:
        return await self._channels(alert_channel.c.person_id == person_id)

    async def confirm(self, channel_id: str, at: int) -> None:
        of = update(alert_channel).where(
            alert_channel.c.id == channel_id, alert_channel.c.confirmed_at.is_(None)
        )
        await self._database.execute(of.values(confirmed_at=at))

    async def delete_channel(self, channel_id: str) -> None:
        await self._database.execute(delete(alert_channel).where(alert_channel.c.id == channel_id))

    async def wait(self, rows: Sequence[WaitingAlertRow]) -> None:
        """Keep alerts until they are due. Each takes the place of an earlier one of its kind about
        the same seat: only the latest would be told."""
        if rows:
            async with self._database.writing() as writing:
                for row in rows:
                    earlier = (
                        waiting_alert.c.person_id == row.person_id,
                        waiting_alert.c.table_id == row.table_id,
                        waiting_alert.c.kind == row.kind,
                        waiting_alert.c.seat == row.seat,
                        waiting_alert.c.turn <= row.turn,
                    )
                    await writing.execute(delete(waiting_alert).where(*earlier))
                await writing.execute(waiting_alert.insert(), [row._asdict() for row in rows])

    async def waiting_of(self, person_id: str) -> list[WaitingAlertRow]:
        columns = (waiting_alert.c[name] for name in WaitingAlertRow._fields)
        query = select(*columns).where(waiting_alert.c.person_id == person_id)
        rows = await self._database.rows(query.order_by(waiting_alert.c.due_at))
        return [WaitingAlertRow._make(row) for row in rows]

    async def take_due(self, now: int) -> list[WaitingAlertRow]:
        """Take alerts that are due. If several workers ask, each alert goes to one of them. The
        first of each person come before the further ones of anybody, however long those wait."""
        own = func.row_number().over(
            partition_by=waiting_alert.c.person_id,
            order_by=(waiting_alert.c.due_at, waiting_alert.c.id),
        )
        due = (
            select(waiting_alert.c.id, waiting_alert.c.person_id, waiting_alert.c.due_at)
            .add_columns(((own - 1) // literal(TAKEN_OF_ONE)).label("share"))
            .where(waiting_alert.c.due_at <= now)
            .subquery()
        )
        order = (due.c.share, due.c.due_at, due.c.person_id)
        ids = await self._database.column(select(due.c.id).order_by(*order).limit(MOST_TAKEN))
        if not ids:
            return []
        columns = (waiting_alert.c[name] for name in WaitingAlertRow._fields)
        taken = delete(waiting_alert).where(waiting_alert.c.id.in_(ids)).returning(*columns)
        return sorted(
            (WaitingAlertRow._make(row) for row in await self._database.rows(taken)),
            key=lambda row: (row.due_at, row.id),
        )

    async def key(self, name: str, new: bytes) -> bytes:
        """The server's key of this name; the `new` one if there is none yet."""
        insert = self._database.insert(server_key).values(name=name, value=new)
        await self._database.execute(insert.on_conflict_do_nothing())
        query = select(server_key.c.value).where(server_key.c.name == literal(name))
        value: bytes = (await self._database.column(query))[0]
        return value

    async def _channels(self, condition: ColumnElement[bool]) -> list[ChannelRow]:
        query = select(*(alert_channel.c[name] for name in ChannelRow._fields)).where(condition)
        query = query.order_by(alert_channel.c.created_at, alert_channel.c.id)
        return [ChannelRow._make(row) for row in await self._database.rows(query)]


class Holidays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, row: HolidayRow, check: Callable[[list[HolidayRow]], None] = lambda _known: None
    ) -> None:
        """`check` may refuse it by raising an error, given the person's other ones."""
        async with self._database.writing_for(row.person_id) as writing:
            known = await writing.execute(_holidays_of(row.person_id))
            check([HolidayRow._make(each) for each in known])
            await writing.execute(holiday.insert().values(row._asdict()))

    async def of_person(self, person_id: str) -> list[HolidayRow]:
        """All of them, past ones too, by their begin."""
        rows = await self._database.rows(_holidays_of(person_id))
        return [HolidayRow._make(row) for row in rows]

    async def end(self, holiday_id: str, at: int) -> None:
        """End a holiday now; one that has not begun is deleted."""
        this = holiday.c.id == holiday_id
        async with self._database.writing() as writing:
            await writing.execute(delete(holiday).where(this, holiday.c.begins_at >= at))
            shorten = update(holiday).where(this, holiday.c.ends_at > at)
            await writing.execute(shorten.values(ends_at=at))


def _holidays_of(person_id: str) -> Select[Any]:
    query = select(*(holiday.c[name] for name in HolidayRow._fields))
    query = query.where(holiday.c.person_id == person_id)
    return query.order_by(holiday.c.begins_at, holiday.c.id)
