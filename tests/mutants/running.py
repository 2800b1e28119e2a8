"""Tests inside a test: run some of them against a copy of the program, broken or not.

`python -m tests.mutants.running [NAME...]` tries the breaks of these names, or all, one after the
other, and prints a row of `docs/tests-breaks.md` for each.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .break_type import Break
from .breaks import BREAKS

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "src" / "lastspike"
OPTIONS = ["-x", "-q", "-p", "no:cacheprovider"]
PLUGINS = ["-p", "anyio", "-p", "hypothesispytest", "-p", "timeout"]
"""Those that the tests need: loading all that are installed takes longer than most tests."""
SECONDS = 600
"""How long one run may take; a page that is broken may keep its test waiting for a minute."""
TESTS_FAILED = 1
OURS = ("PYTEST_", "COV_", "COVERAGE_", "LASTSPIKE_")


class Run(NamedTuple):
    """How a run of tests ended: pytest's exit code, everything it printed, and how long it took."""

    code: int
    output: str
    seconds: float

    @property
    def noticed(self) -> bool:
        """Whether a test ran and failed. A program that can't even be imported or started, so that
        tests end with errors only, has shown nothing."""
        return self.code == TESTS_FAILED and bool(re.search(r"\b\d+ failed\b", self.output))

    @property
    def all_passed(self) -> bool:
        """Whether every test ran and passed: one that is skipped has shown nothing either."""
        return self.code == 0 and not re.search(r"\b\d+ skipped\b", self.output)


def copy_of_the_program(folder: Path, broken: Break | None = None) -> Path:
    """A copy of the package in this folder, with one place broken if asked for. Compiled modules
    go along, since compiling all of them again takes longer than most tests."""
    copy = folder / "lastspike"
    shutil.copytree(PACKAGE, copy)
    if broken is not None:
        file = copy / broken.file
        text = file.read_text("utf-8")
        assert text.count(broken.old) == 1, f"{broken.name} is stale"
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            compiled.unlink()
        file.write_text(text.replace(broken.old, broken.new), "utf-8")
    return folder


def run_tests(folder: Path, tests: Iterable[str]) -> Run:
    """Run these tests in a process that imports the program from this folder, as do all processes
    that it starts. Nothing of the run that we are in goes along."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
    env |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    where = f"import lastspike, sys; sys.exit(not lastspike.__file__.startswith({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", where], env=env, cwd=PROJECT, check=True)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *PLUGINS, *tests],
        env=env,
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Run(done.returncode, done.stdout + done.stderr, time.monotonic() - began)


def main(names: list[str]) -> int:
    """Try the breaks of these names, or all; the exit code says whether all were noticed."""
    good = True
    for each in BREAKS:
        if names and each.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            run = run_tests(copy_of_the_program(Path(folder), each), each.tests)
        failed = re.findall(r"^FAILED ([^\s\[]+)", run.output, re.MULTILINE)
        if not run.noticed:
            good = False
            print(f"NOT NOTICED: {each.name}\n{run.output[-1500:]}", flush=True)
            continue
        by = ", ".join(f"`{test.removeprefix('tests/')}`" for test in failed)
        print(
            f"| {each.name} | {each.area} | `{each.file}` | {by} | {run.seconds:.0f} |", flush=True
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
