"""The base class of computer players: a view in, a move out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from lastspike.rules.moves import Move
from lastspike.rules.view import View, preview

from .explain.reasons import Reason


class ComputerPlayer(ABC):
    """Chooses moves from views. It sees no hidden hand, pool or seed, and has its own randomness.

    The same seed and views give the same choices. A player serves one game at a time and may keep
    state between views; `close` ends whatever it has started.
    """

    level: str
    """The level's name."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    @abstractmethod
    def choose(self, view: View) -> Move:
        """One legal move for the viewer, whose turn it is."""

    def turn(self, view: View) -> list[Move]:
        """All remaining moves of the viewer's turn."""
        moves: list[Move] = []
        while True:
            moves.append(self.choose(later_in_turn(view, moves)))
            if preview(view, moves).turn_over:
                return moves

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:  # noqa: ARG002
        """Why this player would make these moves, most important first; for hints."""
        return ()

    def close(self) -> None:  # noqa: B027 - most players have nothing to close
        """Called when the game is over or the player is no longer needed."""


HINT = "hint"
"""The seed of a hint: the same question gets the same hint."""

Ranked = list[tuple[list[Move], float]]
"""Turns, best first, each with its chance to win."""
Turns = Sequence[Sequence[Move]]


class Judge(ComputerPlayer):
    """A player that says how good turns are. Hints come from one, and reviews measure with it."""

    @abstractmethod
    def ranked(self, view: View) -> Ranked:
        """The turns worth a look; `turn` plays the first."""

    @abstractmethod
    def chances(self, view: View, turns: Turns, worlds: int) -> list[list[float]]:
        """By world, each turn's chance to win; all turns are played in the same new worlds. With a
        single world the chances are exact."""


def later_in_turn(view: View, moves: list[Move]) -> View:
    """The view after some moves of the viewer's turn, before anything is drawn."""
    if not moves:
        return view
    ahead = preview(view, moves)
    hands = tuple(ahead.hand if seat == view.seat else h for seat, h in enumerate(view.hands))
    tiles = tuple(
        len(ahead.hand) if seat == view.seat else count for seat, count in enumerate(view.tiles)
    )
    history = (*view.history, *ahead.events)
    return view._replace(table=ahead.table, hands=hands, tiles=tiles, history=history)
