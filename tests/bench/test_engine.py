"""bench/engine.py runs, and shows what it should; it says itself whether the goals are met."""

from __future__ import annotations

import json
import subprocess
import sys


def bench(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "bench/engine.py", "--seconds", "0.01", "--rounds", "2", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    ).stdout


def test_json_has_both_ways_through_our_engine() -> None:
    rows = {row["engine"]: row for row in json.loads(bench("--json"))}
    ours = [rows["lastspike, play"], rows["lastspike, playouts"], rows["lastspike, observed"]]
    assert [row["goal"] for row in ours] == [35, 60, None]
    for row in ours:
        assert row["games_a_second"] > 1
        assert 40 < row["moves_a_second"] / row["games_a_second"] < 120
        assert (row["times_python_chess"] is None) == ("python-chess" not in rows)
        assert row["includes"]
    hearts = {name for name in rows if name.startswith("OpenSpiel hearts")}
    assert len(hearts) in (0, 3), "its chance drawn both ways, and observed"


def test_the_table_names_each_engine_and_the_goals() -> None:
    out = bench()
    for text in ("lastspike, play ", "lastspike, playouts", "games/s", "moves/s", "35: ", "60: "):
        assert text in out
