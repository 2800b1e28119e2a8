"""`lastspike bots`: lists the computer players."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from lastspike.bots.levels import EXEC, offered_players
from lastspike.words.language import Words, words_for
from lastspike.words.names import level_names

from .progress import print_parts

_SLOW = ("speculator", "tycoon")
"""Levels whose turns take up to half a second; the others answer at once."""


def bots() -> None:
    """List the computer players, weakest first."""
    print_parts(_parts(words_for()))


def _parts(words: Words) -> Iterator[RenderableType]:
    say = words.say
    yield say("Levels, weakest first, with the maximum time per turn:")
    table = _grid()
    for name, level in level_names(words).items():
        time = say("half a second") if name in _SLOW else say("instant")
        own = [level.name] if words.language != "en" else []  # in English it is what is typed
        table.add_row(f"  {name}", *own, level.ease, level.style, time)
    yield table
    yield ""
    yield say("speculator:N runs N playouts per turn; more is stronger but slower.")
    yield say("tycoon:N searches N sampled deals per turn; tycoon:0 only looks one turn ahead.")
    yield say("tycoon@FILE and tycoon:N@FILE use a net from lastspike train.")
    yield ""
    offered = offered_players()
    if offered:
        yield say("Players from installed packages:")
        found = _grid()
        for player in offered:
            package = player.dist.name if player.dist else ""
            source = say("from {package}", package=package) if package else player.value
            found.add_row(f"  {player.name}", source)
        yield found
    else:
        yield say("No installed package offers other players.")
    yield ""
    yield say(
        "{command} plays with a class in a Python file (see docs/players.md): {example}",
        command="FILE.py:CLASS",
        example="my_player.py:Miser",
    )
    yield ""
    yield say(
        "{command} runs your own program, in any language; it speaks a line protocol (see "
        "docs/players.md). Put it in quotes: {example}",
        command=f"{EXEC}COMMAND",
        example=f"'{EXEC}python3 my_player.py'",
    )
    yield ""
    yield say("Use these names wherever a command asks for players:")
    yield "  lastspike simulate --bots clerk,surveyor"
    yield "  lastspike arena surveyor clerk --deals 50"


def _grid() -> Table:
    return Table.grid(padding=(0, 2))
