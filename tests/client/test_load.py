"""bench/load.py runs, and shows what it should; whether the promises are met it says itself."""

from __future__ import annotations

import json
import subprocess
import sys

SMALL = ["--tables", "3", "--rate", "30", "--seconds", "1", "--idle", "0.2", "--settle", "0.1"]


def bench(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "bench/load.py", *SMALL, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    ).stdout


def test_json_has_turns_memory_and_cpu() -> None:
    found = json.loads(bench("--runs", "3", "--json"))
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


def test_the_table_names_what_was_measured_and_the_promises() -> None:
    out = bench("--runs", "1")
    for text in ("3 tables of 4, 12 sockets, SQLite", "p99, ms", "under 100: ", "under 40: "):
        assert text in out
