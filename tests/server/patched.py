"""`lastspike` with other limits than its constants: for servers in processes of their own.

`TEST_LIMITS='{"app.BODY_BYTES": 4096}' python -m tests.server.patched serve`. Names without a room
of the server are in `http`. Workers that are spawned import the main module again, so the limits
hold in them too. `TEST_CLOCK` names a file that says by how many seconds the clock is wrong.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from importlib import import_module

from lastspike.cli import main

TEST_LIMITS = "TEST_LIMITS"
TEST_CLOCK = "TEST_CLOCK"


def wrong_by(file: str, clock: Callable[[], int]) -> Callable[[], int]:
    """A clock that is wrong by what the file says now, for all Python code of this process."""

    def wrong() -> int:
        with open(file, encoding="utf-8") as shift:
            return clock() + int(float(shift.read() or 0) * 1e9)

    return wrong


if TEST_CLOCK in os.environ:
    time.time_ns = wrong_by(os.environ[TEST_CLOCK], time.time_ns)
    time.time = lambda: time.time_ns() / 1e9

for name, value in json.loads(os.environ.get(TEST_LIMITS, "{}")).items():
    module, _, constant = name.rpartition(".")
    room = module if "." in module else f"http.{module}"
    limiting = import_module(f"lastspike.server.{room}")
    assert hasattr(limiting, constant), f"there is no limit {name}"
    setattr(limiting, constant, value)

if __name__ == "__main__":
    main()
