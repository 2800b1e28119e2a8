"""A table in memory: how many may watch, however they come."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lastspike.server.live.connection import Connection
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_append
from tests.server.paper import HOST, Paper

pytestmark = pytest.mark.anyio


async def test_nobody_races_past_the_limit_of_spectators(tmp_path: Path) -> None:
    storage = Storage(f"sqlite:///{tmp_path / 'spike.db'}")
    await storage.open()
    try:
        paper = Paper()
        [first] = [to_append(paper.state.id, step) for step in paper.log]
        await storage.logs.create_table(first, listed=False)
        table = await TableRegistry(storage).table(paper.state.id)

        def come(number: int, person: str | None = None) -> Connection:
            return Connection(f"{number}", person, "", "en", lambda _: asyncio.sleep(0))

        coming = [come(number) for number in range(20)]
        let_in = await asyncio.gather(*(table.connect(each, None, "", 3) for each in coming))
        assert sum(let_in) == len(table.connections) == 3
        assert await table.connect(come(20, HOST), None, "", 3)  # who has a seat always comes in
        table.disconnect(coming[let_in.index(True)])
        assert await table.connect(come(21), None, "", 3)
    finally:
        await storage.close()
