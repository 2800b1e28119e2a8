"""What all tests share: how many examples Hypothesis tries, which tests run on one worker, and that
no process is left behind."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from . import groups, leftovers, warm
from .slow import is_slow

# The one process that started this run: not a worker, nor a test run inside a test.
STARTED_THE_RUN = leftovers.begin()

# A script's background jobs ignore Ctrl-C, and so would all processes that the tests start.
if STARTED_THE_RUN and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Every core has a test of its own already. Read when NumPy is first imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

# The same examples at every run, so that a change is judged by itself and not by luck; the soak
# looks further, at other examples each time.
settings.register_profile(
    "test", max_examples=40, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "soak", max_examples=1000, deadline=None, suppress_health_check=SLOW_IS_FINE
)
# For the mutants: whether it fails is all there is to know, so the example is not made smaller.
settings.register_profile("haste", settings.get_profile("test"), phases=[Phase.generate])
settings.load_profile("soak" if os.environ.get("LASTSPIKE_SOAK") == "1" else "test")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes hundreds of thousands of objects that stay. Looking through them, now and at
    every test, the garbage collector took 5% of the CPU time of tests, and half of collecting."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # marks are chosen from by `-m` afterwards
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: groups.rank(item.nodeid))
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getvalue("dist") == "loadscope":
        return groups.GroupScheduling(config, log)
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """By now the workers have ended, and with them everything that tests share."""
    warm.end()
    if not STARTED_THE_RUN:
        return
    left = leftovers.end()
    if left:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[LEFT] = left


LEFT = pytest.StashKey[list[str]]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left = terminalreporter.config.stash.get(LEFT, [])
    if left:
        terminalreporter.section("processes left behind", red=True)
        for line in left:
            terminalreporter.line(line, red=True)
