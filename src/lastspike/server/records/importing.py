"""The archive: tables told in lines, games taken out as records, finished records brought in."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import Any, NamedTuple, TextIO

from lastspike.protocol import GameOptions, Settings
from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.rules.errors import LastSpikeError, RecordError
from lastspike.rules.game import Game
from lastspike.rules.records.record import Record, read_records, to_record
from lastspike.server.live.table import now_ms, to_append, to_step
from lastspike.server.storage import Index, Row, Storage, TableRow
from lastspike.server.table import log_events as e
from lastspike.server.table.commands import Draft
from lastspike.server.table.errors import Conflict, NotFound
from lastspike.server.table.state import TableState, edition_of, to_stored_deal
from lastspike.server.table.text import clean_name
from lastspike.server.table.views import finished_record, full_record

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_ID_BYTES = 16

Known = dict[bytes, str]
"""The finished games that a database has: what each holds, hashed, and its table."""


# ---- what is there --------------------------------------------------------------------------


class TableLine(NamedTuple):
    """What a list says of a table. `turn` is the one that is due, or the last of a game that is
    over; `trouble` is why its log can't be read, if it can't."""

    row: TableRow
    players: tuple[str, ...] = ()
    turn: int = 0
    trouble: LastSpikeError | None = None


async def lines(storage: Storage, rows: Sequence[TableRow]) -> AsyncIterator[TableLine]:
    for row in rows:
        try:
            state = await state_of(storage, row.id)
        except UnreadableLog as error:
            yield TableLine(row, trouble=error)
        else:
            names = tuple(seat.name or seat.level or "" for seat in state.seats)
            yield TableLine(row, names, state.turn - (state.status == "over"))


class UnreadableLog(LastSpikeError):
    """No state follows from a table's log."""


async def state_of(storage: Storage, table_id: str) -> TableState:
    rows = await storage.steps(table_id)
    state = TableState(table_id)
    try:
        for row in rows:
            state.apply(to_step(row))
        if not rows:
            raise LastSpikeError("there is no such table")
    except Exception as error:  # whatever is wrong with one log, the others can be read
        reason = error if isinstance(error, LastSpikeError) else repr(error)
        raise UnreadableLog(
            "table {table} can't be read: {reason}", table=table_id, reason=reason
        ) from error
    return state


# ---- out ------------------------------------------------------------------------------------


async def chosen(
    storage: Storage, table_ids: Collection[str] = (), status: str | None = None
) -> list[TableRow]:
    """The tables of these ids, or all, the oldest first, that have this status, or any.

    `LastSpikeError` at an id that no table has.
    """
    rows = await storage.all_tables()
    for table_id in table_ids:
        if not any(row.id == table_id for row in rows):
            raise LastSpikeError("there is no table {table}", table=table_id)
    return [
        row
        for row in rows
        if (not table_ids or row.id in table_ids) and status in (None, row.status)
    ]


async def record_of(storage: Storage, table_id: str, secret: bool) -> dict[str, Any] | None:
    """The record of a table's game; None where none was begun.

    One that is not over has hands and seed which nobody may know: it is given only if `secret`.
    """
    state = await state_of(storage, table_id)
    if state.game is None:
        return None
    return full_record(state) if secret else finished_record(state)


# ---- in -------------------------------------------------------------------------------------


