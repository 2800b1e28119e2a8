"""Which games a host may publish, and what their records leave out."""

from __future__ import annotations

import pytest

from lastspike.server.records.publishing import may_be_published
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.records import anonymous_record

from .test_importing import played


def test_only_games_of_people_who_agree_each_for_themselves_are_public() -> None:
    state = played().state
    people = {"p0", "a"}
    assert may_be_published(state, people)
    assert not may_be_published(state, {"p0"})
    assert not may_be_published(played(5).state, people), "not over"
    state.seats[1].person = None  # forgotten
    assert not may_be_published(state, people)
    state.seats[1].person = "p0"  # two seats on one device
    assert not may_be_published(state, people)
    state.seats[1].person = "a"
    state.played_on = True
    assert not may_be_published(state, people)
    with pytest.raises(NotAllowed):
        anonymous_record(played(5).state)
