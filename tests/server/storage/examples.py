"""Steps to store."""

from __future__ import annotations

from typing import Any

from lastspike.server.storage import Append, Storage

TABLE = "table-aaaaaaaaaaaaaaaa"


def step(number: int, table: str = TABLE, **rest: Any) -> Append:
    return Append(table, number, rest.pop("at", 1000 + number), f"[{number}]".encode(), **rest)


async def new_table(
    storage: Storage, table: str = TABLE, *, listed: bool = False, **first: Any
) -> None:
    await storage.logs.create_table(step(1, table, **first), listed)
