"""No test may leave a process behind: at the end of a run, those that are left fail it.

Every process that a test starts inherits a mark in its environment; a test that gives a process an
environment of its own adds the mark. At the end, the process that started the run looks for marked
processes.
"""

from __future__ import annotations

import os
import uuid
from multiprocessing import resource_tracker
from typing import Any

MARK = "TEST_RUN_OF_LASTSPIKE"
"""The name of the mark; its value is the run's own."""
SECONDS = 10.0
"""How long a process that is ending may take."""


def begin() -> bool:
    """Mark this process and those that it will start. False if it is marked already, as workers
    and tests inside tests are: then another process looks at the end."""
    if MARK in os.environ:
        return False
    os.environ[MARK] = uuid.uuid4().hex
    return True


def mark() -> dict[str, str]:
    """For tests that give a process an environment of its own."""
    return {MARK: os.environ[MARK]} if MARK in os.environ else {}


def end() -> list[str]:
    """What is still running, one line each with the test that started it. It is killed."""
    import psutil  # type: ignore[import-untyped]  # here, as only the end of a run needs it

    _, left = psutil.wait_procs(_marked(), timeout=SECONDS)
    found = []
    for process in left:
        try:
            command = " ".join(process.cmdline())[:200]
            test = process.environ().get("PYTEST_CURRENT_TEST", "unknown")
            process.kill()
        except psutil.NoSuchProcess:
            continue
        found.append(f"process {process.pid}, {command!r}, started by {test}")
    return found


def _marked() -> list[Any]:
    import psutil

    ours = os.environ[MARK]
    # Python's own helper of this process ends with it.
    tracker = getattr(resource_tracker, "_resource_tracker", None)
    known = {os.getpid(), getattr(tracker, "_pid", None)}
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid not in known and process.environ().get(MARK) == ours:
                found.append(process)
        except psutil.Error:
            continue  # gone, or of another user
    return found
