"""Tests inside a test: one warm process forks a copy of itself for each run of the rules' tests.

Starting Python and importing pytest takes longer than most of the rules' tests. So one process
imports pytest once, without the rules, and forks for each run: the child imports the rules, breaks
one module of them if asked to, runs the tests and ends.

`python -m tests.rules.inner` is that process. It reads one request per line from its standard input
and writes one answer per line to its standard output, both as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import select
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import IO, Any, NamedTuple

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "src" / "lastspike"
OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-profile=haste"]
PLUGINS = "hypothesispytest,timeout,pytest_cov"
"""The plugins that the options need. Loading all installed ones takes longer than most tests."""
WARM = ("pytest", "hypothesis.strategies", "coverage", "pytest_cov.plugin", "pytest_timeout")
"""What takes long to import and has nothing to do with the rules."""
SECONDS = 120
"""How long one run may take."""
NOT_BROKEN = 70
"""The exit code of a run that never imported the module it should have broken."""
CRASHED = 71
"""The exit code of a run that failed outside the tests."""

Get = Callable[[SourceFileLoader, str], CodeType | None]


class Run(NamedTuple):
    """How a run of tests ended: pytest's exit code and everything it printed."""

    code: int
    output: str


class InnerTests:
    """The warm process, seen from the tests that use it."""

    def __init__(self) -> None:
        # Nothing of the outer test run may reach the inner one.
        ours = ("PYTEST_", "COV_", "COVERAGE_", "LASTSPIKE_")
        env = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        env |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(PACKAGE.parent)}
        env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rules.inner"],
            env=env,
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(
        self,
        *names: str,
        options: tuple[str, ...] = (),
        broken: tuple[str, str] | None = None,
        env: dict[str, str] | None = None,
    ) -> Run:
        """Run the test files of these names. With `broken`, a file of the package and its new
        source, that module is imported from this source. `env` adds to the environment."""
        files = [f"tests/rules/test_{name}.py" for name in names]
        request = {"arguments": [*OPTIONS, *options, *files], "broken": broken, "env": env or {}}
        to, answers = self._process.stdin, self._process.stdout
        assert to is not None
        assert answers is not None
        to.write(json.dumps(request) + "\n")
        to.flush()
        if not select.select([answers], [], [], SECONDS)[0]:
            self.close(kill=True)
            raise TimeoutError(f"the tests {names} ran longer than {SECONDS} seconds")
        answer = answers.readline()
        assert answer, "the process that runs the rules' tests has ended"
        return Run(*json.loads(answer))

    def close(self, *, kill: bool = False) -> None:
        """End the process: at once with `kill`, or else because it has no more requests."""
        if kill:
            os.killpg(self._process.pid, 9)
        self._process.communicate(timeout=30)


def main() -> None:
    """Answer requests until there are no more."""
    for module in WARM:
        import_module(module)
    assert "lastspike" not in sys.modules
    gc.freeze()  # so that children share this memory instead of copying it
    for line in sys.stdin:
        with tempfile.TemporaryFile("w+b") as output:
            child = os.fork()
            if child == 0:
                os._exit(_run(json.loads(line), output))
            _, status = os.waitpid(child, 0)
            output.seek(0)
            said = output.read().decode("utf-8", "replace")
        print(json.dumps([os.waitstatus_to_exitcode(status), said]), flush=True)


def _run(request: dict[str, Any], output: IO[bytes]) -> int:
    """Run the tests of one request in this process, a child; the exit code."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    try:
        import pytest

        os.environ.update(request["env"])
        broken = Broken(*request["broken"]) if request["broken"] else None
        code = int(pytest.main(request["arguments"]))
        if broken and not broken.imported:
            print(f"no test imported {broken.file}")
            code = NOT_BROKEN
    except BaseException:
        traceback.print_exc()
        code = CRASHED
    sys.stdout.flush()
    sys.stderr.flush()
    return code


class Broken:
    """From now on this process imports one file of the package from another source."""

    def __init__(self, file: str, source: str) -> None:
        self.file = str((PACKAGE / file).resolve(strict=True))
        self.imported = False
        usual: Get = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            if os.path.realpath(loader.path) != self.file:
                return usual(loader, name)
            code = compile(source, loader.path, "exec", dont_inherit=True)
            self.imported = True
            return code

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    main()
