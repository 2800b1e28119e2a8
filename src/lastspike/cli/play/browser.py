"""Starts a local server and opens the game in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit

import typer

from lastspike.server.config.reading import read_config
from lastspike.server.run.listening import http_address, lan_host
from lastspike.server.run.lockfile import DatabaseInUse
from lastspike.server.run.serving import serve
from lastspike.words.language import words_for


def play_in_browser(
    port: int | None, *, lan: bool = False, browser: bool = True, database: Path | None = None
) -> None:
    """Serve until Ctrl-C. If a server already uses the database, open that one instead."""
    config = read_config(
        None,
        {},
        {
            "port": port,
            "host": "0.0.0.0" if lan else None,
            "database": None if database is None else str(database),
            "log_level": "warning",  # keep the terminal readable
        },
    )
    words = words_for()

    def show(address: str) -> None:
        typer.echo(words.say("The Last Spike is running at {address}", address=address))
        if lan:
            _tell_lan(address)
        typer.echo(words.say("Press Ctrl-C to stop. Every game is saved."))
        if browser and can_show():
            webbrowser.open(address)

    try:
        serve(config, ready=show, any_port=port is None)
    except DatabaseInUse as taken:
        address = taken.address()
        if address is None:
            raise
        typer.echo(words.say("The Last Spike is already running at {address}", address=address))
        if browser and can_show():
            webbrowser.open(address)


def can_show() -> bool:
    """Whether there is a display; without one, a text browser could take over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _tell_lan(address: str) -> None:
    words = words_for()
    host = lan_host()
    if host is None:
        typer.echo(words.say("This machine doesn’t seem to be on a network."))
        return
    there = http_address(host, urlsplit(address).port or 80)
    typer.echo(words.say("Others on your network can join at {address}", address=there))
