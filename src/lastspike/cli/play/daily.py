"""`lastspike daily`: the Daily Deal of the public chain, in the terminal and without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lastspike.languages import Language


def daily(
    day: Annotated[
        str | None, typer.Option(help="A past day, like 2026-11-19. Default: today.")
    ] = None,
    name: Annotated[str, typer.Option(help="Your name.")] = "",
    tycoon: Annotated[
        bool, typer.Option("--tycoon", help="Have Tycoon play the same deal, to compare.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the games in this folder.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain scrolling text, for screen readers.")
    ] = False,
    language: Annotated[Language | None, typer.Option(help="The language to play in.")] = None,
) -> None:
    """Play the Daily Deal in this terminal, and see how well you played.

    Everybody gets the same deal, alone against three computers. It is the public deal that ships
    with the game: anybody can compute it, so it is not ranked. Run it again to resume.
    """
    from .daily_session import play_daily  # loads what most commands don't need

    play_daily(day, name, folder, plain=plain, tycoon=tycoon, language=language)
