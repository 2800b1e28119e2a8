"""Tests within a test: some of the rules' tests run in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-profile=haste"]
PLUGINS = "hypothesispytest,timeout,pytest_cov"
"""Those that the options need: to load all that are installed takes longer than most tests."""


def run_tests(
    package: Path, *names: str, options: tuple[str, ...] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    """The tests of these names, in a process that imports the rules from this folder. Nothing of
    the run that started it goes along; `more` adds to its environment."""
    ours = ("PYTEST_", "COV_", "COVERAGE_", "LASTSPIKE_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    env |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **more}
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
    where = f"import lastspike, sys; sys.exit(not lastspike.__file__.startswith({str(package)!r}))"
    subprocess.run([sys.executable, "-c", where], env=env, cwd=PROJECT, check=True)
    files = [f"tests/rules/test_{name}.py" for name in names]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *options, *files],
        env=env,
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
