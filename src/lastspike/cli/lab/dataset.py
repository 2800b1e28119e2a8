"""`lastspike dataset`: games between computer players as training data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from lastspike.bots.levels import check_players, split_names
from lastspike.cli.edition import find_edition, shown
from lastspike.cli.files import bytes_written_whole, write_json, written_whole
from lastspike.cli.options import (
    Bots,
    PlayedEdition,
    Players,
    Seed,
    WhenDouble,
    WhoSeesCash,
    seed_or_new,
)
from lastspike.cli.progress import bar, fault_lines
from lastspike.cli.workers import Cores, OnCluster, workers
from lastspike.lab.arena.game_runner import Faults
from lastspike.lab.arena.series import Series
from lastspike.lab.arena.workers import Jobs
from lastspike.lab.corpus.manifest import NAME, entry_of, finished_parts, manifest_of, seed_of
from lastspike.lab.corpus.plan import parts_of
from lastspike.lab.research.dataset import Part, play_parts
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Hands, Options
from lastspike.words.language import words_for


def dataset(
    columns: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write one row per decision, as Parquet."),
    ] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game records, one per line.")
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write games of all levels, with two to six players, as records with a manifest. "
            "Run the command again to resume.",
        ),
    ] = None,
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1000,
    seed: Seed = None,
    bots: Bots = None,
    edition: PlayedEdition = DEFAULT_EDITION,
    double_cost: WhenDouble = "forced",
    cash: WhoSeesCash = "open",
    hands: Annotated[
        Hands, typer.Option(help="Rule S3: whether everybody sees all hands.")
    ] = "hidden",
    jobs: Cores = None,
    cluster: OnCluster = None,
) -> None:
    """Play games between computer players and save them as training data.

    The files appear once all games are played, or not at all.
    """
    if corpus:
        if columns or records or bots:
            raise LastSpikeError("--corpus has its own players and files; leave them out")
        with workers(jobs, cluster) as playing:
            _write_corpus(corpus, games, seed_or_new(seed or seed_of(corpus)), playing)
        return
    if columns is None and records is None:
        raise LastSpikeError("nothing to write: give --columns FILE, --records FILE or both")
    same = columns and records and columns.resolve() == records.resolve()
    if columns and same and not columns.is_char_device():
        raise LastSpikeError(
            "--columns and --records both point to {path}; give each its own file",
            path=shown(columns),
        )
    options = Options(double_cost=double_cost, cash=cash, hands=hands)
    series = Series(
        find_edition(edition), players, options, seed_or_new(seed), split_names(bots or ())
    )
    series.setup()  # fail on a bad number of players before anything is written
    check_players(series.seats)
    with workers(jobs, cluster) as playing:
        total = _write(series, games, playing, columns, records)
    words = words_for()
    typer.echo(words.count("{n} game was written.", "{n} games were written.", games))
    typer.echo(words.count("{n} decision was made.", "{n} decisions were made.", total.decisions))
    typer.echo(words.say("The seed was {seed}.", seed=shown(series.seed)))
    for line in fault_lines(total.faults, words):
        typer.echo(line)


def _write_corpus(folder: Path, games: int, seed: str, jobs: Jobs) -> None:
    """Write the parts that are missing, one after the other, and the manifest after each."""
    words = words_for()
    folder.mkdir(parents=True, exist_ok=True)
    parts = parts_of(games, seed)
    finished = finished_parts(folder, parts)
    done = [finished[part.file] for part in parts if part.file in finished]
    with bar() as progress:
        task = progress.add_task(
            words.say("Playing"), total=games, completed=sum(entry["games"] for entry in done)
        )
        for part in parts:
            if part.file in finished:
                continue
            with written_whole(folder / part.file) as file:
                faults = Faults()
                for played in play_parts(part.series, part.games, jobs, columns=False):
                    file.write(played.records)
                    faults += played.faults
                    progress.update(task, advance=played.games)
            done.append(entry_of(folder, part, faults.count))
            done.sort(key=lambda entry: entry["file"])
            write_json(folder / NAME, manifest_of(games, seed, done, parts), ascii_only=True)
    typer.echo(words.count("{n} game was written.", "{n} games were written.", games))
    typer.echo(words.say("The seed was {seed}.", seed=shown(seed)))


def _write(
    series: Series, games: int, jobs: Jobs, columns: Path | None, records: Path | None
) -> Part:
    """Play the games, write the requested files, and return the totals."""
    decisions, faults = 0, Faults()
    with ExitStack() as files, bar() as progress:
        lines = files.enter_context(written_whole(records)) if records else None
        rows = files.enter_context(_rows(columns, series)) if columns else None
        task = progress.add_task(words_for().say("Playing"), total=games)
        for part in play_parts(series, games, jobs, columns is not None):
            decisions += part.decisions
            faults += part.faults
            if lines:
                lines.write(part.records)
            if rows:
                rows(part.columns)
            progress.update(task, advance=part.games)
    return Part(games, decisions, faults, "", None)


@contextmanager
def _rows(path: Path, series: Series) -> Iterator[Callable[[Any], None]]:
    """A function that writes rows to a Parquet file."""
    from lastspike.lab.research.columns import writing  # PyArrow is optional and slow to import

    with bytes_written_whole(path) as file, writing(file, series) as write:
        yield write
