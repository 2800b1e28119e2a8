"""Group commit by itself: what goes together, and what happens when the database fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from lastspike.server.storage import Storage, StorageDown
from lastspike.server.storage.writing.committer import MOST_IN_ONE, Committer, Entry, Passing

from .examples import TABLE, new_table, step

pytestmark = pytest.mark.anyio


class FakeWriter:
    """Notes the batches. `may_write` holds them up; `failures` come first, one for each try."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.failures: list[Exception] = []
        self.poison: int | None = None
        self.down = False
        self.closed = False
        self.may_write = asyncio.Event()
        self.may_write.set()

    async def write(self, batch: Sequence[Entry]) -> set[bytes]:
        self.batches.append([entry.step.number for entry in batch])
        await self.may_write.wait()
        if self.failures:
            raise self.failures.pop(0)
        if self.down:
            raise Passing
        if any(entry.step.number == self.poison for entry in batch):
            raise ValueError("poison")
        return {entry.token for entry in batch}

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def writer() -> FakeWriter:
    return FakeWriter()


async def test_what_arrives_during_a_transaction_goes_together_in_the_next(
    writer: FakeWriter,
) -> None:
    told: list[int] = []
    committer = Committer(writer, lambda _seconds, steps: told.append(steps))
    committer.start()
    writer.may_write.clear()
    first = asyncio.create_task(committer.append(step(1)))
    await _until(lambda: writer.batches == [[1]])
    rest = [asyncio.create_task(committer.append(step(number))) for number in (4, 2, 3)]
    await asyncio.sleep(0)
    writer.may_write.set()
    assert all(await asyncio.gather(first, *rest))
    assert writer.batches == [[1], [2, 3, 4]]
    assert told == [1, 3]
    await committer.close()
    assert writer.closed


async def test_a_transaction_does_not_grow_without_end(writer: FakeWriter) -> None:
    committer = Committer(writer)
    committer.start()
    many = range(1, 2 * MOST_IN_ONE + 2)
    await asyncio.gather(*(committer.append(step(number)) for number in many))
    assert [len(batch) for batch in writer.batches] == [MOST_IN_ONE, MOST_IN_ONE, 1]
    await committer.close()


async def test_what_fails_for_now_is_tried_again(writer: FakeWriter) -> None:
    committer = Committer(writer)
    committer.start()
    writer.failures = [Passing(), Passing()]
    assert await committer.append(step(1))
    assert writer.batches == [[1], [1], [1]]
    await committer.close()


async def test_only_the_step_that_the_database_cannot_take_fails(writer: FakeWriter) -> None:
    committer = Committer(writer)
    committer.start()
    writer.poison = 2
    answers = await asyncio.gather(
        *(committer.append(step(number)) for number in (1, 2, 3)), return_exceptions=True
    )
    assert [str(answer) for answer in answers] == ["True", "poison", "True"]
    with pytest.raises(ValueError, match="poison"):
        await committer.append(step(2))
    assert await committer.append(step(4))
    await committer.close()


async def test_it_gives_up_after_a_while_and_recovers(writer: FakeWriter) -> None:
    committer = Committer(writer, patience=0.05)
    committer.start()
    writer.down = True
    answers = await asyncio.gather(
        *(committer.append(step(number)) for number in (1, 2)), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [StorageDown, StorageDown]
    writer.down = False
    assert await committer.append(step(3))
    await committer.close()


async def test_a_caller_who_goes_away_does_not_hurt_the_others(writer: FakeWriter) -> None:
    committer = Committer(writer)
    committer.start()
    writer.may_write.clear()
    gone = asyncio.create_task(committer.append(step(1)))
    stays = asyncio.create_task(committer.append(step(2)))
    await _until(lambda: bool(writer.batches))
    gone.cancel()
    await asyncio.sleep(0)
    writer.may_write.set()
    assert await stays
    assert gone.cancelled()
    assert await committer.append(step(3))
    await committer.close()


async def test_a_real_database_gets_few_transactions(database_url: str) -> None:
    transactions: list[int] = []
    storage = Storage(database_url, on_commit=lambda _seconds, steps: transactions.append(steps))
    await storage.open()
    await new_table(storage)
    assert all(await asyncio.gather(*(storage.logs.append(step(n)) for n in range(2, 202))))
    assert transactions == [1, 200]
    await storage.close()


async def test_of_the_same_number_twice_in_one_transaction_one_wins(storage: Storage) -> None:
    await new_table(storage)
    for number in range(2, 12):
        first, second = await asyncio.gather(
            storage.logs.append(step(number)._replace(body=b"first")),
            storage.logs.append(step(number)._replace(body=b"second")),
        )
        assert first != second
        [row] = await storage.logs.steps(TABLE, after=number - 1)
        assert row.body == (b"first" if first else b"second")


async def test_a_step_that_an_earlier_try_has_stored_counts_as_stored(storage: Storage) -> None:
    await new_table(storage)
    writer = storage._committer._writer
    entry = Entry(step(2, turn=1, request="ann:1"), None)
    assert await writer.write([entry]) == {entry.token}
    entry.tried = True
    later = Entry(step(3), None)
    assert await writer.write([entry, later]) == {entry.token, later.token}
    another = Entry(step(2), None)
    another.tried = True
    assert await writer.write([another]) == set()
    assert await storage.logs.numbers([TABLE]) == {TABLE: 3}


async def _until(condition: object) -> None:
    assert callable(condition)
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came true")
