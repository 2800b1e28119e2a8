"""`lastspike status` and `lastspike config check`: is the server well, and are its settings?"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

import typer

from lastspike.release import full_version
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import Words, words_for

from .database import ConfigFile, Database, reached

if TYPE_CHECKING:
    from lastspike.server.config.settings import Config

app = typer.Typer(help="Check a server’s settings.", no_args_is_help=True)

SECONDS = 10
_OPEN = build_opener(ProxyHandler({})).open  # the server is here: ask no proxy


@app.callback()
def _group() -> None:
    pass


@app.command()
def check(config: ConfigFile = None, database: Database = None) -> None:
    """Check the settings and the database without starting the server, and show all settings."""
    from lastspike.server.config.reading import read_config
    from lastspike.server.storage.upkeep.upgrade import is_current

    settings, words = read_config(config, os.environ, {"database": database}), words_for()
    for name, value in settings.__rich_repr__():
        if name != "limits":
            typer.echo(f"{name} = {_toml(value)}")
    typer.echo("\n[limits]")
    for name in settings.limits.__struct_fields__:
        typer.echo(f"{name} = {_toml(getattr(settings.limits, name))}")
    typer.echo()
    file = settings.database_file
    if file is not None and not file.exists():
        _check_folder(file)
        typer.echo(words.say("The database doesn’t exist yet; the server will create it."))
    else:
        with reached(settings):
            current = asyncio.run(is_current(settings.database))
        if current:
            typer.echo(words.say("The database is ready for this version."))
        elif settings.is_sqlite:
            typer.echo(words.say("The server will upgrade the database when it starts."))
        else:
            raise LastSpikeError(
                "the database is not ready for this version; run: lastspike db upgrade"
            )
    typer.echo(words.say("The settings are valid."))


def status(config: ConfigFile = None, database: Database = None) -> None:
    """Show whether the server on this machine is running, and its version, load and tables.

    The exit status is 0 if the server is running and healthy.
    """
    from lastspike.server.config.reading import read_config

    settings, words = read_config(config, os.environ, {"database": database}), words_for()
    address = server_address(settings)
    health = _get(f"{address}healthz")
    version = json.loads(health)["version"]
    typer.echo(
        words.say("Running at {address}, version {version}", address=address, version=version)
    )
    if version != full_version():
        typer.echo(
            words.say(
                "Version {version} is installed: restart the server to use it.",
                version=full_version(),
            )
        )
    for line in _load(_get(f"{address}metrics"), words):
        typer.echo(line)
    with reached(settings):
        counts, people = asyncio.run(_stored(settings))
    for state, count in counts.items():
        typer.echo(words.say("Tables ({status}): {count}", status=state, count=count))
    typer.echo(words.say("Players known: {count}", count=people))
    file = settings.database_file
    if file is not None:
        megabytes = sum(
            each.stat().st_size for each in file.parent.glob(f"{file.name}*") if each.is_file()
        )
        typer.echo(words.say("Database: {size} MB", size=f"{megabytes / 1e6:.1f}"))


async def _stored(settings: Config) -> tuple[dict[str, int], int]:
    """The number of tables by status, and of persons."""
    from lastspike.server.storage import Storage

    storage = Storage(settings.database)  # not opened: that might upgrade a running server's tables
    try:
        return await storage.logs.count_by_status(), await storage.persons.count()
    finally:
        await storage.close()


def _check_folder(file: Path) -> None:
    folder = file.parent
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK):
        raise LastSpikeError("{path}: can’t be written to", path=folder)


def _toml(value: object) -> str:
    return "–" if value is None else json.dumps(value, ensure_ascii=False)


def server_address(settings: Config) -> str:
    """Where the server listens: the lock of its database knows, or else the settings do."""
    from lastspike.server.run.listening import EVERYWHERE, http_address
    from lastspike.server.run.lockfile import DatabaseInUse, locked

    if settings.database_file is not None and settings.database_file.exists():
        try:
            with locked(settings.database_file):
                raise LastSpikeError(
                    "no server is using the database {path}", path=settings.database_file
                )
        except DatabaseInUse as used:
            if (address := used.address()) is not None:
                return address
    return http_address(EVERYWHERE.get(settings.host, settings.host), settings.port)


def _get(url: str) -> str:
    try:
        with _OPEN(url, timeout=SECONDS) as answer:
            return str(answer.read().decode())
    except HTTPError as error:
        reason: object = f"{error.code} {error.reason}"
    except URLError as error:
        reason = error.reason
    except (OSError, ValueError) as error:
        reason = error
    raise LastSpikeError("{address}: the request failed: {reason}", address=url, reason=reason)


def _load(text: str, words: Words) -> Iterator[str]:
    """The load, from the metrics of all workers on this machine."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        labelled, _, value = line.rpartition(" ")
        name = labelled.partition("{")[0]
        if not line.startswith("#"):
            with suppress(ValueError):
                found[name] = found.get(name, 0) + float(value)

    def number(name: str) -> int:
        return int(found.get(name, 0))

    yield words.say("Connections: {count}", count=number("lastspike_sockets_open"))
    yield words.say("Tables in memory: {count}", count=number("lastspike_tables_live"))
    yield words.say("Turns since startup: {count}", count=number("lastspike_turns_total"))
    commits = found.get("lastspike_commit_seconds_count", 0)
    if commits:
        ms = 1000 * found["lastspike_commit_seconds_sum"] / commits
        yield words.say("Average time to store a turn: {ms} ms", ms=f"{ms:.1f}")
