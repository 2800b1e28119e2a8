"""`lastspike db`: upgrades, backs up and restores a server's database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastspike.cli.progress import bar
from lastspike.words.language import words_for

from .files import already_there

if TYPE_CHECKING:
    from lastspike.server.config.settings import Config

app = typer.Typer(help="Upgrade, back up or restore a server’s database.", no_args_is_help=True)

ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The server’s settings file, in TOML."),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL|FILE", help="The database to use instead of the one in the settings."
    ),
]


@app.command()
def upgrade(config: ConfigFile = None, database: Database = None) -> None:
    """Create the database’s tables, or upgrade them to this version."""
    from lastspike.server.storage.upkeep.upgrade import upgrade as bring_up

    settings = _settings(config, database)
    with _unserved(settings), reached(settings):
        asyncio.run(bring_up(settings.database))
    typer.echo(words_for().say("The database is ready for this version."))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write: *.jsonl.gz, *.db or *.dump.")],
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
    config: ConfigFile = None,
    database: Database = None,
) -> None:
    """Back up the whole database to a file, even while it is in use.

    *.jsonl.gz works with any database, *.db only with SQLite, *.dump only with PostgreSQL and
    pg_dump.
    """
    from lastspike.server.storage.upkeep.backup import backup as save

    if file.exists() and not force:
        raise already_there(file)
    settings = _settings(config, database)
    with reached(settings), _progress(words_for().say("Saving")) as progress:
        asyncio.run(save(settings.database, file, progress))
    typer.echo(words_for().say("Saved: {path}", path=file))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `lastspike db backup`.")],
    config: ConfigFile = None,
    database: Database = None,
) -> None:
    """Restore a backup into an empty database that no server is using."""
    from lastspike.server.storage.upkeep.backup import restore as bring_back

    settings = _settings(config, database)
    with (
        _unserved(settings),
        reached(settings),
        _progress(words_for().say("Restoring")) as progress,
    ):
        asyncio.run(bring_back(settings.database, file, progress))
    typer.echo(words_for().say("Restored: {path}", path=file))


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """Shows a bar and updates it when called with the amount done and the total."""
    with bar() as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def _settings(config: Path | None, database: str | None) -> Config:
    from lastspike.server.config.reading import read_config

    return read_config(config, os.environ, {"database": database})


@contextmanager
def reached(settings: Config) -> Iterator[None]:
    """Raise `LastSpikeError` with address and reason if the database can't be reached."""
    from lastspike.server.config.settings import without_password
    from lastspike.server.storage.errors import StorageDown, unreachable

    try:
        yield
    except StorageDown as error:
        raise unreachable(without_password(settings.database), error) from None


@contextmanager
def _unserved(settings: Config) -> Iterator[None]:
    """Lock a SQLite file against servers; `LastSpikeError` if one is using it."""
    from lastspike.server.run.lockfile import locked

    if settings.database_file is None:
        yield
        return
    with locked(settings.database_file):
        yield
