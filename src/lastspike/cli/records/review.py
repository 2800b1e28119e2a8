"""`lastspike review`: reviews a finished game."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastspike.cli.edition import shown
from lastspike.cli.options import seed_or_new
from lastspike.cli.progress import bar, print_parts
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import Record, read_records
from lastspike.words.language import words_for

from .records import Spoken, opened

if TYPE_CHECKING:  # slow to import, so other commands must not load it
    from lastspike.review import Review


def review(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD",
            help="The record of a finished game; - reads standard input.",
            allow_dash=True,
        ),
    ],
    game: Annotated[
        int | None, typer.Option(min=1, help="Which game, if the file has several; the first is 1.")
    ] = None,
    seed: Annotated[
        str, typer.Option(help="Any text; the same seed gives the same review.")
    ] = "review",
    playouts: Annotated[int, typer.Option(min=1, help="Total number of playouts.")] = 40_000,
    turns: Annotated[
        bool, typer.Option("--turns", help="Also list every turn with its evaluation.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    language: Spoken = None,
) -> None:
    """Review a finished game: each player’s chance to win, turn by turn; costly turns; luck.

    A turn is judged by what its player knew at the time. A loss is shown only if it is unlikely to
    be chance.
    """
    from lastspike.review import review_to_json

    from .review_report import report

    seed = seed_or_new(seed)
    record = _record(file, game)
    reviewed = _with_bar(record, seed, playouts)
    if as_json:
        typer.echo(json.dumps(review_to_json(reviewed), indent=2, ensure_ascii=False))
        return
    print_parts(report(reviewed, record, words_for(language), turns))


def _record(file: Path, wanted: int | None) -> Record:
    """Game number `wanted`; if None, the file's only game."""
    with opened(file) as text:
        found = list(islice(read_records(text), wanted or 2))
    if wanted is None and len(found) > 1:
        raise LastSpikeError("{path} holds several games: choose one with --game", path=shown(file))
    if wanted is not None and wanted > len(found):
        raise LastSpikeError("{path}: there is no game {number}", path=shown(file), number=wanted)
    return found[-1]


def _with_bar(record: Record, seed: str, playouts: int) -> Review:
    from lastspike.review import review as review_of

    with bar() as progress:
        task = progress.add_task(words_for().say("Reviewing"), total=playouts)

        def done(count: int, _total: int) -> None:
            progress.update(task, completed=count)

        return review_of(record, seed, playouts, done)
