"""What runs in a process of computer players: it answers one question at a time.

Questions arrive pickled; answers leave as lines of JSON, so the server need not trust players from
other packages. It imports the players and the rules, and nothing of the server.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pkgutil import resolve_name
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, NamedTuple

from lastspike.bots.external.guard import Guarded
from lastspike.bots.player import ComputerPlayer
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup
from lastspike.rules.view import View

READY = b"ready\n"
"""The first line, once everything is imported."""

Maker = Callable[[str, str], ComputerPlayer]
"""Makes a player from a level's name and a seed."""

_NICENESS = 5
"""Lower priority than the server."""
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG in linux/prctl.h


class Question(NamedTuple):
    """What should the rest of the viewer's turn be, and if `why`, for which reasons?"""

    level: str
    seed: str
    view: View
    why: bool = False


def main(maker: str) -> None:
    """Answer questions until the pipe is closed. `maker` names the `Maker`: `module:name`."""
    begin_child(_NICENESS)
    coming, answers = _pipes()
    make: Maker = resolve_name(maker)
    setup(shipped(), 2)  # warm-up: the board is cached
    questions: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_listen, args=(coming, questions), daemon=True).start()
    answers.write(READY)
    while True:
        answers.write(json.dumps(answer(make, questions.get())).encode() + b"\n")
        give_back_memory()


def give_back_memory() -> None:
    """Return freed memory to the system, which glibc keeps after a player's large search."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def answer(make: Maker, question: Question) -> dict[str, Any]:
    """The turn's moves, the reasons and the player's faults, as JSON values."""
    player = make(question.level, question.seed)
    try:
        moves = player.turn(question.view)
        why = player.reasons(question.view, moves) if question.why else ()
    finally:
        player.close()
    return {
        "moves": [move.text for move in moves],
        "reasons": [[type(reason).__name__, *reason] for reason in why],
        "faults": [str(fault) for fault in player.faults] if isinstance(player, Guarded) else [],
    }


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes for questions and answers, moved off stdin and stdout, which players may use."""
    coming = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return coming, answers


def _listen(coming: BinaryIO, questions: SimpleQueue[Question]) -> None:
    """Queue incoming questions; exit at once, even during a turn, when the pipe is closed."""
    try:
        while True:
            questions.put(pickle.load(coming))
    finally:
        os._exit(0)


def begin_child(niceness: int) -> None:
    """Call this first in a child process: lower its priority, and tie its life to the parent's.

    On Linux the kernel kills it with its parent, even while a player blocks all threads.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    os.nice(niceness)
