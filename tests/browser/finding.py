"""The browser and the fonts that the tests need: found, installed, or asked for in one line."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

ARGUMENTS = [
    "--no-sandbox",  # tests run as root in containers
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


HEADLESS = ("chromium-headless-shell",)
WHOLE = ("chromium", "chromium-browser")


class Missing(Exception):
    """Something that the tests can't do without, and what to do about it."""


@cache
def chromium() -> str:
    """The path of a Chromium; on Debian, as root, it is installed where there is none.

    The headless shell is the same browser without a desktop's window, which takes a fifth less
    time; a whole Chromium serves as well.
    """
    found = _chromium(HEADLESS)
    if found is None and _install("chromium-headless-shell"):
        found = _chromium(HEADLESS)
    if found is None:
        found = _chromium(WHOLE)
    if found is None:
        raise Missing(
            "the browser tests need Chromium: install it (Debian: apt-get install "
            "chromium-headless-shell), "
            "or say where it is: CHROMIUM=/path/to/chromium make test"
        )
    return found


@cache
def japanese_font() -> str:
    """A font that has Japanese, so that its text takes the room that it takes for people."""
    found = _japanese_font()
    if not found and _install("fontconfig", "fonts-noto-cjk"):
        found = _japanese_font()
    if not found:
        raise Missing(
            "the browser tests need a font with Japanese (Debian: apt-get install fonts-noto-cjk)"
        )
    return found


def _chromium(names: tuple[str, ...]) -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        if not os.access(named, os.X_OK):
            raise Missing(f"CHROMIUM names {named}, which can't be run")
        return named
    return next((path for name in names if (path := shutil.which(name))), None)


def _japanese_font() -> str:
    if shutil.which("fc-list") is None:
        return "" if os.uname().sysname == "Linux" else "the system's own"
    command = ["fc-list", ":lang=ja", "family"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    return answer.stdout.partition("\n")[0]


def _install(*packages: str) -> bool:
    """Install Debian packages, where that is ours to do."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    # One at a time: every worker of the tests comes here.
    with (Path(tempfile.gettempdir()) / "lastspike-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in (install, ["apt-get", "update"], install):
            done = subprocess.run(command, check=False, env=environment, capture_output=True)
            if command is install and done.returncode == 0:
                return True
    return False
