"""Computer players in processes of their own, so that nobody's event loop waits while they think.

Each process has a pipe and a task of its own: one that dies costs its own question and nothing
else, where an executor of the standard library would give up all of them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple, get_args

from lastspike.bots.explain.reasons import Reason
from lastspike.bots.levels import EXEC, LEVELS, TYCOON, offered_players
from lastspike.bots.player import later_in_turn
from lastspike.bots.turn_check import fallback_player, whole_turn
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import View, preview

from .player_process import READY, Question

log = logging.getLogger(__name__)

MAKER = "lastspike.bots.levels:make_player"
TRIES = 2
"""How often a question is asked before a Greenhorn moves instead."""

_START = 60.0
"""Seconds that a process has to import everything, on a machine that is very busy."""
_END = 5.0
_CODE = "import sys; from lastspike.server.jobs.player_process import main; main(sys.argv[1])"
_OWN_SETTINGS = "LASTSPIKE_"
_REASONS: dict[str, type[Reason]] = {kind.__name__: kind for kind in get_args(Reason)}


class Hint(NamedTuple):
    """What a player of this level would do in the rest of the turn, most important reason first.
    There are no moves where nothing is left to choose."""

    level: str
    moves: list[str]
    reasons: tuple[Reason, ...]


class PlayerPool:
    """So many processes, which answer questions first come, first served, from `start` to `close`.

    A process that dies, or does not answer within `seconds`, is replaced, and the question is asked
    once more. `on_done` is called with the level and the seconds of thought, not of waiting, for
    each question; the level of a hint is `hint`. `maker` is where the processes find the function
    that makes players. A caller who is cancelled loses the answer and disturbs nobody.
    """

    def __init__(
        self,
        processes: int,
        *,
        seconds: float = 20.0,
        on_done: Callable[[str, float], None] | None = None,
        maker: str = MAKER,
    ) -> None:
        self._processes = [_PlayerProcess(maker) for _ in range(processes)]
        self._seconds = seconds
        self._on_done = on_done
        self._offered = [offered.name for offered in offered_players()]
        self._waiting: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Returns at once; the processes get ready meanwhile."""
        self._tasks = [asyncio.create_task(self._serve(one)) for one in self._processes]

    async def close(self) -> None:
        """End the processes. Questions that wait for an answer are cancelled."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while not self._waiting.empty():
            self._waiting.get_nowait().answer.cancel()

    def levels(self) -> list[str]:
        """The names that a table may use: our own, weakest first, then those of packages.

        Never a command: who sets up a table does not get to run programs here.
        """
        offered = [name for name in self._offered if not name.startswith(EXEC)]
        return list(dict.fromkeys([*LEVELS, *offered]))

    async def turn(self, level: str, view: View) -> list[str]:
        """The moves of the whole rest of the viewer's turn, always legal: where the level fails, or
        is none of `levels`, by a Greenhorn. `IllegalMove` if it is not the viewer's turn."""
        preview(view, [])
        if level in self.levels():
            answer = await self._ask(level, level, view)
            if answer is not None:
                return answer.moves
        else:
            log.warning("no computer player is called %r here: a greenhorn moves", level)
        return [move.text for move in fallback_player(secrets.token_hex()).turn(view)]

    async def hint(self, view: View, composed: list[str]) -> Hint:
        """What Tycoon would do after these moves of the viewer's turn; `MoveError` if they can't
        be played, `LastSpikeError` if the processes fail."""
        moves = [view.table.board.parse(text) for text in composed]
        if preview(view, moves).turn_over:
            return Hint(TYCOON, [], ())
        here = later_in_turn(view, moves)
        # Who asks twice hears the same.
        answer = await self._ask("hint", TYCOON, here, seed="hint", why=True)
        if answer is None:
            raise LastSpikeError("no hint could be found; please ask again")
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

    async def _serve(self, thinker: _PlayerProcess) -> None:
        try:
            while True:
                await thinker.start()
                waiting = await self._waiting.get()
                if waiting.answer.done():  # who asked has left
                    continue
                try:
                    found = await self._answer(thinker, waiting)
                except BaseException:
                    waiting.answer.cancel()
                    raise
                if not waiting.answer.done():
                    waiting.answer.set_result(found)
        finally:
            await thinker.end()

    async def _answer(self, thinker: _PlayerProcess, waiting: _Waiting) -> Hint | None:
        question = waiting.question
        begun = perf_counter()
        answer = None
        for attempt in range(1, TRIES + 1):
            try:
                answer = _checked(question, await thinker.ask(question, self._seconds))
                break
            except Exception as error:  # whatever came out of another process
                log.warning(
                    "%s failed (%r, attempt %d), its process is replaced",
                    question.level,
                    error,
                    attempt,
                )
                await thinker.end()
        if self._on_done is not None:
            self._on_done(waiting.what, perf_counter() - begun)
        return answer


class _Waiting(NamedTuple):
    what: str
    question: Question
    answer: asyncio.Future[Hint | None]


class _PlayerProcess:
    """A process, and after it the next: at most one at a time."""

    def __init__(self, maker: str) -> None:
        self._maker = maker
        self._process: Process | None = None
        self._ready = False

    async def start(self) -> None:
        """Start a process if there is none. That it is ready is awaited with the first question."""
        if self._process is not None and self._process.returncode is None:
            return
        await self.end()
        try:
            # A session of its own: Ctrl-C in the terminal is for the server alone.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-c", _CODE, self._maker),
                stdin=PIPE,
                stdout=PIPE,
                env=environment(),
                start_new_session=True,
            )
        except OSError as error:  # no memory, too many processes: the next question tries again
            log.warning("no process for computer players can be started: %r", error)

    async def ask(self, question: Question, seconds: float) -> dict[str, Any]:
        """The answer; any error at all means that the process is of no use any more."""
        await self.start()
        if self._process is None:
            raise ChildProcessError
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        if not self._ready:
            async with asyncio.timeout(_START):
                self._ready = await stdout.readline() == READY
        async with asyncio.timeout(seconds):
            stdin.write(pickle.dumps(question, pickle.HIGHEST_PROTOCOL))
            await stdin.drain()
            line = await stdout.readline()
        if not line:
            raise EOFError
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def end(self) -> None:
        process, self._process, self._ready = self._process, None, False
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        # What a player has started itself may hold the pipes open: that is not waited for.
        with suppress(TimeoutError, OSError):
            await asyncio.wait_for(process.communicate(), _END)


def environment() -> dict[str, str]:
    """Ours without the server's own settings, which hold secrets; the same modules are found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN_SETTINGS)}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}


def _checked(question: Question, answer: dict[str, Any]) -> Hint:
    """The answer, if it is a whole legal turn."""
    for fault in answer["faults"]:
        log.warning("%s", fault)
    moves = whole_turn(question.view, answer["moves"], question.level)
    reasons = tuple(_REASONS[kind](*facts) for kind, *facts in answer["reasons"])
    return Hint(question.level, [move.text for move in moves], reasons)
