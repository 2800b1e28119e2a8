"""The site without a server, built in a folder of its own."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build_site(folder: Path) -> None:
    """What `make site` does, in this folder. One at a time: the first fetches Pyodide."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(("make", "site", f"SITE={folder}"), cwd=ROOT, check=True)
