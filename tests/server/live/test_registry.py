"""Tables in memory: which of them may be dropped."""

from __future__ import annotations

import time
from typing import Any

import pytest

from lastspike.server.live.registry import IDLE_S, TableRegistry
from lastspike.server.live.table import LiveTable
from lastspike.server.table.state import TableState

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
