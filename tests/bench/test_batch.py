"""bench/batch.py runs, and shows what it should."""

from __future__ import annotations

import json
import subprocess
import sys


def bench(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "bench/batch.py", "--games", "8", "--rounds", "1", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    ).stdout


def test_json_has_both_engines_and_their_ratio() -> None:
    rows = {row["engine"]: row for row in json.loads(bench("--json"))["engines"]}
    ours = ("rules, playouts", "batch, NumPy")
    assert set(rows) >= set(ours)
    for engine in ours:
        row = rows[engine]
        assert row["games_a_second"] > 1
        assert 40 < row["moves_a_second"] / row["games_a_second"] < 120
    assert rows["rules, playouts"]["times_rules"] == 1


def test_the_table_names_each_engine() -> None:
    out = bench("--players", "2")
    for text in ("rules, playouts", "batch, NumPy", "games/s", "x rules"):
        assert text in out
