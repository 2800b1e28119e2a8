"""Tables in memory: how they are loaded, and which of them may be dropped."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from lastspike.protocol import Settings
from lastspike.rules.editions.shipped import shipped
from lastspike.server.live.connection import Connection
from lastspike.server.live.registry import IDLE_S, TableRegistry
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_append
from lastspike.server.table import log_events as e
from lastspike.server.table.state import TableState
from tests.server.paper import Paper

pytestmark = pytest.mark.anyio


async def test_only_a_table_that_nobody_uses_is_unloaded() -> None:
    storage: Any = None
    viewer: Any = object()
    registry = TableRegistry(storage)
    for name in ("idle", "watched", "awaiting a computer", "used just now"):
        table = LiveTable(TableState(name), storage, lambda *_: None)
        table.used = time.monotonic() - IDLE_S - 1
        registry.live[name] = table
    idle = registry.live["idle"]
    registry.live["watched"].connections["viewer"] = viewer
    registry.live["awaiting a computer"].pending_turns = 1
    registry.live["used just now"].used = time.monotonic()
    assert registry.unload_idle() == 1
    assert idle.unloaded
    assert set(registry.live) == {"watched", "awaiting a computer", "used just now"}
    assert not any(table.unloaded for table in registry.live.values())


async def test_only_so_many_unused_tables_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many somebody asks for; those used last stay."""
    monkeypatch.setattr("lastspike.server.live.registry.MOST_IDLE", 10)
    monkeypatch.setattr("lastspike.server.live.registry.LOOK_EVERY", 5)
    storage = Storage(f"sqlite:///{tmp_path / 'spike.db'}")
    await storage.open()
    try:
        [first] = [to_append("", step) for step in Paper().log]
        names = [f"t{number:02}" for number in range(40)]
        for name in names:
            await storage.logs.create_table(first._replace(table_id=name), listed=False)
        registry = TableRegistry(storage)
        busy = await registry.table(names[0])
        busy.pending_turns = 1
        for name in names[1:]:
            await registry.table(name)
            assert len(registry.live) <= 1 + 10 + 5
        assert registry.live[names[0]] is busy
        assert set(names[-10:]) <= set(registry.live)
    finally:
        await storage.close()


async def test_a_long_log_is_loaded_in_pieces(tmp_path: Path) -> None:
    """Between which others are served: a log may hold thousands of steps and many megabytes."""
    storage = Storage(f"sqlite:///{tmp_path / 'spike.db'}")
    await storage.open()
    try:
        paper = Paper()
        figures = {**shipped().to_figures(), "comment": "x" * 20_000}
        for number in range(300):
            settings = Settings(figures={**figures, "id": f"edition-{number}"})
            changed = e.Step(paper.state.number + 1, 0, (e.SettingsChanged(settings),))
            paper.log.append(changed)
            paper.state.apply(changed)
        first, *others = [to_append(paper.state.id, step) for step in paper.log]
        await storage.logs.create_table(first, listed=False)
        await asyncio.gather(*map(storage.logs.append, others))
        registry = TableRegistry(storage)
        decoded = [0]
        rounds: list[int] = []
        from_stored = e.from_stored

        def counting(*row: Any) -> e.Step:
            decoded[0] += 1
            return from_stored(*row)

        async def others_are_served() -> None:
            while True:
                rounds.append(decoded[0])
                await asyncio.sleep(0)

        with patch.object(e, "from_stored", counting):
            serving = asyncio.create_task(others_are_served())
            table = await registry.table(paper.state.id)
            connection = Connection("c", None, "", "en", said := Said())
            await table.connect(connection, None, "version")
            await connection.drained()
            serving.cancel()
        assert decoded[0] == 2 * len(paper.log)
        pieces = [later - now for now, later in pairwise(rounds)]
        assert max(pieces) <= 4  # of 25 kB each
        assert table.state.settings == paper.state.settings
        assert len(said.messages) == 1
        assert len(said.messages[0]) < 60_000
    finally:
        await storage.close()


class Said:
    def __init__(self) -> None:
        self.messages: list[str] = []

    async def __call__(self, message: str) -> None:
        self.messages.append(message)
