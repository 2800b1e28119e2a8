"""The process in which computer players think: one question at a time, through its pipes.

`player_pool.py` starts it and asks it. Questions arrive pickled, answers leave as lines of JSON, so
the server need not trust what players of other packages do to this process. It imports the players
and the rules, and nothing of the server.
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
"""Makes a player from the name of a level and a seed."""

_NICER = 5
"""How much these processes stand back for the server's own."""
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG in linux/prctl.h


class Question(NamedTuple):
    """What the rest of the viewer's turn should be, and `why` if that is to be told as well."""

    level: str
    seed: str
    view: View
    why: bool = False


def main(maker: str) -> None:
    """Answer until nobody asks any more. `maker` is where the `Maker` is: `module:name`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started us shuts down in order
    die_with_parent()
    os.nice(_NICER)
    coming, answers = _pipes()
    make: Maker = resolve_name(maker)
    setup(shipped(), 2)  # so that the first question finds the board made
    questions: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_listen, args=(coming, questions), daemon=True).start()
    answers.write(READY)
    while True:
        answers.write(json.dumps(answer(make, questions.get())).encode() + b"\n")


def answer(make: Maker, question: Question) -> dict[str, Any]:
    """The moves of the turn, the reasons, and what the player did wrong, as JSON takes them."""
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
    """The pipes for questions and answers, moved to where no player prints or reads by chance."""
    coming = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return coming, answers


def _listen(coming: BinaryIO, questions: SimpleQueue[Question]) -> None:
    """Pass on what is asked, and leave at once, even amid a thought, when the pipe is closed."""
    try:
        while True:
            questions.put(pickle.load(coming))
    finally:
        os._exit(0)


def die_with_parent() -> None:
    """Where the system can, be killed when the parent is, even while a player holds up all threads
    so that `_listen` can't notice."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
