"""bench/environments.py runs, and shows a figure for each environment."""

from __future__ import annotations

import re
import subprocess
import sys


def test_every_environment_has_a_figure() -> None:
    shown = subprocess.run(
        [sys.executable, "bench/environments.py", "--games", "1", "--at-once", "24"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    ).stdout
    assert len(shown.splitlines()) == 8
    assert len(re.findall(r": [1-9][0-9,]* games a second", shown)) == 7
    assert re.search(r"observation and mask: [1-9][0-9.]* µs", shown)
