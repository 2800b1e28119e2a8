"""Import of finished records into the database, each as a table whose game is over."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from lastspike.protocol import Settings
from lastspike.rules.editions.shipped import is_shipped
from lastspike.rules.errors import LastSpikeError, RecordError
from lastspike.rules.records.record import Record, read_records, to_record
from lastspike.server.storage import Row, Storage, TableRow
from lastspike.server.storage.rows import to_append, to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.log_events import Index
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import finished_record, log_of
from lastspike.server.table.state import edition_of, replay

from .listing import UnreadableLog, state_of

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_ID_BYTES = 16

Known = dict[bytes, str]
"""The finished games in a database: the hash of the content, and the table."""


def read_each(file: TextIO) -> Iterator[tuple[str, Record | RecordError]]:
    """Every record of a file, or its error, with its place. One error does not stop the others.

    A file with a single record may spread it over many lines, as `read_records` allows.
    """
    first, number = "", 0
    try:
        while not first.strip():
            first, number = file.readline(), number + 1
            if not first:
                yield "", RecordError("", "the file is empty")
                return
        try:
            json.loads(first.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            yield "", _read_one("\n" * (number - 1) + first + file.read())
            return
        yield f"line {number}", _read_one(first.rstrip(), number)
        for line in file:
            number += 1
            if line.strip():
                yield f"line {number}", _read_one(line.rstrip(), number)
    except UnicodeDecodeError:
        yield "", RecordError("", "not a UTF-8 text file")


def _read_one(text: str, line: int | None = None) -> Record | RecordError:
    try:
        (record,) = read_records(io.StringIO(text))
    except RecordError as error:
        if line is None:
            return error
        # The reader saw only this line and called it line 1.
        within = error.where.removeprefix("line 1")
        place = f"line {line}{within}" if within != error.where else f"line {line} {within}"
        return RecordError(place.strip(), error.template, **error.facts)
    return record


async def games_here(storage: Storage) -> Known:
    """The finished games in the database, so that none is imported twice."""
    known: Known = {}
    for table_id in await storage.logs.tables_by_status("over"):
        try:
            steps = [to_step(row) for row in await storage.logs.steps(table_id)]
            known.setdefault(_content(steps), table_id)
        except (LastSpikeError, ValueError):
            continue  # `lines` reports it
    return known


class Arrived(NamedTuple):
    """The table of the game; `new` is False if it was there before."""

    table: str
    new: bool


async def bring_in(storage: Storage, record: Record, known: Known) -> Arrived:
    """Create a table from a finished record, durable on return, and add it to `known`.

    The table gets the record's id, or one derived from the game's content. `RecordError` if the
    game is not over, or another game has the id.
    """
    if not record.game.over:
        raise RecordError("", "this game isn’t over yet; only finished games can be imported")
    steps = log_of(record, now_ms())
    content = _content(steps)
    if content in known:
        return Arrived(known[content], new=False)
    table_id = _table_id(record, content)
    _check(table_id, steps, record)
    row = await storage.logs.table(table_id)
    if row is not None:
        if not await _is_partial(storage, row):
            raise RecordError(
                "table", "table {table} already exists, with a different game", table=table_id
            )
        await storage.logs.delete_table(table_id)
    # Its status is "over" from the first step, so that nobody plays a partial import.
    over = Index(status="over")
    first, *others = (to_append(table_id, step, over) for step in steps)
    await storage.logs.create_table(first, listed=False)
    if not all(await asyncio.gather(*map(storage.logs.append, others))):
        raise RecordError(
            "", "table {table} was changed by someone else in the meantime", table=table_id
        )
    known[content] = table_id
    return Arrived(table_id, new=True)


async def _is_partial(storage: Storage, row: TableRow) -> bool:
    """Whether this is an interrupted import: only there the status says "over" too early."""
    if row.status != "over":
        return False
    try:
        return (await state_of(storage, row.id)).status != "over"
    except UnreadableLog:
        return False


def _table_id(record: Record, content: bytes) -> str:
    named = record.raw.get("table")
    if isinstance(named, str) and _TABLE_ID.fullmatch(named):
        return named
    return urlsafe_b64encode(content[:_ID_BYTES]).rstrip(b"=").decode()


def _check(table_id: str, steps: Sequence[e.Step], record: Record) -> None:
    """Raise unless the steps replay to the same game."""
    rows = (Row(step.number, step.at, *e.to_stored(step), step.turn, None) for step in steps)
    state = replay(table_id, map(to_step, rows))
    result, expected = finished_record(state), to_record(record.game, record.shuffle)
    if any(result.get(key) != value for key, value in expected.items()):
        raise RecordError("", "a table made from this record would not replay to the same game")


def _content(steps: Sequence[e.Step]) -> bytes:
    """A hash of the game's edition, deal, moves and mixed pools, without its players."""
    settings, deal = Settings(), None
    moves: list[str] = []
    remixed: list[list[str]] = []
    for step in steps:
        for event in step.events:
            match event:
                case e.TableCreated(settings=settings) | e.SettingsChanged(settings=settings):
                    pass
                case e.TurnMade():
                    moves += event.moves
        if step.secrets is not None:
            deal = step.secrets.deal or deal
            remixed += step.secrets.remixed
    edition = edition_of(settings)
    parts = (
        edition.id if is_shipped(edition) else edition.to_figures(),
        settings.options.double_cost,
        deal and [deal.first, [sorted(hand) for hand in deal.hands], deal.pool, deal.aside],
        moves,
        remixed,
    )
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()
