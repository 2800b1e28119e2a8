"""A real server as a process of its own, to test with: started, killed, ended, started again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from tests import warm

from .patched import TEST_CLOCK, TEST_LIMITS

ROOT = Path(__file__).parents[2]
PYTHON = sys.executable
PROGRAM = "tests.server.patched"
START_SECONDS = 60.0
"""How long a server may take until it answers; machines that test are busy."""
END_SECONDS = 30.0

GENEROUS = {
    "requests_per_minute": 1_000_000,
    "sockets_per_address": 10_000,
    "tables_per_person_per_hour": 100_000,
    "persons_per_address_per_hour": 100_000,
}
"""Limits that no test runs into by playing: all of them come from one address."""
GENEROUS_CONSTANTS = {
    "http.limits.rate_limits.MESSAGES_PER_10S": 100_000,
    "http.limits.rate_limits.FRAMES_PER_10S": 100_000,
    "http.limits.rate_limits.KIB_PER_10S": 1_000_000,
    "http.limits.rate_limits.CHATS_PER_MINUTE": 10_000,
}
"""The same for limits that can't be set: constants in `server/http`."""
LESS_WORK = {"daily.scoring.GAMES": 2}
"""Tycoon's games on a daily deal would keep a core busy beside other tests."""

_ADDRESS = re.compile(r"http://\S+:\d+/")


class RunningServer:
    """One server. `url` is where it is, without a slash at the end, and stays so for its whole
    life; `pid` is its main process; `log` is all that it and those before it have written."""

    def __init__(self, database_url: str, folder: Path, config: dict[str, Any]) -> None:
        self.database_url = database_url
        self.url = ""
        self._file = folder / "log"
        self._config = config
        self._clock: Path | None = config.pop("clock", None)
        self._process: warm.Forked | subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        return self._running().pid

    @property
    def log(self) -> str:
        return self._file.read_text("utf-8", "replace") if self._file.exists() else ""

    @property
    def workers(self) -> list[int]:
        """The processes that serve: the main one, unless several were asked for."""
        if self._config.get("workers", 1) == 1:
            return [self.pid]
        return [
            child.pid
            for child in psutil.Process(self.pid).children()
            if "spawn_main" in " ".join(_command(child))
        ]

    def start(self) -> None:
        """Start it, again at the same address, and wait until it is ready."""
        assert self._process is None, "this server runs already"
        arguments = ["serve", "--database", self.database_url]
        with self._file.open("ab") as file:
            if self._can_be_forked():
                self._process = warm.fork(PROGRAM, arguments, self._environment(), file)
            else:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", PROGRAM, *arguments],
                    cwd=ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=file,
                    env=self._environment(),
                    start_new_session=True,
                )
        until = time.monotonic() + START_SECONDS
        while not self._is_ready():
            code = self._process.poll()
            if code is not None or time.monotonic() > until:
                self.kill()
                why = "was not ready in time" if code is None else f"ended with {code}"
                raise AssertionError(f"the server {why}:\n{self.log}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End it with SIGTERM. It has to end in peace, and to leave no process behind."""
        process = self._running()
        others = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        try:
            code = process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not end:\n{self.log}") from None
        self._process = None
        left = _left(others, 5)
        assert code == 0, f"the server ended with {code}:\n{self.log}"
        assert not left, f"the server left processes behind: {left}"

    def kill(self) -> None:
        """End it with SIGKILL, all its workers at once."""
        process = self._running()
        others = psutil.Process(process.pid).children(recursive=True) if _lives(process) else []
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._process = None
        # Computer players think in sessions of their own, and end when nobody asks any more.
        left = _left(others, END_SECONDS)
        assert not left, f"the server left processes behind: {left}"

    def kill_worker(self, worker: int) -> None:
        """End one of several workers with SIGKILL; the server soon starts another."""
        assert worker in self.workers
        os.kill(worker, signal.SIGKILL)

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def _running(self) -> warm.Forked | subprocess.Popen[bytes]:
        assert self._process is not None, "this server does not run"
        return self._process

    def _can_be_forked(self) -> bool:
        """Not from a Python that has imported everything already, where something is decided when
        it is imported: constants, how metrics are shared, and what imports."""
        return (
            "constants" not in self._config
            and self._config.get("workers", 1) == 1
            and "PROMETHEUS_MULTIPROC_DIR" not in os.environ
            and sys.executable == PYTHON
        )

    def _environment(self) -> dict[str, str]:
        """Ours without settings of a server that the person who tests may have."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("LASTSPIKE_")}
        config = dict(self._config)
        limits = GENEROUS | config.pop("limits", {})
        constants = GENEROUS_CONSTANTS | LESS_WORK | config.pop("constants", {})
        settings = config | {f"limits_{key}": value for key, value in limits.items()}
        settings["port"] = self.url.rpartition(":")[2] or 0
        named = {f"LASTSPIKE_{key.upper()}": _text(value) for key, value in settings.items()}
        kept[TEST_LIMITS] = json.dumps(constants)
        if self._clock is not None:
            kept[TEST_CLOCK] = str(self._clock)
        return kept | named | {"LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}

    def _is_ready(self) -> bool:
        if not self.url:
            said = _ADDRESS.search(self.log)
            if said is None:
                return False
            self.url = said[0].rstrip("/")
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False


@contextmanager
def running_server(database_url: str, **config: Any) -> Iterator[RunningServer]:
    """A server on this database that is ready, on a free port of this machine.

    `config` has fields of `Config`, with `limits` as a mapping, and may have `constants` of
    `server/http` as another, and as `clock` a file that says by how many seconds the server's
    clock is wrong; what is not given is as usual, but for limits, which are generous, and
    one process to think in. At the end it is stopped, which fails if it does not end in peace; if
    the test has failed, it is killed and its log printed.
    """
    with tempfile.TemporaryDirectory(prefix="lastspike-server-") as folder:
        server = RunningServer(database_url, Path(folder), {"player_processes": 1} | config)
        server.start()
        try:
            yield server
        except BaseException:
            print(server.log, file=sys.stderr)
            if server._process is not None:
                server.kill()
            raise
        if server._process is not None:
            server.stop()


def _lives(process: warm.Forked | subprocess.Popen[bytes]) -> bool:
    return process.poll() is None


def _left(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that still run after so long. One that is dead is gone, though the system may take its
    time to forget it."""
    until = time.monotonic() + seconds
    while (left := [each for each in processes if _runs(each)]) and time.monotonic() < until:
        time.sleep(0.01)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _command(process: psutil.Process) -> list[str]:
    try:
        command: list[str] = process.cmdline()
    except psutil.Error:
        return []
    return command


def _text(value: Any) -> str:
    """A setting as the environment holds it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)
