"""The wheel as people install it: in an environment of its own, and in one line with `uvx`.

Only in the soak: it fetches every library.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Sequence
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from lastspike import release
from tests.sizes import FULL_SIZE

pytestmark = list(FULL_SIZE)

ROOT = Path(__file__).parents[2]
WAIT = 60.0
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    build = (sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), ".")
    subprocess.run(build, cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    print(f"\n{wheel.name}: {wheel.stat().st_size:,} bytes")
    return wheel


def programs_with(folder: Path, *installed: str) -> Path:
    """The programs of a new environment with these packages."""
    venv.create(folder, with_pip=True)
    python = (str(folder / "bin" / "python"), *PIP, "install", *installed)
    subprocess.run(python, check=True)
    return folder / "bin"


def test_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    began = time.perf_counter()
    pins = ("-c", str(ROOT / "constraints.txt"))
    programs = programs_with(tmp_path / "venv", str(wheel), *pins)
    print(f"pip: installed in {time.perf_counter() - began:.1f} s")
    says_its_commit_and_starts_a_game([str(programs / "lastspike")], tmp_path)


def test_in_one_line(wheel: Path, tmp_path: Path) -> None:
    programs = programs_with(tmp_path / "venv", "uv")
    command = [str(programs / "uvx"), "--from", str(wheel), "lastspike"]
    says_its_commit_and_starts_a_game(command, tmp_path)


def says_its_commit_and_starts_a_game(command: Sequence[str], folder: Path) -> None:
    environment = {
        **os.environ,
        "LASTSPIKE_HOME": str(folder / "home"),
        "LC_ALL": "C.UTF-8",
        "UV_CACHE_DIR": str(folder / "cache"),
    }
    began = time.perf_counter()
    version = subprocess.run(
        [*command, "--version"], env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    print(f"{Path(command[0]).name}: version after {time.perf_counter() - began:.1f} s")
    assert version == f"lastspike {release.full_version()}\n"
    git = ("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    commit = subprocess.run(git, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    assert commit in version or version == f"lastspike {release.VERSION}\n"

    began = time.perf_counter()
    play = [*command, "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        play,
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said = ""
            for line in process.stdout or ():
                said += line
                if line.startswith("Press Ctrl-C"):
                    break
            found = re.search(r"http://\S+", said)
            assert found, said
            with urllib.request.urlopen(found[0], timeout=WAIT) as answer:
                assert "The Last Spike" in answer.read().decode()
            print(f"{Path(command[0]).name}: game after {time.perf_counter() - began:.1f} s")
            game = psutil.Process(process.pid)
            if Path(command[0]).name == "uvx":  # which would end with 130 itself
                (game,) = game.children()
            game.send_signal(signal.SIGINT)
            assert process.wait(WAIT) == 0
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
