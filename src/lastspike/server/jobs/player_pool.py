"""The pool of processes that compute computer players' turns and hints.

Each process has its own pipe and task, so one that dies fails only its own question. An executor
of the standard library would fail all of them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, get_args

from lastspike.bots.explain.reasons import Reason
from lastspike.bots.levels import EXEC, HINT, LEVELS, TYCOON, offered_players
from lastspike.bots.player import later_in_turn
from lastspike.bots.turn_check import fallback_player, whole_turn
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import View, preview

from .player_main import Question
from .player_process import PlayerProcess

log = logging.getLogger(__name__)

MAKER = "lastspike.bots.levels:make_player"
TRIES = 2
"""Attempts at a question before a Greenhorn moves instead."""

_REASONS: dict[str, type[Reason]] = {kind.__name__: kind for kind in get_args(Reason)}


class Hint(NamedTuple):
    """What a player of this level would do in the rest of the turn, most important reason first.
    `moves` is empty if the turn is complete."""

    level: str
    moves: list[str]
    reasons: tuple[Reason, ...]


class PlayerPool:
    """A fixed number of processes that answer questions in order, between `start` and `close`.

    A process that dies or takes longer than `seconds` is replaced, and the question is retried.
    `on_done` is called for each question with the level (`hint` for a hint) and the seconds of
    computing, without waiting. `maker` names the function that makes players.
    """

    def __init__(
        self,
        processes: int,
        *,
        seconds: float = 20.0,
        on_done: Callable[[str, float], None] | None = None,
        maker: str = MAKER,
    ) -> None:
        self._processes = [PlayerProcess(maker) for _ in range(processes)]
        self._seconds = seconds
        self._on_done = on_done
        self._offered = [offered.name for offered in offered_players()]
        self._waiting: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Returns at once; the processes start in the background."""
        self._tasks = [asyncio.create_task(self._serve(each)) for each in self._processes]

    async def close(self) -> None:
        """End the processes and cancel open questions."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while not self._waiting.empty():
            self._waiting.get_nowait().answer.cancel()

    def levels(self) -> list[str]:
        """The names that a table may use: our own, weakest first, then those of packages.

        Commands are excluded, so that nobody can run programs here by creating a table.
        """
        offered = [name for name in self._offered if not name.startswith(EXEC)]
        return list(dict.fromkeys([*LEVELS, *offered]))

    async def turn(self, level: str, view: View) -> list[str]:
        """Legal moves for the rest of the viewer's turn. If the level fails or is not in `levels`,
        a Greenhorn moves. `IllegalMove` if it is not the viewer's turn."""
        preview(view, [])
        if level in self.levels():
            answer = await self._ask(level, level, view)
            if answer is not None:
                return answer.moves
        else:
            log.warning("no computer player is called %r here: a greenhorn moves", level)
        return [move.text for move in fallback_player(secrets.token_hex()).turn(view)]

    async def hint(self, view: View, composed: list[str]) -> Hint:
        """What Tycoon would do after these moves of the viewer's turn. `MoveError` if they are
        illegal, `LastSpikeError` if the processes fail."""
        moves = [view.table.board.parse(text) for text in composed]
        if preview(view, moves).turn_over:
            return Hint(TYCOON, [], ())
        here = later_in_turn(view, moves)
        answer = await self._ask("hint", TYCOON, here, seed=HINT, why=True)
        if answer is None:
            raise LastSpikeError("no hint was found; try again")
        return answer

    async def _ask(
        self, what: str, level: str, view: View, *, seed: str | None = None, why: bool = False
    ) -> Hint | None:
        if type(view) is not View:
            raise TypeError(f"only a view may be sent to a computer player, not {type(view)}")
        if not self._tasks:
            raise RuntimeError("the computer players are not started, or closed")
        question = Question(level, seed or secrets.token_hex(), view, why)
        waiting = _Waiting(what, question, asyncio.get_running_loop().create_future())
        self._waiting.put_nowait(waiting)
        return await waiting.answer

    async def _serve(self, process: PlayerProcess) -> None:
        try:
            while True:
                await process.start()
                waiting = await self._waiting.get()
                if waiting.answer.done():  # the caller was cancelled
                    continue
                try:
                    found = await self._answer(process, waiting)
                except BaseException:
                    waiting.answer.cancel()
                    raise
                if not waiting.answer.done():
                    waiting.answer.set_result(found)
        finally:
            await process.end()

    async def _answer(self, process: PlayerProcess, waiting: _Waiting) -> Hint | None:
        question = waiting.question
        begun = perf_counter()
        answer = None
        for attempt in range(1, TRIES + 1):
            try:
                answer = _checked(question, await process.ask(question, self._seconds))
                break
            except Exception as error:  # players may send anything
                log.warning(
                    "%s failed (%r, attempt %d), its process is replaced",
                    question.level,
                    error,
                    attempt,
                )
                await process.end()
        if self._on_done is not None:
            self._on_done(waiting.what, perf_counter() - begun)
        return answer


class _Waiting(NamedTuple):
    what: str
    question: Question
    answer: asyncio.Future[Hint | None]


def _checked(question: Question, answer: dict[str, Any]) -> Hint:
    """The answer; raises unless it is a whole legal turn."""
    for fault in answer["faults"]:
        log.warning("%s", fault)
    moves = whole_turn(question.view, answer["moves"], question.level)
    reasons = tuple(_REASONS[kind](*facts) for kind, *facts in answer["reasons"])
    return Hint(question.level, [move.text for move in moves], reasons)
