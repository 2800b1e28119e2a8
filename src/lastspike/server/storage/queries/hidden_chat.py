"""Whose chat a person does not want to see at a table."""

from __future__ import annotations

from sqlalchemy import delete, select

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import hidden_chat


class HiddenChat:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def hide(self, person_id: str, table_id: str, other_id: str, undo: bool) -> None:
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

    async def of(self, person_id: str, table_id: str) -> set[str]:
        """Those whose chat the person does not want to see at this table."""
        query = select(hidden_chat.c.other_id).where(
            hidden_chat.c.person_id == person_id, hidden_chat.c.table_id == table_id
        )
        async with self._database.single() as connection:
            return set(await connection.scalars(query))
