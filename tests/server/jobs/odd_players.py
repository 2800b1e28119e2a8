"""Computer players that hang, die or chatter, for processes that have to bear with them."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

from lastspike.bots.greenhorn import Greenhorn
from lastspike.rules.moves import Move
from lastspike.rules.view import View

MAKER = f"{__name__}:make"
FOLDER = "ODD_PLAYERS"
"""The environment variable that names the folder where they say that they were asked."""

LEVELS = [
    "good",
    "greedy",
    "hang",
    "hang_once",
    "stuck",
    "die",
    "die_once",
    "chatty",
    "curious",
    "illegal",
]

KEPT: list[bytes] = []


class Odd(Greenhorn):
    def __init__(self, level: str, seed: str) -> None:
        super().__init__(seed)
        self.level = level

    def turn(self, view: View) -> list[Move]:
        first = not asked(self.level)
        (folder() / f"{self.level}.{os.getpid()}").touch()
        match self.level:
            case "hang":
                time.sleep(1000)
            case "hang_once" if first:
                time.sleep(1000)
            case "stuck":
                re.match("(a+)+$", "a" * 60 + "b")  # for ever, and no other thread can run
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "die_once" if first:
                raise MemoryError
            case "chatty":
                print("What a lovely day to build a railway!", flush=True)
                os.write(1, b"[]\n")
                assert sys.stdin.read() == ""
            case "curious":
                assert not [name for name in os.environ if name.startswith("LASTSPIKE_")]
            case "greedy":  # frees all but the last, which is on top of the others
                memory = [b"x" * 100_000 for _ in range(600)]
                KEPT.append(memory[-1])
            case "illegal":
                return []
        return super().turn(view)


def make(level: str, seed: str) -> Odd:
    return Odd(level, seed)


def folder() -> Path:
    return Path(os.environ[FOLDER])


def asked(level: str) -> list[int]:
    """The processes in which the level was asked for a turn."""
    return [int(path.suffix[1:]) for path in folder().glob(f"{level}.*")]
