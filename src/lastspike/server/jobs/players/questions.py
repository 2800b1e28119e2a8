"""What computer players are asked: their turns, and hints for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from lastspike.bots.explain.reasons import Reason
from lastspike.rules.view import View

TURN, ADVICE, IDLE = range(3)
"""Ranks of questions, the first before the others. `IDLE` are turns that no person waits for."""


class Hint(NamedTuple):
    """What a player of this level would do in the rest of the turn, most important reason first.
    `moves` is empty if the turn is complete."""

    level: str
    moves: list[str]
    reasons: tuple[Reason, ...]


class Players(Protocol):
    """Whoever answers: processes on a server, see `player_pool.py`, or the browser's own worker."""

    def levels(self) -> list[str]:
        """The names that a table may use, weakest first."""

    async def turn(
        self,
        level: str,
        view: View,
        *,
        who: str = "",
        rank: int = TURN,
        seed: str | None = None,
        wanted: Callable[[], bool] = ...,
    ) -> list[str]:
        """Legal moves for the rest of the viewer's turn. The player's randomness comes from the
        `seed`, a new one if there is none."""

    async def hint(
        self, view: View, composed: list[str], *, who: str = "", wanted: Callable[[], bool] = ...
    ) -> Hint:
        """What a good player would do after these moves of the viewer's turn."""
