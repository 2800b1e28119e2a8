"""What runs in the process that scores daily games, for `scorer.py`.

Each question is a line of JSON, and so is its answer. It starts with a lower priority than
computer players: nobody's turn waits for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from lastspike.daily.deal import daily_game
from lastspike.daily.score import score_game
from lastspike.daily.tycoon import score_seed, tycoons_score

from .players.player_main import begin_child, give_back_memory

_NICENESS = 15


def main() -> None:
    begin_child(_NICENESS)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        what, *arguments = msgspec.json.decode(line)
        answers.write(msgspec.json.encode(ANSWERS[what](*arguments)) + b"\n")
        give_back_memory()


def scored(link: str, moves: list[str]) -> Any:
    """The score of a finished game on the deal of a link."""
    seed = bytes.fromhex(link)
    return score_game(daily_game(seed, moves), score_seed(seed))


def tycoon(link: str, number: int) -> Any:
    """The score of one of Tycoon's games on the deal of a link."""
    return tycoons_score(bytes.fromhex(link), number)


ANSWERS: dict[str, Callable[..., Any]] = {"scored": scored, "tycoon": tycoon}
"""What the process can be asked for, by name."""
