"""Two workers on the same database: one wins, and neither waits for the other for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from lastspike.server.storage import Append, Index, Storage

from .examples import new_table, step

pytestmark = pytest.mark.anyio

TABLES = [f"t{number:02}" for number in range(40)]


@pytest.mark.parametrize("contested", ["number", "turn", "request"])
async def test_of_two_workers_one_wins(storage: Storage, other: Storage, contested: str) -> None:
    """They go through the same steps from opposite ends."""
    for table in TABLES:
        await new_table(storage, table)

    def claims(by: int) -> list[Append]:
        match contested:
            case "number":
                return [step(n, table) for table in TABLES for n in range(2, 8)]
            case "turn":
                return [step(2 * n + by, table, turn=n) for table in TABLES for n in range(2, 8)]
            case _:
                return [
                    step(2 * n + by, table, request=f"ann:{n}")
                    for table in TABLES
                    for n in range(2, 8)
                ]

    here, there = await asyncio.wait_for(
        asyncio.gather(_all(storage, claims(0)), _all(other, claims(1)[::-1])), 30
    )
    assert [ours != theirs for ours, theirs in zip(here, there[::-1], strict=True)] == [True] * 240
    newest = [await storage.steps(table) for table in TABLES]
    assert sum(map(len, newest)) == 40 + 240


async def test_changes_of_the_index_from_opposite_ends(storage: Storage, other: Storage) -> None:
    for table in TABLES:
        await new_table(storage, table)

    def steps(by: int) -> list[Append]:
        index = Index(status="playing", joined=("ann", f"bob{by}"))
        return [step(2 * n + by, table, index=index) for table in TABLES for n in range(2, 6)]

    here, there = await asyncio.wait_for(
        asyncio.gather(_all(storage, steps(0)), _all(other, steps(1)[::-1])), 30
    )
    assert all(here)
    assert all(there)
    for who in ("ann", "bob0", "bob1"):
        assert len(await storage.tables_of(who, 100)) == 40


async def _all(storage: Storage, steps: Sequence[Append]) -> list[bool]:
    """Appends them a few at a time, in this order, so that there are many transactions."""
    answers: list[bool] = []
    for start in range(0, len(steps), 24):
        answers += await asyncio.gather(*map(storage.append, steps[start : start + 24]))
    return answers
