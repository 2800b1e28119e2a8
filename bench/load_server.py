"""The server under load: a process of its own on a core of its own, its memory and CPU."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil  # type: ignore[import-untyped]

START_SECONDS = 60
END_SECONDS = 30

SETTINGS = {
    "port": 0,
    "player_processes": 1,
    "log_level": "warning",
    "limits_requests_per_minute": 10_000_000,
    "limits_sockets_per_address": 100_000,
    "limits_spectators_per_table": 100_000,
    "limits_tables_per_person_per_hour": 1_000_000,
    "limits_persons_per_address_per_hour": 1_000_000,
}
"""As usual, but that everybody comes from one address."""
SERVE = """
from lastspike.cli import main
from lastspike.server.http.limits import rate_limits
rate_limits.SOCKETS_TOTAL, rate_limits.MESSAGES_PER_10S = 100_000, 10_000
main()
"""
"""`lastspike`, with limits that can't be set raised: those who load it do not dawdle."""


class Cores(NamedTuple):
    """Where the server runs, and where those who load it do. The same set where there is one."""

    server: set[int]
    clients: set[int]


def cores(workers: int = 1) -> Cores:
    """A core for each worker, the others for us; on systems that can't, wherever."""
    if not hasattr(os, "sched_getaffinity"):
        return Cores(set(), set())
    ours = sorted(os.sched_getaffinity(0))
    return Cores(set(ours[:workers]), set(ours[workers:]) or set(ours))


def stay_on(where: set[int]) -> None:
    """Keep this process, and those it starts, on these cores."""
    if where:
        os.sched_setaffinity(0, where)


class Server:
    def __init__(self, url: str, process: psutil.Process) -> None:
        self.url = url
        self._process = process

    def memory(self) -> int:
        """Bytes of the server's own process; computer players think in others."""
        return int(self._process.memory_info().rss)

    def cpu(self) -> float:
        """Seconds of CPU so far, of all its threads, and of its workers."""
        spent = [each.cpu_times() for each in (self._process, *self._process.children())]
        return float(sum(times.user + times.system for times in spent))


def from_source(source: Path | None) -> dict[str, str]:
    """The environment in which Python runs the package of another checkout, or ours."""
    found = {"LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
    return found if source is None else {**found, "PYTHONPATH": str(source.resolve() / "src")}


@contextmanager
def server(
    database: str, folder: Path, on: Cores, workers: int = 1, source: Path | None = None
) -> Iterator[Server]:
    """A server that is ready, as `lastspike serve` starts it, from this checkout or another. Sends
    ourselves to our own cores."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LASTSPIKE_")}
    settings = {f"LASTSPIKE_{key.upper()}": str(value) for key, value in SETTINGS.items()}
    log = folder / "log"
    stay_on(on.server)  # which the process inherits
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", "--database", database],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env={**kept, **settings, **from_source(source), "LASTSPIKE_WORKERS": str(workers)},
        )
    stay_on(on.clients)
    try:
        yield Server(_ready(process, log), psutil.Process(process.pid))
    finally:
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    said = log.read_text("utf-8", "replace")
    if " error " in said or " warning " in said:
        print(f"The server had something to say:\n{said[-4000:]}", file=sys.stderr)


def _ready(process: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        said = re.search(r"http://\S+:\d+", log.read_text("utf-8", "replace"))
        if said is not None:
            urllib.request.urlopen(f"{said[0]}/healthz", timeout=START_SECONDS).close()
            return said[0]
        time.sleep(0.05)
    sys.exit(f"the server did not start:\n{log.read_text('utf-8', 'replace')}")
