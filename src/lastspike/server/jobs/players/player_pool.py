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
from typing import Any, get_args

from lastspike.bots.explain.reasons import Reason
from lastspike.bots.levels import LEVELS, TYCOON, is_from_outside, offered_players
from lastspike.bots.player import HINT, later_in_turn
from lastspike.bots.turn_check import fallback_player, whole_turn
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import View, preview
from lastspike.server.table.errors import Conflict, TooMany

from .player_main import Question
from .player_process import PlayerProcess
from .question_queue import QuestionQueue
from .questions import ADVICE, TURN, Hint

log = logging.getLogger(__name__)

MAKER = "lastspike.bots.levels:make_player"
REST_S = 60.0
"""A process that has had nothing to do for so long is replaced: after a Tycoon's game it has twice
the memory of a new one."""
TRIES = 2
"""Attempts at a question before a Greenhorn moves instead."""

_REASONS: dict[str, type[Reason]] = {kind.__name__: kind for kind in get_args(Reason)}


class PlayerPool:
    """A fixed number of processes that answer questions, between `start` and `close`: turns before
    hints, and everybody in turn. One process is always left for turns that people wait for, where
    there are several.

    A process that dies or takes longer than `seconds` is replaced, and the question is retried.
    `on_done` is called for each question with the level (`hint` for a hint) and the seconds of
    computing, without waiting. `maker` names the function that makes players.
    """

    def __init__(
        self,
        processes: int,
        *,
        seconds: float = 20.0,
        rest_seconds: float = REST_S,
        on_done: Callable[[str, float], None] | None = None,
        maker: str = MAKER,
    ) -> None:
        self._processes = [PlayerProcess(maker) for _ in range(processes)]
        self._seconds = seconds
        self._rest_seconds = rest_seconds
        self._on_done = on_done
        self._offered = [offered.name for offered in offered_players()]
        self._waiting: QuestionQueue[_Waiting] = QuestionQueue(3)
        self._wake = asyncio.Event()
        self._hinting: set[str] = set()
        self._patient = 0
        """How many processes compute what is no `TURN`."""
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
        while (waiting := self._waiting.pop(3)) is not None:
            waiting.answer.cancel()

    def levels(self) -> list[str]:
        """The names that a table may use: our own, weakest first, then those of packages.

        Commands and files are excluded, so that nobody can run programs here by creating a table.
        """
        offered = [name for name in self._offered if not is_from_outside(name)]
        return list(dict.fromkeys([*LEVELS, *offered]))

    async def turn(
        self,
        level: str,
        view: View,
        *,
        who: str = "",
        rank: int = TURN,
        seed: str | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> list[str]:
        """Legal moves for the rest of the viewer's turn. If the level fails or is not in `levels`,
        a Greenhorn moves. `IllegalMove` if it is not the viewer's turn. The player's randomness
        comes from the `seed`, a new one if there is none.

        `who` shares the processes with all others. `Conflict` if it is not `wanted` any longer when
        its time has come.
        """
        preview(view, [])
        if level in self.levels():
            asking = _Waiting(level, Question(level, seed or secrets.token_hex(), view), wanted)
            answer = await self._ask(rank, who, asking)
            if answer is not None:
                return answer.moves
        else:
            log.warning("no computer player is called %r here: a greenhorn moves", level)
        return [move.text for move in fallback_player(seed or secrets.token_hex()).turn(view)]

    async def hint(
        self,
        view: View,
        composed: list[str],
        *,
        who: str = "",
        wanted: Callable[[], bool] = lambda: True,
    ) -> Hint:
        """What Tycoon would do after these moves of the viewer's turn. `MoveError` if they are
        illegal, `TooMany` if this person waits for another, `Conflict` if it is not `wanted` any
        longer when its time has come, `LastSpikeError` if the processes fail."""
        moves = [view.table.board.parse(text) for text in composed]
        if preview(view, moves).turn_over:
            return Hint(TYCOON, [], ())
        if who and who in self._hinting:
            raise TooMany("one hint at a time")
        question = Question(TYCOON, HINT, later_in_turn(view, moves), why=True)
        self._hinting.add(who)
        try:
            answer = await self._ask(ADVICE, who, _Waiting("hint", question, wanted))
        finally:
            self._hinting.discard(who)
        if answer is None:
            raise LastSpikeError("no hint was found; try again")
        return answer

    async def _ask(self, rank: int, who: str, waiting: _Waiting) -> Hint | None:
        view = waiting.question.view
        if type(view) is not View:
            raise TypeError(f"only a view may be sent to a computer player, not {type(view)}")
        if not self._tasks:
            raise RuntimeError("the computer players are not started, or closed")
        waiting.rank = rank
        self._waiting.put(rank, who, waiting)
        self._wake.set()
        try:
            return await waiting.answer
        finally:
            self._waiting.discard(rank, who, waiting)  # the caller was cancelled

    async def _serve(self, process: PlayerProcess) -> None:
        try:
            while True:
                await process.start()
                waiting = await self._next_for(process)
                if waiting is None:
                    await process.end()
                    continue
                if not waiting.wanted():
                    waiting.answer.set_exception(Conflict("the game has moved on"))
                    continue
                self._patient += waiting.rank != TURN
                try:
                    found = await self._answer(process, waiting)
                except BaseException:
                    waiting.answer.cancel()
                    raise
                finally:
                    self._patient -= waiting.rank != TURN
                    self._wake.set()
                if not waiting.answer.done():
                    waiting.answer.set_result(found)
        finally:
            await process.end()

    async def _next_for(self, process: PlayerProcess) -> _Waiting | None:
        """The next question, or None once a process that has answered any has rested."""
        try:
            async with asyncio.timeout(self._rest_seconds if process.used else None):
                return await self._next()
        except TimeoutError:
            return None

    async def _next(self) -> _Waiting:
        """The next question for a process."""
        while True:
            others = self._patient < max(1, len(self._processes) - 1)
            waiting = self._waiting.pop(3 if others else 1)
            if waiting is not None and not waiting.answer.done():
                return waiting
            if waiting is None:
                self._wake.clear()
                await self._wake.wait()

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


class _Waiting:
    """A question, and who waits for the answer."""

    __slots__ = ("answer", "question", "rank", "wanted", "what")

    def __init__(self, what: str, question: Question, wanted: Callable[[], bool]) -> None:
        self.what = what
        self.question = question
        self.wanted = wanted
        self.rank = TURN
        self.answer: asyncio.Future[Hint | None] = asyncio.get_running_loop().create_future()


def _checked(question: Question, answer: dict[str, Any]) -> Hint:
    """The answer; raises unless it is a whole legal turn."""
    for fault in answer["faults"]:
        log.warning("%s", fault)
    moves = whole_turn(question.view, answer["moves"], question.level)
    reasons = tuple(_REASONS[kind](*facts) for kind, *facts in answer["reasons"])
    return Hint(question.level, [move.text for move in moves], reasons)
