"""Console output shared by commands: progress bars, report parts, players' faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from lastspike.lab.arena.game_runner import Faults
from lastspike.words.language import Words


def plain_console() -> Console:
    """A console that prints text as it is, without Rich's markup."""
    return Console(highlight=False, markup=False, emoji=False)


def print_parts(parts: Iterable[RenderableType]) -> None:
    console = plain_console()
    for part in parts:
        console.print(part)


def bar(count: ProgressColumn | None = None) -> Progress:
    """A progress bar on standard error, if that is a terminal; `count` shows the amount done."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        count or MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def fault_lines(faults: Faults, words: Words) -> Iterator[str]:
    """The number of players' faults, if any, and the first one."""
    if faults.count:
        yield words.count(
            "{n} player error: random moves finished that turn. After three errors in a "
            "game, or once a program exits, random moves play the rest of it.",
            "{n} player errors: random moves finished those turns. After three errors in a "
            "game, or once a program exits, random moves play the rest of it.",
            faults.count,
        )
        yield words.say("The first error: {what}", what=faults.first)
