"""`lastspike verify` and `lastspike replay`: check game records and print their accounts."""

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
from rich.markup import escape
from rich.progress import Progress, TaskProgressColumn

from lastspike.cli.edition import shown
from lastspike.cli.progress import bar as progress_bar
from lastspike.languages import LANGUAGES
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.record import Record, read_records
from lastspike.rules.records.trace import trace as trace_of
from lastspike.words.events import tell

STANDARD_INPUT = Path("-")
PATIENCE_S = 1.0
"""Seconds before a progress bar appears."""

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Files with one or more game records; - reads standard input.",
        allow_dash=True,
    ),
]


def spoken(language: str | None) -> str | None:
    """Validate the option `--language`."""
    if language is not None and language not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is none of {', '.join(LANGUAGES)}.")
    return language


Spoken = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(LANGUAGES),
        help="The output language. Default: the system’s.",
        callback=spoken,
    ),
]
"""The output language."""


def verify(files: Files) -> None:
    """Replay game records and check their results and, where there is one, their shuffles."""

    def checked(records: Iterator[Record]) -> Iterator[str]:
        yield _summary(records)

    # Each file's line comes after its records are read, so the bar is never in its way.
    _for_each(files, checked, named=True, bar=True)


def replay(
    files: Files,
    trace: Annotated[
        bool,
        typer.Option(
            "--trace",
            help="Print a JSON object for the deal and after each move, instead of sentences.",
        ),
    ] = False,
    language: Spoken = None,
) -> None:
    """Print recorded games turn by turn."""

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
    """A summary of a file's records, all of them valid."""
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
    lines_of: Callable[[Iterator[Record]], Iterator[str]],
    named: bool = False,
    bar: bool = False,
) -> None:
    """Print the lines for each file's records, prefixed with the file's name if `named`.

    A bad file prints one line to standard error; the rest still run, and the exit status is 1.
    """
    good = True
    for path in files:
        name = "standard input" if path == STANDARD_INPUT else shown(path)
        before = f"{name}: " if named else ""
        try:
            with opened(path) as file:
                records = read_records(file)
                for line in lines_of(_with_bar(records, file, name) if bar else records):
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
    sys.stdout.flush()  # keep the lines of both streams in order
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
    """The records, with a bar if standard error is a terminal and reading takes long."""
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
                bar = stack.enter_context(progress_bar(TaskProgressColumn()))
                bar.add_task(escape(os.path.basename(name)), total=size)
            if bar is not None and size is not None:
                bar.update(bar.task_ids[0], completed=file.buffer.tell())
