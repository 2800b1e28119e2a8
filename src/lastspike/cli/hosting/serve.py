"""`lastspike serve`: runs a server, configured by command line, environment or a file."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Annotated

import typer

from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

log = logging.getLogger(__name__)


def serve(
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The settings file, in TOML; see docs/hosting.md."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL|FILE", help="The database: a SQLite file or a PostgreSQL URL."),
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[
        int | None, typer.Option(help="The port to listen on; 0 for any free one.")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The public address, if the server is behind a proxy."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of worker processes; more than one needs PostgreSQL.")
    ] = None,
    retention_days: Annotated[
        int | None,
        typer.Option(
            help="Delete tables after this many days without activity; 0 keeps them forever."
        ),
    ] = None,
    create_token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            help="A token that people need to create tables. Other users of this machine can see "
            "it on the command line; LASTSPIKE_CREATE_TOKEN or the settings file is safer.",
        ),
    ] = None,
    public_list: Annotated[
        bool | None,
        typer.Option("--public-list/--no-public-list", help="List public tables for everybody."),
    ] = None,
    allow_private_webhooks: Annotated[
        bool | None,
        typer.Option(
            "--allow-private-webhooks/--no-private-webhooks",
            help="Allow turn alerts to addresses on your own network.",
        ),
    ] = None,
    log_format: Annotated[
        str | None, typer.Option(metavar="text|json", help="The log format.")
    ] = None,
) -> None:
    """Run a server for others to play on.

    Options not given here come from LASTSPIKE_… environment variables, then from the settings file.
    On SIGTERM or Ctrl-C, the server finishes open requests first.
    """
    from lastspike.server.config.reading import read_config
    from lastspike.server.run.serving import serve as run

    settings = read_config(
        config,
        os.environ,
        {
            "database": database,
            "host": host,
            "port": port,
            "base_url": base_url,
            "workers": workers,
            "retention_days": retention_days,
            "create_token": create_token,
            "public_list": public_list,
            "allow_private_webhooks": allow_private_webhooks,
            "log_format": log_format,
        },
    )

    words, as_json = words_for(), settings.log_format == "json"
    say = log.info if as_json else typer.echo

    def tell(address: str) -> None:
        say(words.say("Serving at {address}", address=address))
        if settings.base_url is not None:
            say(words.say("Players can reach it at {address}", address=f"{settings.base_url}/"))

    try:
        run(settings, ready=tell)
    except LastSpikeError as error:
        if not as_json:
            raise
        log.critical("%s", words.error(error))
        raise typer.Exit(1) from None
