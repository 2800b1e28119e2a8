"""`lastspike serve`: runs a server, configured by command line, environment or a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from lastspike.words.language import words_for


def serve(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings in TOML; see docs/hosting.md.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL|FILE", help="SQLite file or PostgreSQL to keep everything in."),
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen at; 0 for any.")] = None,
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where people find it, if it is behind a proxy."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that serve; several need PostgreSQL.")
    ] = None,
    retention_days: Annotated[
        int | None, typer.Option(help="Forget tables without news after so many days; 0: never.")
    ] = None,
    create_token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            help="Who creates tables must know it. Others on this machine can see what you type; "
            "LASTSPIKE_CREATE_TOKEN or the file hide it better.",
        ),
    ] = None,
    public_list: Annotated[
        bool | None,
        typer.Option("--public-list/--no-public-list", help="Show public tables to everybody."),
    ] = None,
    allow_private_webhooks: Annotated[
        bool | None,
        typer.Option(
            "--allow-private-webhooks/--no-private-webhooks",
            help="Let turn alerts go to addresses of your own network.",
        ),
    ] = None,
    log_format: Annotated[
        str | None, typer.Option(metavar="text|json", help="How log lines are written.")
    ] = None,
) -> None:
    """Serve tables to others.

    What is not given here is taken from LASTSPIKE_… in the environment, then from the file. On
    SIGTERM or Ctrl-C it lets open requests end first.
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

    def tell(address: str) -> None:
        words = words_for()
        typer.echo(words.say("Serving at {address}", address=address))
        if settings.base_url is not None:
            typer.echo(
                words.say("Players can reach it at {address}", address=f"{settings.base_url}/")
            )

    run(settings, ready=tell)
