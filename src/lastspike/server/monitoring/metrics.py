"""Metrics for Prometheus.

Several workers write to files in a shared folder, and each can render the sums. This mode depends
on `PROMETHEUS_MULTIPROC_DIR` at the time when this module is imported.
"""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

disable_created_metrics()  # type: ignore[no-untyped-call]
_registry = CollectorRegistry()

TABLES = Gauge(
    "lastspike_tables_live",
    "Tables in memory with somebody connected or something to do",
    registry=_registry,
    multiprocess_mode="livesum",
)
SOCKETS = Gauge(
    "lastspike_sockets_open", "Open sockets", registry=_registry, multiprocess_mode="livesum"
)
STEPS = Counter("lastspike_steps", "Steps stored", registry=_registry)
TURNS = Counter("lastspike_turns", "Turns stored", registry=_registry)
COMMIT_SECONDS = Histogram(
    "lastspike_commit_seconds",
    "Time of one transaction that stores steps, synced",
    registry=_registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
COMMIT_STEPS = Histogram(
    "lastspike_commit_steps",
    "Steps stored by one transaction",
    registry=_registry,
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
THINKING_SECONDS = Histogram(
    "lastspike_thinking_seconds",
    "Time a computer player thought about a turn",
    ["level"],
    registry=_registry,
    buckets=(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20),
)
REQUEST_SECONDS = Histogram(
    "lastspike_request_seconds",
    "Time of one HTTP request",
    registry=_registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
REFUSED = Counter(
    "lastspike_refused", "Requests and sockets refused", ["reason"], registry=_registry
)
SHED = Counter("lastspike_sockets_shed", "Sockets closed for being too slow", registry=_registry)
WEBHOOKS = Counter(
    "lastspike_webhooks",
    "Turn alerts, by how they ended: sent or failed",
    ["result"],
    registry=_registry,
)

MAILS = Counter(
    "lastspike_mails",
    "E-mails, by how they ended: sent or failed",
    ["result"],
    registry=_registry,
)

if FOLDER not in os.environ:
    ProcessCollector(registry=_registry)


def render() -> bytes:
    """All metrics in Prometheus' text format, for all workers on this machine."""
    return generate_latest(_all())


def sums() -> dict[str, float]:
    """The metrics of all workers on this machine, by name, whatever their labels."""
    found: dict[str, float] = {}
    for metric in _all().collect():
        for sample in metric.samples:
            found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return found


def _all() -> CollectorRegistry:
    folder = os.environ.get(FOLDER)
    if folder is None:
        return _registry
    forget_dead(Path(folder))
    shared = CollectorRegistry()
    MultiProcessCollector(shared, path=folder)  # type: ignore[no-untyped-call]
    return shared


def forget_dead(folder: Path) -> None:
    """Drop the gauges of workers that were killed. Counters stay: the events did happen."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not _is_alive(int(pid)):
            file.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:  # no such process, or another user's, which can't be our worker
        return False
    return True
