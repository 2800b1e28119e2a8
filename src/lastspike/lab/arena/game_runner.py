"""Runs one game between computer players, timing each turn and surviving players' faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import NamedTuple

from lastspike.bots.external.guard import Guarded
from lastspike.bots.levels import make_player
from lastspike.bots.player import ComputerPlayer
from lastspike.bots.turn_check import fallback_player
from lastspike.rules.board import Seat
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.view import View

_ADDRESS = re.compile(r"\b0x[0-9a-f]+")


class Fault(NamedTuple):
    """A player's fault, after which random legal moves replaced its own."""

    seat: Seat
    what: str


@dataclass(frozen=True)
class Faults:
    """The number of faults in some games, and the first one."""

    count: int = 0
    first: str = ""

    def __add__(self, later: Faults) -> Faults:
        return Faults(self.count + later.count, self.first or later.first)

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Faults:
        return cls(len(faults), faults[0].what if faults else "")


class Played(NamedTuple):
    """A game's faults; and by seat the seconds of each turn, and how many turns the player made
    itself, without a fault."""

    faults: tuple[Fault, ...]
    seconds: tuple[tuple[float, ...], ...]
    own_turns: tuple[int, ...]


def play_between(game: Game, names: Sequence[str], seeds: Sequence[str]) -> Played:
    """Play a game to its end between the computer players of these names, one per seat.

    Every player is closed, even on an error.
    """
    seats: list[Seated] = []
    try:
        for name, seed in zip(names, seeds, strict=True):
            seats.append(Seated(name, seed))
        while (seat := game.turn) is not None:
            for move in seats[seat].turn(game.view(seat)):
                game.play(move)
    finally:
        for seated in seats:
            seated.close()
    return Played(
        tuple(Fault(seat, what) for seat, seated in enumerate(seats) for what in seated.faults),
        tuple(tuple(seated.seconds) for seated in seats),
        tuple(seated.own_turns for seated in seats),
    )


def check_seats(names: Sequence[str], seats: int) -> None:
    """Raise `LastSpikeError` if there are more names than seats."""
    if len(names) > seats:
        raise LastSpikeError(
            "more players than seats: {names} for {seats}; name fewer players, or play with "
            "more seats",
            names=len(names),
            seats=seats,
        )


class Seated:
    """A computer player in its seat. It always moves legally; `faults` lists where the fallback
    stepped in. A player that can't be created is replaced from the start."""

    def __init__(self, name: str, seed: str) -> None:
        self.own_turns = 0
        self._unmade: list[str] = []
        try:
            player = make_player(name, seed)
        except LastSpikeError as error:
            self._unmade = [_scrubbed(error)]
            player = fallback_player(seed)
        self._watch = _Watched(player)
        # Guarded players, such as programs, are timed including the guard; others without it.
        self._guard = (
            player if isinstance(player, Guarded) else Guarded(self._watch, seed, level=name)
        )
        self._asked = self._watch if self._guard is player else self._guard

    @property
    def faults(self) -> list[str]:
        return [*self._unmade, *map(_scrubbed, self._guard.faults)]

    @property
    def seconds(self) -> list[float]:
        return self._watch.seconds

    def turn(self, view: View) -> list[Move]:
        before = len(self.faults)
        asked = self._guard.asked and not self._unmade
        moves = self._asked.turn(view)
        self.own_turns += asked and len(self.faults) == before
        return moves

    def close(self) -> None:
        self._guard.close()


class _Watched(ComputerPlayer):
    """Times a player's turns: CPU time, which ignores other load on the machine, but wall-clock
    time for an external program."""

    def __init__(self, player: ComputerPlayer) -> None:
        super().__init__("")
        self.level = player.level
        self.seconds: list[float] = []
        self._player = player
        self._clock = perf_counter if isinstance(player, Guarded) else thread_time

    def choose(self, view: View) -> Move:
        return self._player.choose(view)

    def turn(self, view: View) -> list[Move]:
        began = self._clock()
        try:
            return self._player.turn(view)
        finally:
            self.seconds.append(self._clock() - began)

    def close(self) -> None:
        self._player.close()


def _scrubbed(fault: LastSpikeError) -> str:
    """The fault in English, without memory addresses, so that it is reproducible."""
    return _ADDRESS.sub("0x…", str(fault))
