"""Webhooks: the URLs for turn alerts."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, select

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import webhook
from lastspike.server.storage.rows import WebhookRow


class Webhooks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: WebhookRow) -> None:
        await self._database.execute(webhook.insert().values(row._asdict()))

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
