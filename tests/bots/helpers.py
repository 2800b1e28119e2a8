"""Games between given players, and programs on a leash that shows when they are gone."""

from __future__ import annotations

import os
import select
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lastspike.bots.external.program import Program
from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.player import ComputerPlayer
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Options, setup

ROOT = Path(__file__).parents[2]
BAD_PLAYER = Path(__file__).parent / "external" / "bad_player.py"
BRIEF = 0.15
"""Seconds to wait for what will not come."""
SOON = 20.0
"""Seconds after which something that should happen at once has not happened."""


def new_game(
    players: int, seed: str = "plug-ins", *, edition: Edition | None = None, **options: Any
) -> Game:
    table = setup(edition or shipped(), players, Options(**options))
    return Game.shuffled(table, Stream(seed_of_text(seed)))


def play_to_the_end(game: Game, players: Sequence[ComputerPlayer], *, by_turns: bool = True) -> int:
    """Play the game, whole turns or move by move; how often the first player was asked."""
    asked = 0
    while game.turn is not None:
        player = players[game.turn]
        asked += player is players[0]
        view = game.view(game.turn)
        for move in player.turn(view) if by_turns else [player.choose(view)]:
            game.play(move)  # raises if it is illegal
    for player in players:
        player.close()
    assert game.outcome is not None
    return asked


def one_view(**options: Any) -> tuple[Game, int]:
    """A game at its first move, and the seat to make it."""
    game = new_game(3, **options)
    assert game.turn is not None
    return game, game.turn


def gone(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def game_against(program: Program, seed: str = "plug-ins") -> int:
    """A whole game of the program and two Greenhorns; how many turns the program had."""
    return play_to_the_end(new_game(3, seed), [program, Greenhorn("one"), Greenhorn("two")])


def faults_of(program: Program) -> list[str]:
    """What the faults say, the program's name left out."""
    return [str(fault).replace(program.level, "NAME") for fault in program.faults]


class Leash:
    """A named pipe that a program and its children hold open as long as they live."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "leash"
        os.mkfifo(self.path)
        self._end = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def command(self, kind: str) -> str:
        """Runs a bad player of this kind, quickly and on the leash."""
        words = [sys.executable, "-I", "-S", str(BAD_PLAYER), kind, str(self.path)]
        return shlex.join(words)

    def nobody_left(self) -> bool:
        """Waits until nobody holds the leash; False if somebody still does."""
        # A pipe that nobody has ever held does not count as let go of.
        os.close(os.open(self.path, os.O_WRONLY | os.O_NONBLOCK))
        while select.select([self._end], [], [], SOON)[0]:
            if not os.read(self._end, 1024):
                return True
        return False

    def close(self) -> None:
        os.close(self._end)
