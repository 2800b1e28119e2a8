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
from lastspike.words.language import Words, words_for

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
        words = words_for()
        reason = words.say(
            "{language} isn’t available; choose from {languages}",
            language=repr(language),
            languages=words.series(LANGUAGES),
        )
        raise typer.BadParameter(reason)
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


def verify(files: Files, language: Spoken = None) -> None:
    """Replay game records and check their results and, where there is one, their shuffles."""
    words = words_for(language)

    def checked(records: Iterator[Record]) -> Iterator[str]:
        yield _summary(records, words)

    # Each file's line comes after its records are read, so the bar is never in its way.
    _for_each(files, checked, words, named=True, bar=True)


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

    lines = traces if trace else accounts
    _for_each(files, lines, words_for(language), bar=not sys.stdout.isatty())


def _summary(records: Iterable[Record], words: Words) -> str:
    """A summary of a file's records, all of them valid."""
    say, count = words.say, words.count
    totals: Counter[str] = Counter()
    found = []
    for record in records:
        game = record.game
        found = [
            count("{n} player", "{n} players", game.setup.players),
            count("{n} move", "{n} moves", len(game.moves)),
            _ending(game.outcome, words),
        ]
        if "result" in record.raw:
            found.append(say("result checked"))
        elif game.over:
            found.append(say("no result to check"))
        found.append(say("shuffle checked") if record.shuffle else say("no shuffle to check"))
        totals["record"] += 1
        totals["move"] += len(game.moves)
        totals["result"] += "result" in record.raw
        totals["shuffle"] += record.shuffle is not None
        totals["unfinished"] += not game.over
    if totals["record"] > 1:
        found = [
            count("{n} record", "{n} records", totals["record"]),
            count("{n} move", "{n} moves", totals["move"]),
            count("{n} unfinished game", "{n} unfinished games", totals["unfinished"]),
            count("{n} result checked", "{n} results checked", totals["result"]),
            count("{n} shuffle checked", "{n} shuffles checked", totals["shuffle"]),
        ]
    return say("verified: {facts}", facts=words.series(found))


def _ending(outcome: Outcome | None, words: Words) -> str:
    if outcome is None:
        return words.say("unfinished")
    seats = [str(seat + 1) for seat in outcome.winners]
    if len(seats) == 1:
        return words.say("seat {seat} won", seat=seats[0])
    return words.say("seats {seats} share the win", seats=words.listed(seats))


def _for_each(
    files: list[Path],
    lines_of: Callable[[Iterator[Record]], Iterator[str]],
    words: Words,
    named: bool = False,
    bar: bool = False,
) -> None:
    """Print the lines for each file's records, prefixed with the file's name if `named`.

    A bad file prints one line to standard error; the rest still run, and the exit status is 1.
    """
    good = True
    for path in files:
        name = file_name(path, words)
        try:
            with opened(path) as file:
                records = read_records(file)
                for line in lines_of(_with_bar(records, file, name) if bar else records):
                    told = words.say("{file}: {text}", file=name, text=line) if named else line
                    sys.stdout.write(f"{told}\n")
        except LastSpikeError as error:
            good = complain(name, error, words)
        except BrokenPipeError:
            raise
        except OSError as error:
            good = complain(name, error.strerror, words)
    if not good:
        raise typer.Exit(1)


def file_name(path: Path, words: Words) -> str:
    """A file's name as messages show it."""
    return words.say("standard input") if path == STANDARD_INPUT else shown(path)


def complain(name: str, reason: object, words: Words) -> bool:
    """Print what is wrong with a file to standard error; the answer is False."""
    sys.stdout.flush()  # keep the lines of both streams in order
    typer.echo(words.error(LastSpikeError("{file}: {reason}", file=name, reason=reason)), err=True)
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
