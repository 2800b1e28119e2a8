"""`lastspike play`: a game in the browser, served from this machine; or in this terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Cash, DoubleCost, Hands, Options

from .terminal.starting import Wanted, play_here

Language = Literal["en", "fr", "pt", "ja"]

HERE = "In this terminal"
SERVED = "In the browser"


def play(
    context: typer.Context,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal, not in the browser.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65_535,
            help="Default: 8869, or a free one if it is taken.",
            rich_help_panel=SERVED,
        ),
    ] = None,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan", help="Let others on your local network join.", rich_help_panel=SERVED
        ),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Open no browser.", rich_help_panel=SERVED)
    ] = False,
    database: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the games in this file, not in your data folder.",
            rich_help_panel=SERVED,
        ),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=6,
            help="People at this screen; asked for if left out.",
            rich_help_panel=HERE,
        ),
    ] = None,
    computers: Annotated[
        int | None,
        typer.Option(
            min=0, max=5, help="Computer players; asked for if left out.", rich_help_panel=HERE
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help="A computer player's level; once for all, or once for each.", rich_help_panel=HERE
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A person's name; give it once for each.", rich_help_panel=HERE),
    ] = None,
    edition: Annotated[
        str, typer.Option(help="An edition's id or file.", rich_help_panel=HERE)
    ] = DEFAULT_EDITION,
    double_cost: Annotated[
        DoubleCost,
        typer.Option(
            help="Must an adjacent tile be laid before one at double cost?", rich_help_panel=HERE
        ),
    ] = "forced",
    cash: Annotated[
        Cash, typer.Option(help="Does everybody see everybody's cash?", rich_help_panel=HERE)
    ] = "open",
    hands: Annotated[
        Hands, typer.Option(help="Open hands are for teaching.", rich_help_panel=HERE)
    ] = "hidden",
    seed: Annotated[
        str | None,
        typer.Option(help="Deal the same game for the same text.", rich_help_panel=HERE),
    ] = None,
    save_to: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Keep the game in this file, or go on with it.", rich_help_panel=HERE
        ),
    ] = None,
    new: Annotated[
        bool,
        typer.Option("--new", help="Begin anew; a game left is kept.", rich_help_panel=HERE),
    ] = False,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="A scroll of text, for screen readers.", rich_help_panel=HERE),
    ] = False,
    language: Annotated[
        Language | None, typer.Option(help="The language to play in.", rich_help_panel=HERE)
    ] = None,
) -> None:
    """Play a game. A small server on this machine opens it in your browser; Ctrl-C ends it.

    With --terminal: people round this screen, computer players for the other seats. Either way
    every turn is saved, and the same command goes on.
    """
    _refuse_foreign(context, terminal)
    if not terminal:
        # Only here, for litestar and SQLAlchemy take a second that no other command should pay.
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
    """`LastSpikeError` at an option that is given and belongs to the other way to play."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is None or source.name != "COMMANDLINE":
            continue
        panel = getattr(parameter, "rich_help_panel", None)
        if panel == HERE and not terminal:
            raise LastSpikeError(
                "{option} is for a game in the terminal: lastspike play --terminal {option}",
                option=parameter.opts[0],
            )
        if panel == SERVED and terminal:
            raise LastSpikeError(
                "{option} is for a game in the browser; leave it or --terminal out",
                option=parameter.opts[0],
            )
