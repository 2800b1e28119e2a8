"""bench/load.py runs, and shows what it should; whether the promises are met it says itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SMALL = ["--tables", "3", "--rate", "30", "--seconds", "1", "--idle", "0.2", "--settle", "0.1"]


def test_it_measures_and_shows_turns_memory_cpu_and_the_promises(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    out = subprocess.run(
        [sys.executable, "bench/load.py", *SMALL, "--runs", "3", "--json", str(file)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    ).stdout
    for text in ("3 tables of 4, 12 sockets, SQLite", "p99, ms", "under 100: ", "under 40: "):
        assert text in out
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["tables"], found["sockets"], found["limit"]) == (3, 12, None)
    assert len(found["runs"]) == 3
    for run in found["runs"]:
        assert 0 < run["p50"] <= run["p99"] <= run["longest"]
        assert run["refused"] == 0
        assert run["offered"] > 5
        assert run["server_cpu"] > 0
        assert run["own_cpu"] > 0
    assert found["median"]["p99"] == sorted(run["p99"] for run in found["runs"])[1]
    assert found["memory"]["at_start"] > 20_000
