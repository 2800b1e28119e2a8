"""The `lastspike` command, run in this process or in one of its own."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import NamedTuple
from unittest import mock

import psutil  # type: ignore[import-untyped]

from lastspike.cli import main
from tests.leftovers import mark


class Result(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments: object, stdin: bytes = b"", **environment: str) -> Result:
    """The command from its arguments to its exit, with standard input and output that are pipes."""
    out, err = _pipe(), _pipe()
    with (
        mock.patch("sys.argv", ["lastspike", *map(str, arguments)]),
        mock.patch("sys.stdin", _pipe(stdin)),
        mock.patch.dict(os.environ, environment),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = _exit_code(err)
    return Result(code, _written(out), _written(err))


def spawn(*arguments: object, before: str = "", **environment: str) -> Result:
    """The same in a new process: slower, and nothing of this one can help it.

    `before` is Python that the process runs first.
    """
    done = subprocess.run(
        [*command(before), *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def on_terminal(*arguments: object, before: str = "", **environment: str) -> str:
    """All that the command writes to a terminal, colours and bars included. It must succeed."""
    import pexpect  # here, as the other ways do without it

    program, *rest = command(before)
    child = pexpect.spawn(
        program,
        [*rest, *map(str, arguments)],
        env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", **mark(), **environment},
        encoding="utf-8",
        timeout=60,
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return child.before or ""


IGNORING_INTERRUPTS = ["sh", "-c", """trap "" INT; exec "$@" """, "sh"]
"""Starts a program as a script starts one in its background: SIGINT is ignored, and inherited."""


@contextmanager
def started(
    *arguments: object, before: str = "", env: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """The command at work, begun in the background of a script. It is killed if it is not over."""
    with subprocess.Popen(
        [*IGNORING_INTERRUPTS, *command(before), *map(str, arguments)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        try:
            yield child
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)


def interrupt(child: subprocess.Popen[bytes]) -> Result:
    """Ctrl-C, as a terminal sends it to a command and its children. None of them may stay."""
    family = psutil.Process(child.pid).children(recursive=True)
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    _, left = psutil.wait_procs(family, timeout=30)
    assert left == []
    assert b"Traceback" not in err
    return Result(child.returncode, out.decode(), err.decode())


def command(before: str = "") -> list[str]:
    """How to start the command as a process."""
    return [sys.executable, "-c", f"{before}\nfrom lastspike.cli import main; main()"]


def refused(result: Result) -> str:
    """The one line of a command that failed as it should."""
    assert result.code == 1, result
    assert "Traceback" not in result.err
    assert result.err.endswith("\n")
    assert len(result.err.splitlines()) == 1, result.err
    return result.err.rstrip("\n")


def _exit_code(err: io.TextIOWrapper) -> int:
    try:
        main()
    except SystemExit as leaving:
        if isinstance(leaving.code, str):  # the interpreter would print it
            err.write(f"{leaving.code}\n")
            return 1
        return leaving.code or 0
    return 0


def _pipe(content: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", write_through=True)


def _written(pipe: io.TextIOWrapper) -> str:
    pipe.seek(0)
    return pipe.read()
