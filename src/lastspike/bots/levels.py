"""Computer players by name: built-in levels, packages, Python files, and external programs.

A name is a level (`surveyor`), a level with a budget (`speculator:240`), Tycoon with a custom net
(`tycoon@net.npz`, `tycoon:0@net.npz`), a player from an installed package, a class in a file
(`my_player.py:Miser`), or `exec:COMMAND` for a program that speaks the line protocol.
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points

from lastspike.rules.errors import LastSpikeError

from .clerk import Clerk
from .external.guard import Guarded, own_seed
from .external.python_file import in_file
from .greenhorn import Greenhorn
from .player import HINT, ComputerPlayer, Judge
from .speculator import Speculator
from .surveyor import Surveyor

TYCOON = "tycoon"


def _tycoon(seed: str, worlds: int | None = None, net: str | None = None) -> ComputerPlayer:
    from .tycoon.player import Tycoon  # imports NumPy, which is slow

    return Tycoon(seed, net=net) if worlds is None else Tycoon(seed, worlds, net)


LEVELS: dict[str, Callable[[str], ComputerPlayer]] = {
    Greenhorn.level: Greenhorn,
    Clerk.level: Clerk,
    Surveyor.level: Surveyor,
    Speculator.level: Speculator,
    TYCOON: _tycoon,
}
"""The built-in levels, weakest first; each value makes a player from a seed."""

ENTRY_POINTS = "lastspike.players"
"""The entry-point group of packages that offer players: callables from a seed to a player."""

EXEC = "exec:"

MOST_PLAYOUTS = 1_000_000
MOST_WORLDS = 1_000
"""All worlds are searched at once; this many take about 300 MB."""
_WHOLE = re.compile(r"[0-9]{1,7}")
_TYCOON = re.compile(rf"{TYCOON}(?::(?P<worlds>[^@]*))?(?:@(?P<net>.+))?")


def make_player(name: str, seed: str) -> ComputerPlayer:
    """The computer player of this name; `LastSpikeError` lists the known names."""
    if name.startswith(EXEC):
        from .external.program import Program

        return Program(name.removeprefix(EXEC), seed)
    if found_file := in_file(name):
        return _guarded(name, found_file.load, seed)
    level, _, budget = name.partition(":")
    if level == Speculator.level and budget:
        return Speculator(seed, playouts=_budget(name, budget, 1, MOST_PLAYOUTS))
    if found := _TYCOON.fullmatch(name):
        given, net = found["worlds"], found["net"]
        worlds = None if given is None else _budget(name, given, 0, MOST_WORLDS)
        return _tycoon(seed, worlds, net)
    if name in LEVELS:
        return LEVELS[name](seed)
    for offered in offered_players():
        if offered.name == name:
            return _guarded(name, offered.load, seed)
    raise LastSpikeError(
        "there is no computer player called {name}; choose from {known}",
        name=name or "''",
        known=(*LEVELS, *(offered.name for offered in offered_players())),
    )


def judge_of_turns(seed: str = HINT, worlds: int | None = None) -> Judge:
    """The judge behind hints and reviews: Tycoon. With the usual seed and worlds it is the hint."""
    from .tycoon.player import USUAL, Tycoon

    return Tycoon(seed, USUAL.worlds if worlds is None else worlds)


def check_players(names: Iterable[str]) -> None:
    """Raise `LastSpikeError` for an unknown name, or a program that does not exist."""
    for name in sorted(set(names)):
        make_player(name, "").close()
        if name.startswith(EXEC) and not shutil.which(shlex.split(name.removeprefix(EXEC))[0]):
            raise LastSpikeError(
                "the player {name} can’t be started: {reason}",
                name=name,
                reason=os.strerror(errno.ENOENT),
            )


def split_names(texts: Iterable[str]) -> tuple[str, ...]:
    """The comma-separated names in these texts; an `exec:` command keeps its commas."""
    names: list[str] = []
    for text in texts:
        names += [text] if text.startswith(EXEC) else [name.strip() for name in text.split(",")]
    return tuple(names)


def shown_name(name: str) -> str:
    """A player's display name: a level capitalized; a program or a file as typed."""
    return name if is_from_outside(name) else name[:1].upper() + name[1:]


def is_from_outside(name: str) -> bool:
    """Whether the name itself says which program or file to run."""
    return name.startswith(EXEC) or in_file(name) is not None


def is_ours(name: str) -> bool:
    """Whether it is a built-in level, with or without a budget, or a command."""
    return name.startswith(EXEC) or name.partition(":")[0] in LEVELS


def offered_players() -> list[EntryPoint]:
    """The players from installed packages, sorted by name."""
    return sorted(entry_points(group=ENTRY_POINTS), key=lambda offered: offered.name)


def _budget(name: str, budget: str, least: int, most: int) -> int:
    if not (_WHOLE.fullmatch(budget) and least <= int(budget) <= most):
        raise LastSpikeError(
            "{name}: expected a number from {least} to {most} after the colon",
            name=name,
            least=least,
            most=most,
        )
    return int(budget)


def _guarded(name: str, load: Callable[[], Callable[[str], object]], seed: str) -> ComputerPlayer:
    """A player of somebody else's, once its maker is loaded."""
    try:
        player = load()(own_seed(seed))
    except (Exception, SystemExit) as error:
        raise LastSpikeError(
            "the player {name} can’t be started: {reason}", name=name, reason=repr(error)
        ) from error
    if not isinstance(player, ComputerPlayer):
        raise LastSpikeError("{name} isn’t a computer player", name=name)
    return Guarded(player, seed, level=name)
