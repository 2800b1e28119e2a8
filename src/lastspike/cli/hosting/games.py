"""`lastspike games`: lists, exports and imports the tables of a server's database."""

from __future__ import annotations

import asyncio
import gc
import os
import stat
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO, TypeVar

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table

from lastspike.cli.files import written_whole
from lastspike.cli.progress import bar
from lastspike.cli.records.records import Files, complain, file_name, opened
from lastspike.cli.workers import cores
from lastspike.rules.errors import LastSpikeError, RecordError
from lastspike.rules.records.record import dump_records
from lastspike.words.language import Words, words_for

from .database import ConfigFile, Database
from .left_out import left_out_told

if TYPE_CHECKING:
    from lastspike.server.records.importing import Prepared
    from lastspike.server.records.listing import TableLine
    from lastspike.server.records.publishing import Reason
    from lastspike.server.storage import Storage, TableRow

Item = TypeVar("Item")
Cells = tuple[str, ...]
"""A row of the list of tables."""

app = typer.Typer(
    help="List, export or import the games in a server’s database.", no_args_is_help=True
)

STANDARD_OUTPUT = Path("-")
GAP = "  "
MOST_FOLDED = 1000
"""Rows that are made as wide as the terminal, which takes long."""
RECORDS_AT_ONCE = 100
"""Records that one process reads, and one transaction stores."""
FEW_BYTES = 1_000_000
"""Files up to this size are read in this process: others take longer to start."""

TableStatus = Literal["waiting", "playing", "over", "closed"]
OnlyStatus = Annotated[
    TableStatus | None, typer.Option("--status", help="Only tables with this status.")
]


@app.command("list")
def list_tables(
    status: OnlyStatus = None,
    check: Annotated[
        bool, typer.Option("--check", help="Also read each log, and show what is wrong with it.")
    ] = False,
    config: ConfigFile = None,
    database: Database = None,
) -> None:
    """List the tables, oldest first."""
    from lastspike.server.records.listing import chosen, lines

    async def run() -> list[TableLine]:
        async with _storage(config, database) as storage:
            rows = await chosen(storage, status=status)
            found = []
            with bar() as shown_bar:
                shown_bar.disable = shown_bar.disable or not check
                task = shown_bar.add_task(words_for().say("Reading"), total=len(rows))
                async for line in lines(storage, rows, check):
                    found.append(line)
                    if check:
                        shown_bar.advance(task)
            return found

    with _no_garbage_collection():
        found = asyncio.run(run())
        if not found:
            typer.echo(words_for().say("There are no tables."))
            return
        rows = _rows(found)
        if sys.stdout.isatty() and len(rows) <= MOST_FOLDED:
            Console(highlight=False, markup=False, emoji=False).print(_folded(rows))
        else:
            sys.stdout.writelines(f"{line}\n" for line in _lines(rows))


@app.command("export")
def export_games(
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE|-",
            help="The file to write, one record per line; - writes to standard output.",
        ),
    ],
    table: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Export this table; can be repeated.")
    ] = None,
    status: OnlyStatus = None,
    secret: Annotated[
        bool,
        typer.Option(
            "--secret",
            help="Also export unfinished games, with their hidden hands and seed. Only you can "
            "read the file.",
        ),
    ] = False,
    publishable: Annotated[
        bool,
        typer.Option(
            "--publishable",
            help="Export only games that everyone in them has agreed to publish, without names, "
            "table IDs or times.",
        ),
    ] = False,
    config: ConfigFile = None,
    database: Database = None,
) -> None:
    """Write game records to a file. Without --table or --status, export all finished games."""
    from lastspike.server.records.listing import chosen

    if secret and publishable:
        raise LastSpikeError("--secret and --publishable can’t be combined")

    async def run() -> bool:
        async with _storage(config, database) as storage:
            rows = await chosen(storage, table or (), status)
            if not secret:
                rows = _only_finished(rows, asked_for=bool(table or status))
            with _output(out, secret) as file, _bar_beside(out) as shown_bar:
                return await _export(storage, rows, secret, publishable, file, shown_bar)

    if not asyncio.run(run()):
        raise typer.Exit(1)


