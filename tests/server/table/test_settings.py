"""A custom edition in a table's log: stored once, told once, and read when it is played with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from lastspike.protocol import Settings
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.server.table import commands, state
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import Conflict
from lastspike.server.table.limits import MOST_FIGURES_IN_LOG
from lastspike.server.table.views import Viewer, steps_for
from tests.server.paper import HOST, LEVELS, Paper


def edition(number: int, filling: int = 0) -> dict[str, Any]:
    """Figures that no other number has. Unknown keys are allowed, and kept."""
    return {**shipped().to_figures(), "comment": f"{number} {'x' * filling}"}


def change(paper: Paper, **settings: Any) -> None:
    paper.do(commands.change_settings, HOST, Settings(**settings), LEVELS)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """The figures that were read, each of which takes as long as many turns."""
    state._custom_edition.cache_clear()
    found: list[object] = []

    def counting(raw: object) -> Any:
        found.append(raw)
        return figures_read(raw)

    figures_read = figures.read
    monkeypatch.setattr(figures, "read", counting)
    yield found
    state._custom_edition.cache_clear()


def stored(paper: Paper) -> int:
    return sum(len(e.to_stored(step)[0]) for step in paper.log)


def test_figures_are_stored_once() -> None:
    paper = Paper()
    change(paper, figures=edition(1))
    change(paper, figures=edition(2))
    before = stored(paper)
    for number in range(100):
        backwards = dict(reversed(edition(number % 2 + 1).items()))
        change(paper, figures=backwards, pace=number)
        assert paper.state.settings == Settings(figures=edition(number % 2 + 1), pace=number)
    assert stored(paper) - before < 100 * 400
    again = state.replay(paper.state.id, paper.log)
    assert again.settings == paper.state.settings
    assert again.setup == paper.state.setup


def test_a_log_holds_so_many_bytes_of_them() -> None:
    paper = Paper()
    size = e.figures_key(edition(0, 20_000))[1]
    most = MOST_FIGURES_IN_LOG // size
    for number in range(most):
        change(paper, figures=edition(number, 20_000))
    with pytest.raises(Conflict, match="too many times"):
        change(paper, figures=edition(most, 20_000))
    change(paper, figures=edition(0, 20_000))
    change(paper)
    assert stored(paper) < MOST_FIGURES_IN_LOG + 10_000


def test_an_older_log_has_them_in_full_and_still_loads(read: list[object]) -> None:
    paper = Paper()
    for number in range(100):
        step = e.Step(
            paper.state.number + 1, 0, (e.SettingsChanged(Settings(figures=edition(number, 9000))),)
        )
        paper.log.append(step)
        paper.state.apply(step)
    again = state.replay(paper.state.id, paper.log)
    assert again.figures_bytes <= MOST_FIGURES_IN_LOG
    assert not read  # nobody plays with any of them yet
    assert again.setup.edition.id == shipped().id
    assert read == [edition(99, 9000)]


def test_an_edition_is_read_once(read: list[object]) -> None:
    settings = Settings(figures=edition(1))
    papers = [Paper(settings=settings) for _ in range(5)]
    for paper in papers:
        for pace in range(5):
            change(paper, figures=edition(1), pace=pace)
        assert paper.state.setup.edition.id == shipped().id
    assert len(read) == 1


def test_only_the_latest_settings_are_told_and_figures_with_the_table_alone() -> None:
    paper = Paper(settings=Settings(figures=edition(1)))
    for pace in range(50):
        change(paper, figures=edition(pace % 3), pace=pace)
    told = steps_for(paper.state, paper.log, Viewer())
    happened = [each for step in told for each in step.happenings]
    assert [each["kind"] for each in happened] == [
        "table_created",
        "seat_taken",
        "round_began",
        "settings_changed",
    ]
    assert happened[-1]["settings"]["pace"] == 49
    assert all("figures" not in each.get("settings", {}) for each in happened)
    assert len(msgspec.json.encode(told)) < 2000


def test_what_costs_nothing_to_refuse_is_refused_first(read: list[object]) -> None:
    paper = Paper()
    for person, wanted in (("p1", edition(1)), (HOST, edition(1, 40_000))):
        with pytest.raises(Exception, match=r"host|too large"):
            commands.may_change_settings(paper.state, person, Settings(figures=wanted))
    assert not read
