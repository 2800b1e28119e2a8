"""What persons asked for: whose chat they don't want to see, and where alerts go."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, select

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import hidden_chat, webhook
from lastspike.server.storage.rows import WebhookRow


class Wishes:
    _database: Database

    async def hide_chat(self, person_id: str, table_id: str, other_id: str, undo: bool) -> None:
        """Hides at this table what the other says; `undo` shows it again."""
        async with self._database.single() as connection:
            if undo:
                await connection.execute(
                    delete(hidden_chat).where(
                        hidden_chat.c.person_id == person_id,
                        hidden_chat.c.table_id == table_id,
                        hidden_chat.c.other_id == other_id,
                    )
                )
            else:
                await connection.execute(
                    self._database.insert(hidden_chat)
                    .values(person_id=person_id, table_id=table_id, other_id=other_id)
                    .on_conflict_do_nothing()
                )

    async def hidden_chat(self, person_id: str, table_id: str) -> set[str]:
        """Those whose chat the person does not want to see at this table."""
        query = select(hidden_chat.c.other_id).where(
            hidden_chat.c.person_id == person_id, hidden_chat.c.table_id == table_id
        )
        async with self._database.single() as connection:
            return set(await connection.scalars(query))

    async def add_webhook(self, row: WebhookRow) -> None:
        async with self._database.single() as connection:
            await connection.execute(webhook.insert().values(row._asdict()))

    async def webhook(self, webhook_id: str) -> WebhookRow | None:
        rows = await self._webhooks(webhook.c.id == webhook_id)
        return rows[0] if rows else None

    async def webhooks_of_person(self, person_id: str) -> list[WebhookRow]:
        return await self._webhooks(webhook.c.person_id == person_id)

    async def webhooks_of_table(self, table_id: str) -> list[WebhookRow]:
        return await self._webhooks(webhook.c.table_id == table_id)

    async def delete_webhook(self, webhook_id: str) -> None:
        async with self._database.single() as connection:
            await connection.execute(delete(webhook).where(webhook.c.id == webhook_id))

    async def _webhooks(self, condition: ColumnElement[bool]) -> list[WebhookRow]:
        query = select(*(webhook.c[name] for name in WebhookRow._fields)).where(condition)
        async with self._database.single() as connection:
            return [
                WebhookRow._make(row)
                for row in await connection.execute(query.order_by(webhook.c.id))
            ]