def read_each(file: TextIO) -> Iterator[tuple[str, Record | RecordError]]:
    """Every record of a file with its place, or why it is refused; one does not spoil the others.

    A file that holds one record may have it on many lines, as `read_records` has it.
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
        yield "", RecordError("", "not a text file in UTF-8")


def _read_one(text: str, line: int | None = None) -> Record | RecordError:
    try:
        (record,) = read_records(io.StringIO(text))
    except RecordError as error:
        if line is None:
            return error
        # What was read is one line, which the reader took for the first of a file.
        within = error.where.removeprefix("line 1")
        place = f"line {line}{within}" if within != error.where else f"line {line} {within}"
        return RecordError(place.strip(), error.template, **error.facts)
    return record


async def games_here(storage: Storage) -> Known:
    """What the finished games of the database hold, so that none is brought in twice."""
    known: Known = {}
    for table_id in await storage.tables_by_status("over"):
        try:
            steps = [to_step(row) for row in await storage.steps(table_id)]
            known.setdefault(_content(steps), table_id)
        except (LastSpikeError, ValueError):
            continue  # `lines` shows what is wrong with it
    return known


class Arrived(NamedTuple):
    """The table that has the game; `new` is False if it had it before."""

    table: str
    new: bool


async def bring_in(storage: Storage, record: Record, known: Known) -> Arrived:
    """Make a table, over, of a finished record; it is durable on return. `known` learns of it.

    The table keeps the id that the record names; without one, what the game holds gives it one.
    `RecordError` for a game that is not over, and where the id belongs to another game.
    """
    if not record.game.over:
        raise RecordError("", "this game is not over; only finished games can be brought in")
    steps = steps_of(record, now_ms())
    content = _content(steps)
    if content in known:
        return Arrived(known[content], new=False)
    table_id = _table_id(record, content)
    _check(table_id, steps, record)
    row = await storage.table(table_id)
    if row is not None:
        if not await _cut_short(storage, row):
            raise RecordError(
                "table", "table {table} is here already, with another game", table=table_id
            )
        await storage.delete_table(table_id)
    # From its first step on it counts as over, so that nobody goes on playing what is half here.
    over = Draft((), indexed=Index(status="over"))
    first, *others = (to_append(table_id, step, over) for step in steps)
    await storage.create_table(first, listed=False)
    if not all(await asyncio.gather(*map(storage.append, others))):
        raise RecordError("", "somebody else changed table {table} meanwhile", table=table_id)
    known[content] = table_id
    return Arrived(table_id, new=True)


async def _cut_short(storage: Storage, row: TableRow) -> bool:
    """Whether this is what is left of bringing in a game that did not come to its end: it counts as
    over from its first step on, as no other table does."""
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


def steps_of(record: Record, now: int) -> list[e.Step]:
    """The log of a table at which the game was played: made when the record says, filled now."""
    game, shuffle, setup = record.game, record.shuffle, record.game.setup
    created = record.raw.get("created")
    if isinstance(created, bool) or not isinstance(created, int) or not 0 < created <= now:
        created = now
    names, levels = _players(record)
    seed = None
    if shuffle is not None:
        given = {seat: secret.hex() for seat, secret in shuffle.contributions}
        seed = e.Secrets(seed=shuffle.seed.hex(), contributions=given)
    codes = setup.board.codes
    remixed = [[codes[tile] for tile in order] for order in game.remixed]
    turns, at_start = _turns(game)
    dealt = e.Secrets(deal=to_stored_deal(setup, game.deal), remixed=remixed[:at_start])
    steps = [
        e.Step(1, created, (e.TableCreated(_settings(game), levels, host=""),)),
        e.Step(2, now, (e.GameImported(names),), seed),
        e.Step(3, now, (e.GameStarted(record.raw["rules"]),), dealt),
    ]
    begin = at_start
    for turn, (seat, moves, end) in enumerate(turns, 1):
        mixed = e.Secrets(remixed=remixed[begin:end]) if end > begin else None
        made = e.TurnMade(turn, seat, moves, levels[seat])
        steps.append(e.Step(len(steps) + 1, now, (made,), mixed, turn))
        begin = end
    return steps


def play_on(
    record: Record, turns: int, seat: Seat, person: str, name: str, level: str, seed: bytes
) -> Draft:
    """A table at which a recorded game goes on after so many turns, in one seat against computers:
    all of it one step, so that nobody plays at a table that is half there."""
    game, setup = record.game, record.game.setup
    made, at_start = _turns(game)
    if seat >= setup.players:
        raise NotFound("this table has no seat {seat}", seat=seat + 1)
    if turns > len(made):
        raise NotFound("this game has no turn {turn}", turn=turns)
    past = made[:turns]
    if game.over and turns == len(made):
        raise Conflict("this game is over; go back some turns to play on")
    mixed = past[-1].mixed if past else at_start
    codes = setup.board.codes
    levels = [None if number == seat else level for number in range(setup.players)]
    return Draft(
        (
            e.TableCreated(_settings(game), levels, person),
            e.SeatTaken(seat, person, name),
            e.GameStarted(record.raw["rules"], played_on=True),
            *(
                e.TurnMade(number, turn.seat, turn.moves, levels[turn.seat])
                for number, turn in enumerate(past, 1)
            ),
        ),
        e.Secrets(
            seed=seed.hex(),
            deal=to_stored_deal(setup, game.deal),
            remixed=[[codes[tile] for tile in order] for order in game.remixed[:mixed]],
        ),
        indexed=Index(status="playing", joined=(person,)),
    )


class _Turn(NamedTuple):
    """Who made it, its moves, and how often the pool had been mixed again by its end."""

    seat: int
    moves: list[str]
    mixed: int


def _turns(game: Game) -> tuple[list[_Turn], int]:
    """The moves of a game by turns, and how often the pool was mixed again before the first."""
    again = game.again()
    at_start = len(again.remixed)
    turns: list[_Turn] = []
    moves: list[str] = []
    seat = again.turn
    for move in game.moves:
        again.play(move)
        moves.append(move.text)
        if again.position.table.phase in ("lay", "over"):
            assert seat is not None
            turns.append(_Turn(seat, moves, len(again.remixed)))
            moves, seat = [], again.turn
    return turns, at_start


def _settings(game: Game) -> Settings:
    edition, options = game.setup.edition, game.setup.options
    return Settings(
        edition=edition.id,
        figures=None if _is_shipped(edition) else edition.to_figures(),
        options=GameOptions(options.double_cost, options.cash, options.hands),
    )


def _players(record: Record) -> tuple[list[str], list[str | None]]:
    """The names, cleaned, and the computer players' levels; empty where the record has none that
    can be shown."""
    count = record.game.setup.players
    given = record.raw.get("players")
    entries: list[Any] = given if isinstance(given, list) and len(given) == count else [{}] * count
    players = [entry if isinstance(entry, dict) else {} for entry in entries]
    names = [_shown(player.get("name")) for player in players]
    return names, [_shown(player.get("level")) or None for player in players]


def _shown(text: object) -> str:
    try:
        return clean_name(text) if isinstance(text, str) else ""
    except LastSpikeError:
        return ""


def _check(table_id: str, steps: Sequence[e.Step], record: Record) -> None:
    """Nothing is stored from which the same game would not follow."""
    state = TableState(table_id)
    for step in steps:
        row = Row(step.number, step.at, *e.to_stored(step), step.turn, None)
        state.apply(to_step(row))
    told, wanted = finished_record(state), to_record(record.game, record.shuffle)
    if any(told.get(key) != value for key, value in wanted.items()):
        raise RecordError("", "the same game would not follow from a table made of this record")


def _content(steps: Sequence[e.Step]) -> bytes:
    """What a game is, whoever played it and wherever: edition, deal, moves, mixed pools. Hashed."""
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
        edition.id if _is_shipped(edition) else edition.to_figures(),
        settings.options.double_cost,
        deal and [deal.first, [sorted(hand) for hand in deal.hands], deal.pool, deal.aside],
        moves,
        remixed,
    )
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


def _is_shipped(edition: Edition) -> bool:
    return edition.id in shipped_ids() and edition == shipped(edition.id)
