"""The rules in the Python of the worker, against those in this one. Only in the soak."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lastspike.rules.records import trace
from tests.built_site import build_site
from tests.sizes import FULL_SIZE

from . import random_games

pytestmark = list(FULL_SIZE)

GAMES = 2_000


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site that has the worker's Python."""
    site = tmp_path_factory.mktemp("site")
    build_site(site)
    [folder] = (site / "python").iterdir()
    return folder


def in_worker(python: Path, program: str, folder: Path) -> str:
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    node = Path(sys.executable).parent / "node"
    script = Path(__file__).parent / "in_pyodide.mjs"
    run = (str(node), str(script), str(python), str(file))
    return subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout


def test_random_games_are_the_same_in_the_worker(python: Path, tmp_path: Path) -> None:
    source = Path(random_games.__file__).read_text("utf-8")
    tracing = Path(trace.__file__).read_text("utf-8")  # which the page has no use for
    program = f"""
import json, sys, types
tracing = types.ModuleType("lastspike.rules.records.trace")
exec({tracing!r}, tracing.__dict__)
sys.modules[tracing.__name__] = tracing
exec({source.replace("from __future__ import annotations", "")!r})
json.dumps([sys.platform, digests(0, {GAMES})])
"""
    began = time.perf_counter()
    platform, found = json.loads(in_worker(python, program, tmp_path))
    there = time.perf_counter() - began
    here = random_games.digests(0, GAMES)
    print(f"{GAMES} games: {there:.0f} s there, {time.perf_counter() - began - there:.0f} s here")
    assert platform == "emscripten"
    assert found == here
    assert len(set(here)) == GAMES
