"""The `lastspike` command, run in this process or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest import mock

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
