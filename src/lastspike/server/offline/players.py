"""The computer players of a browser: they compute in the worker itself, one at a time."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable

from lastspike.bots.clerk import Clerk
from lastspike.bots.explain.explainer import explain
from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.player import HINT, ComputerPlayer, later_in_turn
from lastspike.bots.speculator import Speculator
from lastspike.bots.surveyor import Surveyor
from lastspike.bots.turn_check import fallback_player
from lastspike.rules.view import View, preview
from lastspike.server.jobs.players.questions import TURN, Hint

log = logging.getLogger(__name__)

ADVISER = Speculator.level
"""Who gives hints: Tycoon needs NumPy, which browsers don't have."""

PLAYERS: dict[str, Callable[[str], ComputerPlayer]] = {
    Greenhorn.level: Greenhorn,
    Clerk.level: Clerk,
    Surveyor.level: Surveyor,
    Speculator.level: Speculator,
}


class LocalPlayers:
    """See `Players` in `jobs/players/questions.py`."""

    def levels(self) -> list[str]:
        return list(PLAYERS)

    async def turn(
        self,
        level: str,
        view: View,
        *,
        who: str = "",  # noqa: ARG002
        rank: int = TURN,  # noqa: ARG002
        seed: str | None = None,
        wanted: Callable[[], bool] = lambda: True,  # noqa: ARG002
    ) -> list[str]:
        """The adviser plays a level that isn't here, and a Greenhorn one that fails."""
        await asyncio.sleep(0)  # first, what is waiting to be sent
        make = PLAYERS.get(level, PLAYERS[ADVISER])
        try:
            moves = make(seed or secrets.token_hex()).turn(view)
        except Exception:
            log.exception("%s failed: a greenhorn moves", level)
            moves = fallback_player(seed or secrets.token_hex()).turn(view)
        return [move.text for move in moves]

    async def hint(
        self,
        view: View,
        composed: list[str],
        *,
        who: str = "",  # noqa: ARG002
        wanted: Callable[[], bool] = lambda: True,  # noqa: ARG002
    ) -> Hint:
        moves = [view.table.board.parse(text) for text in composed]
        if preview(view, moves).turn_over:
            return Hint(ADVISER, [], ())
        seen = later_in_turn(view, moves)
        await asyncio.sleep(0)
        found = PLAYERS[ADVISER](HINT).turn(seen)
        return Hint(ADVISER, [move.text for move in found], explain(seen, found))
