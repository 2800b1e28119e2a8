"""`lastspike play`: plays a game in the browser or in the terminal."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lastspike.languages import Language
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Cash, DoubleCost, Hands, Options

from .terminal.starting import Wanted, play_here

HERE = "In this terminal"
SERVED = "In the browser"

_here = partial(typer.Option, rich_help_panel=HERE)
_served = partial(typer.Option, rich_help_panel=SERVED)


def play(
    context: typer.Context,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal, not in the browser.")
    ] = False,
    port: Annotated[
        int | None,
        _served(min=0, max=65_535, help="Default: 8869, or a free one if it is taken."),
    ] = None,
    lan: Annotated[bool, _served("--lan", help="Let others on your local network join.")] = False,
    no_browser: Annotated[bool, _served("--no-browser", help="Open no browser.")] = False,
    database: Annotated[
        Path | None,
        _served(metavar="FILE", help="Keep the games in this file, not in your data folder."),
    ] = None,
    people: Annotated[
        int | None, _here(min=1, max=6, help="People at this screen; asked for if left out.")
    ] = None,
    computers: Annotated[
        int | None, _here(min=0, max=5, help="Computer players; asked for if left out.")
    ] = None,
    level: Annotated[
        list[str] | None,
        _here(help="A computer player's level; once for all, or once for each."),
    ] = None,
    name: Annotated[list[str] | None, _here(help="A person's name; give it once for each.")] = None,
    edition: Annotated[str, _here(help="An edition's id or file.")] = DEFAULT_EDITION,
    double_cost: Annotated[
        DoubleCost, _here(help="Must an adjacent tile be laid before one at double cost?")
    ] = "forced",
    cash: Annotated[Cash, _here(help="Does everybody see everybody's cash?")] = "open",
    hands: Annotated[Hands, _here(help="Open hands are for teaching.")] = "hidden",
    seed: Annotated[str | None, _here(help="Deal the same game for the same text.")] = None,
    save_to: Annotated[
        Path | None, _here("--save", help="Keep the game in this file, or go on with it.")
    ] = None,
    new: Annotated[bool, _here("--new", help="Begin anew; a game left is kept.")] = False,
    plain: Annotated[bool, _here("--plain", help="A scroll of text, for screen readers.")] = False,
    language: Annotated[Language | None, _here(help="The language to play in.")] = None,
) -> None:
    """Play a game. A small server on this machine opens it in your browser; Ctrl-C ends it.

    With --terminal: people round this screen, computer players for the other seats. Either way
    every turn is saved, and the same command goes on.
    """
    _refuse_foreign(context, terminal)
    if not terminal:
        # Imported only here: litestar and SQLAlchemy take a second to load.
        from .browser import play_in_browser

        play_in_browser(port, lan=lan, browser=not no_browser, database=database)
        return
    play_here(
        Wanted(
            people,
            computers,
            level or [],
            name or [],
            edition,
            Options(double_cost, cash, hands),
            seed,
            save_to,
            new,
            plain,
            language,
        )
    )


def _refuse_foreign(context: typer.Context, terminal: bool) -> None:
    """Raise `LastSpikeError` if an option of the other way to play was given."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is None or source.name != "COMMANDLINE":
            continue
        panel = getattr(parameter, "rich_help_panel", None)
        if panel == HERE and not terminal:
            raise LastSpikeError(
                "{option} works only in the terminal: lastspike play --terminal {option}",
                option=parameter.opts[0],
            )
        if panel == SERVED and terminal:
            raise LastSpikeError(
                "{option} works only in the browser; drop it, or drop --terminal",
                option=parameter.opts[0],
            )
