"""Which games a host may publish, why not the others, and what their records leave out."""

from __future__ import annotations

import pytest

from lastspike.server.records.publishing import why_unpublished
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.records import anonymous_record

from .test_importing import played

NOW, MIDNIGHT = 1_000, 2_000


def test_only_games_of_people_who_agree_each_for_themselves_are_public() -> None:
    state = played().state
    people = {"p0", "a"}
    assert why_unpublished(state, people, NOW) is None
    assert why_unpublished(state, {"p0"}, NOW) == "consent"
    assert why_unpublished(played(5).state, people, NOW) == "no_game", "not over"
    state.seats[1].person = None  # forgotten
    assert why_unpublished(state, people, NOW) == "consent"
    state.seats[1].person = "p0"  # two seats on one device
    assert why_unpublished(state, people, NOW) == "device"
    assert why_unpublished(state, set(), NOW) == "consent"
    state.seats[1].person = "a"
    for ranked in (True, False):  # its link is secret while its day lasts
        state.daily = e.DailyDealt("2026-11-19", 31, "00" * 32, ranked, MIDNIGHT)
        assert why_unpublished(state, people, NOW) == ("today" if ranked else None)
        assert why_unpublished(state, people, MIDNIGHT) is None
    state.played_on = True
    assert why_unpublished(state, people, MIDNIGHT) == "continued"
    with pytest.raises(NotAllowed):
        anonymous_record(played(5).state)
