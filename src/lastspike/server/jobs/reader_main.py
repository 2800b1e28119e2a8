"""What runs in the process that reads strangers' records and editions, for `reader.py`.

Reading takes up to tenths of a second of CPU. Here it stops nobody's turn, and can be killed.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lastspike.rules.errors import LastSpikeError
from lastspike.server.table.errors import TooLarge

from .players.player_main import begin_child
from .reading import checked, looked_at, played_on, studied, to_review

_NICENESS = 5
_MEMORY = 1 << 30
HEAD = 4
"""Bytes that give the length of an answer."""
READY = b"read"
"""The first bytes, once everything is imported."""


def main() -> None:
    begin_child(_NICENESS)
    _limit_memory()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    answers.write(READY)
    while True:
        try:
            what, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer = pickle.dumps(_answer(what, arguments))
        answers.write(len(answer).to_bytes(HEAD, "big") + answer)


def _answer(what: str, arguments: tuple[Any, ...]) -> tuple[Any, LastSpikeError | None]:
    try:
        return READING[what](*arguments), None
    except LastSpikeError as error:
        return None, error
    except (RecursionError, MemoryError):
        return None, TooLarge("this is too large")


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


READING: dict[str, Callable[..., Any]] = {
    "checked": checked,
    "studied": studied,
    "looked_at": looked_at,
    "played_on": played_on,
    "to_review": to_review,
}
"""What the process can be asked for, by name."""
