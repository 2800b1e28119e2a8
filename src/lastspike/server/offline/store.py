"""The tables that a browser stores, as live tables need them.

The browser's side is a `Shelf`: IndexedDB behind a few asynchronous functions that take and return
JSON. `web/js/local/shelf.js` is the real one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from typing import Protocol

import msgspec
from msgspec import Struct

from lastspike.rules.errors import LastSpikeError
from lastspike.server.storage.errors import StorageDown
from lastspike.server.storage.rows import Append, PersonRow, Row, to_step
from lastspike.server.table import log_events as e

PERSON = "person"
REVIEW = "review/"
AT_ONCE = 64
"""Steps read from the log before the event loop serves others."""


class Shelf(Protocol):
    """What a browser stores. Each method returns when the change is durable, or raises."""

    async def tables(self) -> str:
        """All entries, as a JSON list."""

    async def steps(self, table: str) -> str:
        """All steps of a table in order, as a JSON list."""

    async def append(self, table: str, number: int, step: str, entry: str) -> bool:
        """Add a step, and replace the table's entry in the same transaction. False, and nothing
        changes, if the table has a step of this number."""

    async def value(self, key: str) -> str:
        """Empty if there is none."""

    async def put(self, key: str, value: str) -> None: ...

    async def clear(self) -> None:
        """Forget everything."""


class Entry(Struct):
    """A table in the index."""

    id: str
    status: str
    changed: int
    awaits_server: bool = False


NOTHING = msgspec.Raw(b"null")


class StoredStep(Struct, frozen=True, omit_defaults=True):
    at: int
    events: msgspec.Raw
    secrets: msgspec.Raw = NOTHING
    turn: int | None = None
    request: str | None = None


_encode = msgspec.json.Encoder().encode
_steps = msgspec.json.Decoder(list[StoredStep])


@contextmanager
def _saving() -> Iterator[None]:
    """`StorageDown` if the browser doesn't store it, such as when its quota is used up."""
    try:
        yield
    except Exception as error:
        raise StorageDown(
            "this browser can’t save anything right now; free up some space and try again"
        ) from error


class LocalLogs:
    """The logs of all tables of this browser; see `live/store.py`."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self.entries: dict[str, Entry] = {}

    async def load(self) -> None:
        found = msgspec.json.decode(await self._shelf.tables(), type=list[Entry])
        self.entries = {entry.id: entry for entry in found}

    async def create_table(self, first: Append) -> None:
        """Store a table with its first step."""
        if not await self.append(first):
            raise LastSpikeError("table {table} already exists", table=first.table_id)

    async def append(self, step: Append) -> bool:
        entry = _after(self.entries.get(step.table_id), step)
        secrets = NOTHING if step.secret is None else msgspec.Raw(step.secret)
        stored = StoredStep(step.at, msgspec.Raw(step.body), secrets, step.turn, step.request)
        texts = _encode(stored).decode(), _encode(entry).decode()
        with _saving():
            new = await self._shelf.append(step.table_id, step.number, *texts)
        if new:
            self.entries[step.table_id] = entry
        return bool(new)

    async def read(self, table_id: str, after: int = 0) -> AsyncIterator[list[e.Step]]:
        rows = await self._rows(table_id)
        for start in range(after, len(rows), AT_ONCE):
            yield [to_step(row) for row in rows[start : start + AT_ONCE]]

    async def step_of_request(self, table_id: str, request: str) -> int | None:
        for row in await self._rows(table_id):
            if row.request == request:
                return row.number
        return None

    async def numbers(self, table_ids: Collection[str]) -> dict[str, int]:
        return {each: len(await self._rows(each)) for each in table_ids if each in self.entries}

    async def tables_awaiting_server(self) -> list[str]:
        entries = self.entries.values()
        return [each.id for each in entries if each.status == "playing" and each.awaits_server]

    def newest(self) -> list[Entry]:
        """All tables, the last changed first."""
        return sorted(self.entries.values(), key=lambda entry: -entry.changed)

    async def _rows(self, table_id: str) -> list[Row]:
        stored = _steps.decode(await self._shelf.steps(table_id))
        return [
            Row(
                number,
                step.at,
                bytes(step.events),
                None if step.secrets == NOTHING else bytes(step.secrets),
                step.turn,
                step.request,
            )
            for number, step in enumerate(stored, 1)
        ]


def _after(entry: Entry | None, step: Append) -> Entry:
    """The table's entry after this step."""
    index = step.index
    status = "waiting" if entry is None else entry.status
    awaits = entry is not None and entry.awaits_server
    if index is not None:
        status = index.status or status
        awaits = awaits if index.awaits_server is None else index.awaits_server
    return Entry(step.table_id, status, step.at, awaits)


class OnlyWorker:
    """The only worker there is, without heartbeats."""

    async def set_right(self, now: int) -> None: ...

    async def beat(self, now: int) -> None: ...

    async def last_beat(self) -> int | None:
        return None

    async def workers(self, since: int) -> list[str]:  # noqa: ARG002
        return []

    async def forget_workers(self, before: int) -> None: ...

    async def at_table(
        self,
        table_id: str,  # noqa: ARG002
        alive_since: int,  # noqa: ARG002
    ) -> tuple[dict[str, int | None], int]:
        return {}, 0


class LocalStore:
    """Everything that this browser stores: its tables, and the person who plays."""

    shared = False

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self.logs = LocalLogs(shelf)
        self.presence = OnlyWorker()
        self.person: PersonRow | None = None

    async def load(self) -> None:
        await self.logs.load()
        known = await self._shelf.value(PERSON)
        self.person = msgspec.json.decode(known, type=PersonRow) if known else None

    async def save_person(self, person: PersonRow) -> None:
        with _saving():
            await self._shelf.put(PERSON, _encode(person).decode())
        self.person = person

    async def review(self, table_id: str) -> str:
        """The stored review of a table's game; empty if there is none."""
        return await self._shelf.value(REVIEW + table_id)

    async def save_review(self, table_id: str, review: str) -> None:
        with _saving():
            await self._shelf.put(REVIEW + table_id, review)

    async def forget(self) -> None:
        """Forget the person and every table."""
        await self._shelf.clear()
        self.logs.entries.clear()
        self.person = None
