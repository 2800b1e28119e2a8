"""What a command of many games shows: a bar while they are played, then the players' faults."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lastspike.lab.arena.game_runner import Faults
from lastspike.words.language import Words


def bar() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def fault_lines(faults: Faults, words: Words) -> Iterator[str]:
    """What players did wrong, if anything, and what came of it."""
    if faults.count:
        yield words.count(
            "There was {n} fault of a player: random moves finished its turn, "
            "and play on after three in a game or when a program ends.",
            "There were {n} faults of players: random moves finished their turns, "
            "and play on after three in a game or when a program ends.",
            faults.count,
        )
        yield words.say("The first: {what}", what=faults.first)