@app.command("import")
def import_games(files: Files, config: ConfigFile = None, database: Database = None) -> None:
    """Import finished games from record files; each becomes a finished table."""

    async def run() -> bool:
        async with _storage(config, database, create=True) as storage:
            with bar() as shown_bar:
                return await _import(storage, files, shown_bar)

    if not asyncio.run(run()):
        raise typer.Exit(1)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """For a long list, of which everything stays: looking through it takes a third of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _rows(found: list[TableLine]) -> list[Cells]:
    """The list, with its head first."""
    words = words_for()
    say = words.say
    head = (
        *(say("table"), say("status"), say("players")),
        *(say("turn"), say("created"), say("last change")),
    )
    return [head, *(_cells(line, words) for line in found)]


def _folded(rows: list[Cells]) -> Table:
    """The list as wide as the terminal."""
    table, status, players, turn, *times = rows[0]
    shown = Table(
        Column(table, no_wrap=True),
        Column(status, no_wrap=True),
        Column(players, min_width=12, overflow="fold"),
        Column(turn, justify="right", no_wrap=True),
        *times,
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for row in rows[1:]:
        shown.add_row(*row)
    return shown


def _lines(rows: list[Cells]) -> Iterator[str]:
    """The list in columns as wide as their widest entry. Rich takes 3 ms a row."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for place, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            space = " " * (wide - _width(cell))
            cells.append(space + cell if place == TURN else cell + space)
        yield GAP.join(cells).rstrip()


TURN = 3
"""The column whose entries are numbers."""


