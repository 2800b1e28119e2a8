"""`lastspike bots`: lists the computer players."""

from __future__ import annotations

import typer
from rich.table import Table

from lastspike.bots.levels import EXEC, LEVELS, offered_players

from .progress import plain_console

_ABOUT = {
    "greenhorn": ("harmless", "plays at random, but legally", "at once"),
    "clerk": ("easy", "takes what pays at once", "at once"),
    "surveyor": ("good", "weighs what routes are likely to pay", "at once"),
    "speculator": ("strong", "plays its best turns out in many worlds", "half a second"),
    "tycoon": ("strongest", "has learned from millions of games", "half a second"),
}
"""By level: its strength, how it plays, and how long a turn takes."""


def bots() -> None:
    """List the computer players, weakest first."""
    console = plain_console()
    levels = Table.grid(padding=(0, 2))
    for name in LEVELS:
        levels.add_row(f"  {name}", *_ABOUT[name])
    console.print("Levels, weakest first, and what a turn takes them at the most:")
    console.print(levels)
    typer.echo("  speculator:N thinks N playouts a turn; more is stronger and slower.")
    typer.echo("  tycoon:N searches in N worlds a turn; tycoon:0 looks one turn ahead.")
    typer.echo("  tycoon@FILE and tycoon:N@FILE play by the net that lastspike train left there.\n")
    offered = offered_players()
    if offered:
        found = Table.grid(padding=(0, 2))
        for player in offered:
            package = player.dist.name if player.dist else ""
            found.add_row(f"  {player.name}", f"from {package}" if package else player.value)
        console.print("Players of installed packages:")
        console.print(found)
        console.print()
    else:
        console.print("Installed packages offer no others.\n")
    console.print(
        f"{EXEC}COMMAND is a program of your own, in any language, that speaks a protocol"
    )
    console.print("of lines: see docs/players.md. Quote it: 'exec:python3 my_player.py'.\n")
    console.print("Names go wherever players are chosen:")
    console.print("  lastspike simulate --bots clerk,surveyor")
    console.print("  lastspike arena surveyor clerk --deals 50")
