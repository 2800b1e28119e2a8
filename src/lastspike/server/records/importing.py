"""Import of finished records into the database, each as a table whose game is over."""

from __future__ import annotations

import io
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from lastspike.rules.errors import LastSpikeError, RecordError
from lastspike.rules.records.record import Record, read_records
from lastspike.server.storage import Row, Storage, TableRow
from lastspike.server.storage.packing import PackedLog, pack, persons_in
from lastspike.server.storage.queries.packed_logs import WholeGame
from lastspike.server.storage.rows import to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.list_entry import players_of
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import content_of, log_of, says

from .listing import UnreadableLog, state_of

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_ID_BYTES = 16

Known = dict[bytes, str]
"""The finished games in a database: the hash of the content, and the table."""


class Text(NamedTuple):
    """The text of one record, not yet read. `line` is its line in a file with one record per line,
    and `place` says so in errors."""

    place: str
    text: str
    line: int | None = None


def texts_of(file: TextIO) -> Iterator[Text | RecordError]:
    """The text of every record of a file.

    A file with a single record may spread it over many lines, as `read_records` allows.
    """
    first, number = "", 0
    try:
        while not first.strip():
            first, number = file.readline(), number + 1
            if not first:
                yield RecordError("", "the file is empty")
                return
        try:
            json.loads(first.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            yield Text("", "\n" * (number - 1) + first + file.read())
            return
        yield Text(f"line {number}", first.rstrip(), number)
        for line in file:
            number += 1
            if line.strip():
                yield Text(f"line {number}", line.rstrip(), number)
    except UnicodeDecodeError:
        yield RecordError("", "not a UTF-8 text file")


def read_each(file: TextIO) -> Iterator[tuple[str, Record | RecordError]]:
    """Every record of a file, or its error, with its place. One error does not stop the others."""
    for text in texts_of(file):
        if isinstance(text, Text):
            yield text.place, _read_one(text.text, text.line)
        else:
            yield "", text


Prepared = tuple[str, WholeGame | RecordError]
"""What becomes of one record, or its error, with its place."""


def prepare_each(texts: Sequence[Text | RecordError]) -> list[Prepared]:
    """Read records, and make of each the table to store. It needs no database, so other processes
    can do it."""
    return [("", each) if isinstance(each, RecordError) else _prepared(each) for each in texts]


def _prepared(text: Text) -> Prepared:
    read = _read_one(text.text, text.line)
    if isinstance(read, RecordError):
        return text.place, read
    try:
        return text.place, prepare(read)
    except RecordError as error:
        return text.place, error


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
    known = await storage.packed_logs.contents()
    for table_id in await storage.packed_logs.unpacked_games():
        try:
            content = content_of([to_step(row) for row in await storage.logs.steps(table_id)])
        except (LastSpikeError, ValueError):
            continue  # `games list --check` reports it
        if content is not None:
            known.setdefault(content, table_id)
    return known


class Arrived(NamedTuple):
    """The table of the game; `new` is False if it was there before."""

    table: str
    new: bool


def prepare(record: Record) -> WholeGame:
    """The table for a finished record. It gets the record's id, or one derived from the game's
    content. `RecordError` if the game is not over."""
    if not record.game.over:
        raise RecordError("", "this game isn’t over yet; only finished games can be imported")
    now = now_ms()
    steps = log_of(record, now)
    if not says(steps, record.game):
        raise RecordError("", "a table made from this record would not replay to the same game")
    content = content_of(steps)
    assert content is not None
    rows = [Row(step.number, step.at, *e.to_stored(step), step.turn, None) for step in steps]
    log = PackedLog(_table_id(record, content), len(rows), persons_in(rows), content, pack(rows))
    players = players_of(event for step in steps for event in step.events)
    return WholeGame(players, max(step.turn or 0 for step in steps), steps[0].at, now, log)


async def bring_in(storage: Storage, record: Record, known: Known) -> Arrived:
    """Store a table made from a finished record, durable on return, and add it to `known`.

    `RecordError` if the game is not over, or another game has the id.
    """
    (arrived,) = await bring_in_all(storage, [prepare(record)], known)
    if isinstance(arrived, RecordError):
        raise arrived
    return arrived


async def bring_in_all(
    storage: Storage, games: Sequence[WholeGame], known: Known
) -> list[Arrived | RecordError]:
    """What became of each of these games. All are durable on return, and in `known`."""
    coming: dict[str, WholeGame] = {}
    contents: set[bytes] = set()
    for game in games:
        content = game.log.content or b""
        if content not in known and content not in contents:
            contents.add(content)
            coming.setdefault(game.log.table_id, game)
    stored = await storage.packed_logs.store(list(coming.values()))
    for table_id in coming.keys() - stored:
        row = await storage.logs.table(table_id)
        if row is not None and await _is_partial(storage, row):
            await storage.logs.delete_table(table_id)
            stored |= await storage.packed_logs.store([coming[table_id]])
    new = {table_id: game for table_id, game in coming.items() if table_id in stored}
    known.update((game.log.content or b"", table_id) for table_id, game in new.items())
    return [_arrived(game, new, known) for game in games]


def _arrived(game: WholeGame, new: dict[str, WholeGame], known: Known) -> Arrived | RecordError:
    table_id, content = game.log.table_id, game.log.content or b""
    if new.get(table_id) is game:
        return Arrived(table_id, new=True)
    if content in known:
        return Arrived(known[content], new=False)
    return RecordError(
        "table", "table {table} already exists, with a different game", table=table_id
    )


async def _is_partial(storage: Storage, row: TableRow) -> bool:
    """Whether this is an interrupted import of an earlier version: only there the status says
    "over" too early."""
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