def _cells(line: TableLine, words: Words) -> Cells:
    players = _series(line.players, words) if line.trouble is None else words.error(line.trouble)
    row = line.row
    created, changed = _time(row.created_at // 60_000), _time(row.changed_at // 60_000)
    return row.id, row.status, players, str(line.turn or ""), created, changed


@lru_cache(maxsize=10_000)
def _series(names: tuple[str, ...], words: Words) -> str:
    return words.series(_on_one_line(name) or "–" for name in names)


def _on_one_line(name: str) -> str:
    return name if name.isprintable() else " ".join(name.split())


def _width(cell: str) -> int:
    return len(cell) if cell.isascii() else cell_len(cell)


@lru_cache(maxsize=10_000)
def _time(minute: int) -> str:
    return f"{datetime.fromtimestamp(minute * 60, UTC).astimezone():%Y-%m-%d %H:%M}"


def _only_finished(rows: list[TableRow], asked_for: bool) -> list[TableRow]:
    """The finished games; `LastSpikeError` if an unfinished one was asked for by name."""
    finished = [row for row in rows if row.status == "over"]
    unfinished = len(rows) - len(finished)
    if unfinished and asked_for:
        raise LastSpikeError(
            "not all of these games are finished (unfinished: {count} of {all}); add --secret to "
            "export them too, hidden hands and seed included",
            count=unfinished,
            all=len(rows),
        )
    if unfinished:
        _note(
            words_for().count(
                "{n} game is not over and was left out.",
                "{n} games are not over and were left out.",
                unfinished,
            )
        )
    return finished


async def _export(
    storage: Storage,
    rows: list[TableRow],
    secret: bool,
    publishable: bool,
    file: TextIO,
    shown_bar: Progress,
) -> bool:
    """Write all records and return whether all could be read; an unreadable one is skipped."""
    from lastspike.server.records.exporting import records_of
    from lastspike.server.records.listing import UnreadableLog
    from lastspike.server.records.publishing import publishable as publishable_of

    words = words_for()
    good, written = True, 0
    left_out: Counter[Reason] = Counter()
    task = shown_bar.add_task(words.say("Exporting"), total=len(rows))
    ids = [row.id for row in rows]
    records = publishable_of(storage, ids) if publishable else records_of(storage, ids, secret)
    async for record in records:
        if isinstance(record, UnreadableLog):
            _note(words.error(record))
            good = False
        elif record is None or isinstance(record, str):
            left_out[record or "no_game"] += 1
        else:
            written += 1
            file.writelines(f"{line}\n" for line in dump_records([record]))
        shown_bar.advance(task)
    for reason, number in left_out.items():
        _note(left_out_told(words, reason, number))
    _note(words.count("{n} game was exported.", "{n} games were exported.", written))
    return good


@contextmanager
def _output(path: Path, secret: bool) -> Iterator[TextIO]:
    if path == STANDARD_OUTPUT:
        yield sys.stdout
        return
    with written_whole(path) as file:
        if secret and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fchmod(file.fileno(), 0o600)
        yield file


def _bar_beside(out: Path) -> Progress:
    """A bar, unless the records are printed to the same terminal."""
    shown_bar = bar()
    shown_bar.disable = shown_bar.disable or (out == STANDARD_OUTPUT and sys.stdout.isatty())
    return shown_bar


async def _import(storage: Storage, files: list[Path], shown_bar: Progress) -> bool:
    """Import all records and return whether every one is in the database now."""
    from lastspike.server.records.importing import Arrived, bring_in_all, games_here

    words = words_for()
    good, new, old = True, 0, 0
    task = shown_bar.add_task(words.say("Importing"), total=None)
    known = await games_here(storage)
    for path in files:
        name = file_name(path, words)
        try:
            with opened(path) as file:
                for prepared in _prepared(file):
                    games = [game for _, game in prepared if not isinstance(game, RecordError)]
                    arrived = iter(await bring_in_all(storage, games, known))
                    for place, game in prepared:
                        found = game if isinstance(game, RecordError) else next(arrived)
                        if isinstance(found, Arrived):
                            new, old = new + found.new, old + (not found.new)
                        else:
                            good = complain(name, _placed(found, place), words)
                        shown_bar.advance(task)
        except OSError as error:
            good = complain(name, error.strerror, words)
    if old:
        _note(
            words.count(
                "{n} game was already in the database.",
                "{n} games were already in the database.",
                old,
            )
        )
    typer.echo(words.count("{n} game was imported.", "{n} games were imported.", new))
    return good


def _prepared(file: TextIO) -> Iterator[list[Prepared]]:
    """The games of a file, ready to be stored. All cores read a large one."""
    from lastspike.lab.arena.workers import in_order
    from lastspike.server.records.importing import prepare_each, texts_of

    pieces = _pieces(texts_of(file), RECORDS_AT_ONCE)
    return in_order(prepare_each, pieces, cores() if _size(file) > FEW_BYTES else 1)


def _size(file: TextIO) -> int:
    """The bytes of a file; 0 for a pipe, which doesn't say."""
    try:
        return os.fstat(file.fileno()).st_size
    except OSError:  # something else than a file stands in for standard input
        return 0


def _pieces(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    remaining = iter(items)
    while piece := list(islice(remaining, size)):
        yield piece


def _placed(error: RecordError, place: str) -> RecordError:
    """The error with the record's place, if it lacks one."""
    if error.where.startswith(place):
        return error
    return RecordError(f"{place} {error.where}".strip(), error.template, **error.facts)


def _note(line: str) -> None:
    typer.echo(line, err=True)


@asynccontextmanager
async def _storage(
    config: Path | None, database: str | None, create: bool = False
) -> AsyncIterator[Storage]:
    """The database, named as for `lastspike db`; a server may be using it at the same time."""
    from lastspike.server.config.reading import read_config
    from lastspike.server.config.settings import without_password
    from lastspike.server.run.lockfile import locked
    from lastspike.server.storage import Storage, StorageDown
    from lastspike.server.storage.errors import unreachable
    from lastspike.server.storage.upkeep.upgrade import is_current

    settings = read_config(config, os.environ, {"database": database})
    file = settings.database_file
    if file is not None and not create and not file.exists():
        raise LastSpikeError("there is no database at {path}", path=file)
    with ExitStack() as stack:
        try:
            if file is not None and not await is_current(settings.database):
                stack.enter_context(locked(file))  # opening it creates or upgrades its tables
            storage = Storage(settings.database)
            await storage.open()
        except StorageDown as error:
            raise unreachable(without_password(settings.database), error) from None
        try:
            yield storage
        finally:
            await storage.close()
