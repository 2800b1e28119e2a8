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
from lastspike.words.language import words_for

from .terminal.starting import Wanted, play_here

HERE = "In this terminal"
SERVED = "In the browser"

_here = partial(typer.Option, rich_help_panel=HERE)
_served = partial(typer.Option, rich_help_panel=SERVED)


def play(
    context: typer.Context,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal instead of the browser.")
    ] = False,
    port: Annotated[
        int | None,
        _served(
            min=0, max=65_535, help="The port. Default: 8869, or any free port if it is taken."
        ),
    ] = None,
    lan: Annotated[bool, _served("--lan", help="Let others on your local network join.")] = False,
    no_browser: Annotated[bool, _served("--no-browser", help="Don’t open a browser.")] = False,
    database: Annotated[
        Path | None,
        _served(metavar="FILE", help="Keep the games in this file instead of your data folder."),
    ] = None,
    people: Annotated[
        int | None, _here(min=1, max=6, help="Number of people at this screen. Default: asks you.")
    ] = None,
    computers: Annotated[
        int | None, _here(min=0, max=5, help="Number of computer players. Default: asks you.")
    ] = None,
    level: Annotated[
        list[str] | None,
        _here(help="Level of the computer players; give it once for all, or once for each."),
    ] = None,
    name: Annotated[
        list[str] | None, _here(help="A person’s name; give it once for each person.")
    ] = None,
    edition: Annotated[str, _here(help="The edition to play, by id or file.")] = DEFAULT_EDITION,
    double_cost: Annotated[
        DoubleCost, _here(help="Rule L5: when a tile may be laid at double cost.")
    ] = "forced",
    cash: Annotated[Cash, _here(help="Rule B3: whether everybody sees all cash.")] = "open",
    hands: Annotated[
        Hands, _here(help="Rule S3: whether everybody sees all hands; open is for teaching.")
    ] = "hidden",
    seed: Annotated[str | None, _here(help="Any text; the same seed gives the same deal.")] = None,
    save_to: Annotated[
        Path | None, _here("--save", help="Save the game in this file, or resume it from there.")
    ] = None,
    new: Annotated[
        bool, _here("--new", help="Start a new game; an unfinished one is kept.")
    ] = False,
    plain: Annotated[
        bool, _here("--plain", help="Plain scrolling text, for screen readers.")
    ] = False,
    language: Annotated[Language | None, _here(help="The language to play in.")] = None,
) -> None:
    """Play a game in your browser, on a small server on this machine. Press Ctrl-C to stop.

    With --terminal, people share this screen and computer players take the other seats. Either way,
    every turn is saved; run the same command again to resume.
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
    here, served = (words_for().say(panel) for panel in (HERE, SERVED))
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is None or source.name != "COMMANDLINE":
            continue
        panel = getattr(parameter, "rich_help_panel", None)
        if panel == here and not terminal:
            raise LastSpikeError(
                "{option} works only in the terminal: lastspike play --terminal {option}",
                option=parameter.opts[0],
            )
        if panel == served and terminal:
            raise LastSpikeError(
                "{option} works only in the browser; drop it, or drop --terminal",
                option=parameter.opts[0],
            )
