"""Starts and kills the child processes of a worker."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from functools import cache
from threading import Thread

log = logging.getLogger(__name__)

_END_S = 5.0
_OWN_SETTINGS = "LASTSPIKE_"
_LONGEST_LINE = 4000


async def start_child(module: str, *arguments: str, line_bytes: int = 2**16) -> Process:
    """Start a process that calls the module's `main` with these arguments, connected by pipes.

    It gets a session of its own, because Ctrl-C in the terminal is meant for the server alone. What
    it writes to standard error is logged here, in our format and without secrets.
    """
    code = f"import sys; from {module} import main; main(*sys.argv[1:])"
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", code, *arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=_logged(),
        env=_environment(),
        start_new_session=True,
        limit=line_bytes,
    )


def inherit_nothing() -> None:
    """Keep what this process has open from its children, above all the listening socket: while one
    of them lived, the port would stay taken. uvloop closes nothing in a child."""
    if os.name == "posix":
        for name in os.listdir("/dev/fd"):
            with suppress(OSError):  # the folder itself, closed by now
                if (number := int(name)) > 2:
                    os.set_inheritable(number, False)


async def kill_child(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    if process.stdin is not None:
        process.stdin.close()
    # A grandchild may hold the pipes open: don't wait for it.
    with suppress(TimeoutError, OSError):
        await asyncio.wait_for(process.communicate(), _END_S)


@cache
def _logged() -> int:
    """The writing end of a pipe for all children; a thread logs each of its lines."""
    reading, writing = os.pipe()

    def work() -> None:
        with open(reading, encoding="utf-8", errors="replace") as lines:
            while line := lines.readline(_LONGEST_LINE):
                log.warning("%s", line.rstrip("\n"))

    Thread(target=work, name="lastspike-children", daemon=True).start()
    return writing


def _environment() -> dict[str, str]:
    """Our environment and module path, without the server's settings, which hold secrets."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN_SETTINGS)}
    # The cores are shared by processes; threads of NumPy would only add 15 MB of memory to each.
    kept.setdefault("OPENBLAS_NUM_THREADS", "1")
    return {**kept, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
