"""What is counted is shown as Prometheus reads it, of one process or of several."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from lastspike.server.monitoring import metrics

COUNTING = """
import os
from lastspike.server.monitoring import metrics
metrics.SOCKETS.inc(5)
metrics.TABLES.inc(2)
metrics.STEPS.inc(3)
metrics.COMMIT_SECONDS.observe(0.003)
metrics.THINKING_SECONDS.labels("clerk").observe(0.1)
metrics.REFUSED.labels("rate").inc()
"""


def samples(text: str) -> dict[str, float]:
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def in_process(code: str, folder: Path | None) -> str:
    environment = {key: text for key, text in os.environ.items() if key != metrics.FOLDER}
    if folder is not None:
        environment[metrics.FOLDER] = str(folder)
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True, timeout=60
    ).stdout


SHOW = "\nprint(metrics.render().decode())"


def test_every_figure_is_there() -> None:
    found = samples(in_process(COUNTING + SHOW, None))
    assert found["lastspike_sockets_open"] == 5
    assert found["lastspike_tables_live"] == 2
    assert found["lastspike_steps_total"] == 3
    assert found["lastspike_turns_total"] == 0
    assert found['lastspike_commit_seconds_bucket{le="0.005"}'] == 1
    assert found['lastspike_commit_seconds_bucket{le="0.002"}'] == 0
    assert found['lastspike_thinking_seconds_count{level="clerk"}'] == 1
    assert found['lastspike_refused_total{reason="rate"}'] == 1
    assert found["lastspike_sockets_shed_total"] == 0
    assert found["process_resident_memory_bytes"] > 0
    assert not any(name.endswith("_created") for name in found)


def test_workers_count_together_and_gauges_only_of_those_that_live(tmp_path: Path) -> None:
    # The first two are gone when the third is asked: what they counted has happened, but their
    # sockets are closed.
    for _ in range(2):
        in_process(COUNTING, tmp_path)
    assert len(list(tmp_path.glob("gauge_livesum_*.db"))) == 2
    found = samples(in_process(COUNTING + SHOW, tmp_path))
    assert found["lastspike_steps_total"] == 9
    assert found["lastspike_commit_seconds_count"] == 3
    assert found["lastspike_sockets_open"] == 5
    assert found["lastspike_tables_live"] == 2


def test_gauges_of_live_workers_are_summed(tmp_path: Path) -> None:
    environment = {**os.environ, metrics.FOLDER: str(tmp_path)}
    waiting = f"{COUNTING}\nprint('ready', flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", waiting],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "ready\n"
        found = samples(in_process(COUNTING + SHOW, tmp_path))
        other.communicate("\n", timeout=60)
    assert found["lastspike_sockets_open"] == 10


def test_what_is_no_gauge_of_a_worker_is_left_alone(tmp_path: Path) -> None:
    names = ["gauge_livesum_nobody.db", "counter_999999999.db", f"gauge_livesum_{os.getpid()}.db"]
    for name in [*names, "gauge_livesum_999999999.db"]:
        (tmp_path / name).touch()
    metrics.forget_dead(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
