"""The version, which only this module states; `pyproject.toml` reads it from here.

`VERSION` is the newest release. A build or checkout after it also names its commit:
`0.2.0+17.g4487c32` is 17 commits later. So no two builds from different commits look the same to
pip. This module imports nothing of the project, because a build runs it by itself.
"""

from __future__ import annotations

import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

VERSION = "0.2.0"

_ROOT = Path(__file__).resolve().parents[2]
"""The checkout or the unpacked sdist, if this is one."""
_GIT_SECONDS = 5


@cache
def full_version() -> str:
    """The version with its commit, from a checkout, an unpacked sdist or an installed wheel."""
    if (_ROOT / "pyproject.toml").exists():
        return _of_checkout(_ROOT) or _of_sdist(_ROOT) or VERSION
    try:
        return metadata.version("lastspike")
    except metadata.PackageNotFoundError:  # copied here without installing
        return VERSION


def _of_checkout(root: Path) -> str | None:
    if not (root / ".git").exists():
        return None
    described = _git(root, "describe", "--tags", "--long", "--match", f"v{VERSION}")
    if described is None:  # not tagged yet, or the tags were not fetched
        commit = _git(root, "rev-parse", "--short", "HEAD")
        return commit and f"{VERSION}+g{commit}"
    _, later, commit = described.rsplit("-", 2)
    return VERSION if later == "0" else f"{VERSION}+{later}.{commit}"


def _of_sdist(root: Path) -> str | None:
    try:
        lines = (root / "PKG-INFO").read_text("utf-8").splitlines()
    except OSError:
        return None
    found = (line.removeprefix("Version: ") for line in lines if line.startswith("Version: "))
    return next(found, None)


def _git(root: Path, *arguments: str) -> str | None:
    try:
        run = subprocess.run(
            ("git", "-C", root, *arguments),
            check=True,
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return run.stdout.strip()
