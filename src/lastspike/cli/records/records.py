"""`lastspike verify` and `lastspike replay`: checking game records and telling what they hold."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from lastspike.cli.edition import shown
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.record import Record, read_records
from lastspike.rules.records.trace import trace as trace_of
from lastspike.words.events import tell
from lastspike.words.language import LANGUAGES

STANDARD_INPUT = Path("-")
PATIENCE_S = 1.0
"""How long people wait before they are shown a bar."""

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Game records, one or many a file; - reads standard input.",
        allow_dash=True,
    ),
]


def spoken(language: str | None) -> str | None:
    """For the option `--language`: one that there is a catalogue for."""
    if language is not None and language not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is none of {', '.join(LANGUAGES)}.")
    return language


Spoken = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(LANGUAGES), help="Default: as the system is set.", callback=spoken
    ),
]
"""The language of an answer."""


def verify(files: Files) -> None:
    """Replay game records and check their results and, where they carry one, their shuffles."""

    def checked(records: Iterator[Record]) -> Iterator[str]:
        yield _summary(records)

    # One line a file, after its records are read: no bar is in its way.
    _for_each(files, checked, named=True, bar=True)


def replay(
    files: Files,
    trace: Annotated[
        bool,
        typer.Option(
            "--trace",
            help="Print a JSON object for the deal and after each move, instead of an account.",
        ),
    ] = False,
    language: Spoken = None,
) -> None:
    """Tell what happened in recorded games."""

    def traces(records: Iterator[Record]) -> Iterator[str]:
        for record in records:
            yield from map(json.dumps, trace_of(record.game))

    def accounts(records: Iterator[Record]) -> Iterator[str]:
        for number, record in enumerate(records):
            if number:
                yield ""
            yield from tell(record.game, record.raw, language)

    _for_each(files, traces if trace else accounts, bar=not sys.stdout.isatty())


def _summary(records: Iterable[Record]) -> str:
    """What was found out about the records of a file, all of them good."""
    totals: Counter[str] = Counter()
    found = []
    for record in records:
        game = record.game
        found = [
            _count(game.setup.players, "player"),
            _count(len(game.moves), "move"),
            _ending(game.outcome),
            "result checked" if "result" in record.raw else "no result to check",
            "shuffle checked" if record.shuffle else "no shuffle to check",
        ]
        totals["record"] += 1
        totals["move"] += len(game.moves)
        totals["result"] += "result" in record.raw
        totals["shuffle"] += record.shuffle is not None
        totals["unfinished"] += not game.over
    if totals["record"] > 1:
        found = [
            _count(totals["record"], "record"),
            _count(totals["move"], "move"),
            f"{totals['unfinished']:,} unfinished",
            f"{_count(totals['result'], 'result')} checked",
            f"{_count(totals['shuffle'], 'shuffle')} checked",
        ]
    elif "unfinished" in found:
        found.remove("no result to check")
    return f"verified: {', '.join(found)}"


def _ending(outcome: Outcome | None) -> str:
    if outcome is None:
        return "unfinished"
    if len(outcome.winners) == 1:
        return f"seat {outcome.winners[0]} won"
    return f"seats {' and '.join(map(str, outcome.winners))} share the win"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _for_each(
    files: list[Path],
    told: Callable[[Iterator[Record]], Iterator[str]],
    named: bool = False,
    bar: bool = False,
) -> None:
    """Print what is told of each file's records, after the file's name where that is wanted.

    A bad file is one line on standard error; the others still have their turn, and the exit is 1.
    """
    good = True
    for path in files:
        name = "standard input" if path == STANDARD_INPUT else shown(path)
        before = f"{name}: " if named else ""
        try:
            with opened(path) as file:
                records = read_records(file)
                for line in told(_with_bar(records, file, name) if bar else records):
                    sys.stdout.write(f"{before}{line}\n")
        except LastSpikeError as error:
            good = _complain(f"{name}: {error}")
        except BrokenPipeError:
            raise
        except OSError as error:
            good = _complain(f"{name}: {error.strerror}")
    if not good:
        raise typer.Exit(1)


def _complain(line: str) -> bool:
    sys.stdout.flush()  # the lines of both come in the order of the files
    typer.echo(line, err=True)
    return False


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """The file, or standard input for -."""
    if path != STANDARD_INPUT:
        with path.open(encoding="utf-8") as file:
            yield file
        return
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8")
    try:
        yield text
    finally:
        text.detach()


def _with_bar(records: Iterator[Record], file: TextIO, name: str) -> Iterator[Record]:
    """The records; where they take long and somebody watches standard error, with a bar."""
    if not sys.stderr.isatty():
        yield from records
        return
    size = os.fstat(file.fileno()).st_size or None
    patience_ends = time.monotonic() + PATIENCE_S
    with ExitStack() as stack:
        bar: Progress | None = None
        for record in records:
            yield record
            if bar is None and time.monotonic() > patience_ends:
                bar = stack.enter_context(_bar())
                bar.add_task(escape(os.path.basename(name)), total=size)
            if bar is not None and size is not None:
                bar.update(bar.task_ids[0], completed=file.buffer.tell())


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
