"""The ladder: levels in their order, whatever the mix."""

from __future__ import annotations

import sys
from random import Random

import pytest

from lastspike.lab.arena.ladder import check_openskill, climb, ladder_summary
from lastspike.lab.arena.match import play_match
from lastspike.rules.errors import LastSpikeError

from .helpers import deal, result, settings


@pytest.mark.parametrize(
    "names", [("greenhorn", "clerk", "surveyor"), ("surveyor", "greenhorn", "clerk")]
)
def test_levels_stand_in_their_order(names: tuple[str, ...]) -> None:
    ladder = settings(*names, deals=24, ladder=True)
    deals = list(play_match(ladder))
    best, middle, last = climb(ladder, deals)
    assert [best.name, middle.name, last.name] == ["surveyor", "clerk", "greenhorn"]
    assert best.rating.low > middle.rating.high
    assert middle.rating.low > last.rating.high
    assert best.rating.mean + middle.rating.mean + last.rating.mean == pytest.approx(75)
    assert best.seats + middle.seats + last.seats == 24 * 16
    found = ladder_summary(ladder, deals)
    assert found == ladder_summary(ladder, deals)
    assert [rung["name"] for rung in found["rungs"]] == ["surveyor", "clerk", "greenhorn"]
    assert found["games"] == 96


def test_equals_stand_beside_each_other_and_more_deals_say_more() -> None:
    random = Random("equals")
    widths = []
    for deals in (30, 300):
        ladder = settings("a", "b", players=2, deals=deals, ladder=True)
        games = [
            deal(
                number, *(result(random.sample((1, 2), 2), line_up) for line_up in ((0, 1), (1, 0)))
            )
            for number in range(deals)
        ]
        first, second = climb(ladder, games)
        assert first.rating.low < second.rating.high
        widths.append(first.rating.margin)
    assert widths[1] < widths[0] / 2


def test_one_deal_has_no_interval() -> None:
    ladder = settings("a", "b", players=2, deals=1, ladder=True)
    best, last = climb(ladder, [deal(0, result((2, 1), (0, 1)), result((1, 2), (1, 0)))])
    assert (best.name, last.name) == ("b", "a")
    assert best.to_json()["rating"]["low"] is None
    assert (best.win_share.mean, last.win_share.mean) == (1.0, 0.0)


def test_without_openskill_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    check_openskill()
    monkeypatch.setitem(sys.modules, "openskill", None)
    with pytest.raises(LastSpikeError, match=r"pip install 'lastspike\[arena\]'"):
        check_openskill()
