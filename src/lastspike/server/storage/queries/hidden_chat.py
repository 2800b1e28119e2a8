"""Persons whose chat somebody has hidden at a table."""

from __future__ import annotations

from sqlalchemy import delete, select

from lastspike.server.storage.database import Database
from lastspike.server.storage.models import hidden_chat


class HiddenChat:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def hide(self, person_id: str, table_id: str, other_id: str, undo: bool) -> None:
        """Hide the other person's chat at this table; `undo` shows it again."""
        row = {"person_id": person_id, "table_id": table_id, "other_id": other_id}
        if undo:
            same = (hidden_chat.c[name] == value for name, value in row.items())
            await self._database.execute(delete(hidden_chat).where(*same))
        else:
            hide = self._database.insert(hidden_chat).values(**row)
            await self._database.execute(hide.on_conflict_do_nothing())

    async def of(self, person_id: str, table_id: str) -> set[str]:
        """The ids of the persons whose chat is hidden for this person at this table."""
        query = select(hidden_chat.c.other_id).where(
            hidden_chat.c.person_id == person_id, hidden_chat.c.table_id == table_id
        )
        return set(await self._database.column(query))
