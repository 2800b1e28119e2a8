"""What commands that play many games share: cores, seeds, bars, and files written whole."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lastspike.lab.arena.playing import Faults
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import Words


def seed_or_new(given: str | None) -> str:
    """The seed that was given, or a new one."""
    seed = secrets.token_hex(8) if given is None else given
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise LastSpikeError("--seed: not a text in UTF-8") from None
    return seed


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


def cores() -> int:
    """The cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name when all is written, or not at all.

    What is no plain file, such as a pipe or /dev/null, is written to as it is.
    """
    with bytes_written_whole(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # with all that was written; the file is not the wrapper's to close


@contextmanager
def bytes_written_whole(path: Path) -> Iterator[BinaryIO]:
    """The same for bytes."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        opened = part.open("xb")
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        error.filename = str(path.parent)  # the other file is not one that anybody named
        raise
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
