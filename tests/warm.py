"""A warm Python, which has imported the server, forks for each server that a test starts.

Starting Python and importing the server takes longer than anything else that most servers of tests
do. So one process of each worker imports everything once. For each server it forks twice: a keeper,
which waits for the server and tells its exit code, and the server itself.

`python -m tests.warm NUMBER` is that process. It takes requests over the socket of this number:
JSON, along with the file that the server writes to.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
WARM = (
    "lastspike.cli",
    "lastspike.server.config.reading",
    "lastspike.server.run.serving",
    "lastspike.server.run.limited_http",
    "lastspike.server.run.websocket",
    "lastspike.server.http.app",
    "lastspike.server.storage.upkeep.upgrade",
    "aiosqlite",
    "asyncpg",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvloop",
)
"""What a server imports."""
NOT_FOR_ALL = ("PYTEST_CURRENT_TEST", "PROMETHEUS_MULTIPROC_DIR")
"""What the environment says of one test."""
MOST_BYTES = 2**20
WORD = 8
"""The bytes of a number that a keeper tells: first the server's process, then its exit code."""


class Forked:
    """A server that was forked from the warm process. Used like a `Popen`."""

    def __init__(self, keeper: socket.socket) -> None:
        self._keeper = keeper
        self.returncode: int | None = None
        self.pid = self._told()

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal, as soon as it has ended."""
        if self.returncode is None:
            self._keeper.settimeout(timeout)
            try:
                self.returncode = self._told()
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("a forked server", timeout or 0) from None
            self._keeper.close()
        return self.returncode

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def _told(self) -> int:
        word = self._keeper.recv(WORD)
        assert len(word) == WORD, "the keeper of a server has ended"
        return int.from_bytes(word, "big", signed=True)


def fork(
    module: str, arguments: Sequence[str], env: Mapping[str, str], output: IO[bytes]
) -> Forked:
    """Run the `main` of this module in a new process, in a session of its own, with these arguments
    and this environment. All that it writes goes to `output`."""
    ours, theirs = socket.socketpair()
    request = {"module": module, "arguments": list(arguments), "env": dict(env)}
    with theirs:
        files = [theirs.fileno(), output.fileno()]
        socket.send_fds(_requests(), [json.dumps(request).encode() + b"\n"], files)
        return Forked(ours)


_warm: list[tuple[subprocess.Popen[bytes], socket.socket]] = []
"""The warm process of this worker, if there is one, and the socket for requests."""


def _requests() -> socket.socket:
    if not _warm:
        ours, theirs = socket.socketpair()
        env = {name: value for name, value in os.environ.items() if name not in NOT_FOR_ALL}
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.warm", str(theirs.fileno())],
                cwd=ROOT,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        _warm.append((process, ours))
    return _warm[0][1]


def end() -> None:
    """End the warm process of this worker. It also ends when the worker is killed."""
    for process, requests in _warm:
        requests.close()
        process.wait(30)
    _warm.clear()


def main(requests: socket.socket) -> dict[str, Any]:
    """Fork for each request, as long as there are requests; returns the request in a new process,
    which is to do what it asks for."""
    for module in WARM:
        import_module(module)
    assert threading.active_count() == 1
    gc.freeze()  # so that children share this memory instead of copying it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the keepers
    while True:
        asked, files, _, _ = socket.recv_fds(requests, MOST_BYTES, 2)
        while asked and not asked.endswith(b"\n"):
            asked += requests.recv(MOST_BYTES)
        if not asked:
            sys.exit()
        if os.fork() == 0:
            requests.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _keep(*files)
            return json.loads(asked)  # type: ignore[no-any-return]
        for file in files:
            os.close(file)


def _keep(keeper: int, output: int) -> None:
    """Returns in a new process. This one tells what it is and how it ends, and ends it when nobody
    listens any longer: the tests were killed."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    child = os.fork()
    if child == 0:
        os.close(keeper)
        os.setsid()
        return
    os.write(keeper, child.to_bytes(WORD, "big", signed=True))
    if sys.platform == "linux":
        polling, ended = select.poll(), os.pidfd_open(child)
        polling.register(ended, select.POLLIN)
        polling.register(keeper, select.POLLHUP)
        if ended not in dict(polling.poll()):
            os.kill(child, signal.SIGTERM)
    _, status = os.waitpid(child, 0)
    os.write(keeper, os.waitstatus_to_exitcode(status).to_bytes(WORD, "big", signed=True))
    os._exit(0)


if __name__ == "__main__":
    request = main(socket.socket(fileno=int(sys.argv[1])))
    os.environ.clear()
    os.environ.update(request["env"])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", write_through=True)  # type: ignore[union-attr]
    module = import_module(request["module"])
    sys.modules["__main__"] = module  # which its own children import
    sys.argv = [module.__file__ or "", *request["arguments"]]
    module.main()
