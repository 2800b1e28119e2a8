"""What all tests share: how many examples Hypothesis tries, which tests run on one worker, and that
no process is left behind."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, Phase, settings

from . import leftovers

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

SLOWEST_FIRST = (
    "browser-1",
    "browser-2",
    "server/test_nothing_lost",
    "cli/test_arena",
    "servers",
    "own-postgres",
    "mutants",
    "review/",
    "cli/test_cluster",
    "server/live/",
    "docs/test_documentation",
    "server/http/",
    "server/run/",
    "server/jobs/",
    "server/",
    "cli/",
    "lab/",
    "client/",
)
"""Groups that take long, by how their names begin, the longest first: a long one at the end would
leave the other workers with nothing to do."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup`, the tests of a group run on one worker, and share what they start.
    A test that names no group belongs to that of its file."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            file = item.nodeid.partition("::")[0].removeprefix("tests/").removesuffix(".py")
            item.add_marker(pytest.mark.xdist_group(file))
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> tuple[int, str]:
    mark = item.get_closest_marker("xdist_group")
    assert mark is not None
    group: str = mark.args[0]
    places = (place for place, start in enumerate(SLOWEST_FIRST) if group.startswith(start))
    return next(places, len(SLOWEST_FIRST)), group


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """By now the workers have ended, and with them everything that tests share."""
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
