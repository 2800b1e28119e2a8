"""The worked example of the rulebook's last page, which every engine must reproduce."""

from __future__ import annotations

import pytest

from lastspike.rules.events import Event, GameOver, LastSpike, Payout, RouteFinished, TrackLaid
from lastspike.rules.position import Position
from lastspike.rules.records.record import read_record

from .helpers import after, layout, legal, played, why_refused
from .worked_game import ENDINGS, FOLDER, record, text

FINISHED = "Y X F E B A"
"""Sacramento-Ogden, Yuma-El Paso, El Paso-Dodge City, Denver-Dodge City, Dodge City-St. Louis,
St. Louis-Omaha."""
LAND = "DEN:0.1.. OGD:11... YUM:0.2.. SAC:2...."


def test_worked_example_V3_is_the_last_spike() -> None:
    start = layout("V3 C2", track=f"{FINISHED} V1 V2 V4 C4", land=LAND)
    position, events = played(start, "V3")
    assert events == [
        TrackLaid(0, "V3", 3000, double=False),
        LastSpike(0, "V3", 20_000),
        RouteFinished(0, "V"),
        Payout(0, "V", "DEN", 1, 5000),
        Payout(1, "V", "DEN", 1, 5000),
        Payout(1, "V", "OGD", 2, 14_000),
        GameOver("last spike", (0,), (1, 2, 3), (52_000, 49_000, 30_000)),
    ]
    assert position.table.finished.bit_count() == 7
    assert position.table.last_spike == 0


def test_worked_example_Z3_would_have_been_a_last_spike_too() -> None:
    start = layout("Z3 C2", track=f"{FINISHED} Z1 Z2 Z4 C4", land=LAND)
    position, events = played(start, "Z3")
    assert events[:3] == [
        TrackLaid(0, "Z3", 4000, double=False),
        LastSpike(0, "Z3", 20_000),
        RouteFinished(0, "Z"),
    ]
    assert events[3:-1] == [
        Payout(0, "Z", "YUM", 1, 7000),
        Payout(2, "Z", "YUM", 1, 7000),
        Payout(2, "Z", "SAC", 1, 9000),
    ]
    assert position.table.phase == "over"


def test_worked_example_with_both_open_either_ends_the_game() -> None:
    start = layout("V3 Z3", track=f"{FINISHED} V1 V2 V4 Z1 Z2 Z4")
    assert legal(start) == ["V3", "Z3"]
    for tile in ("V3", "Z3"):
        position = after(start, tile)
        assert position.table.phase == "over"
        assert why_refused(position, "V3").rule == "E1"


def _finish_all(position: Position, *tiles: str) -> list[Event]:
    """Lay the tiles in turn, buying nothing."""
    events: list[Event] = []
    for tile in tiles:
        position, more = played(position, tile)
        events += more
        if position.table.phase == "buy":
            position, more = played(position, "pass")
            events += more
    assert position.table.phase == "over"
    return events


@pytest.mark.parametrize("last", ["V3", "Z3"])
def test_worked_example_seven_payouts_and_Laramie_never_paid(last: str) -> None:
    spaces = [f"{letter}{n}" for letter in "YXFEBAVZC" for n in (1, 2, 4)]
    start = layout(
        f"Y3 F3 B3 {last}",
        track=" ".join(spaces),
        land=f"{LAND} LAR:01... STL:0.... OMA:1.... DOD:2.... ELP:0....",
        hands={1: "X3 E3 A3", 2: "D2 W2 U2"},
        cash=(30_000, 30_000, 30_000),
        pool="",
    )
    tiles = ("Y3", "X3", "D2", "F3", "E3", "W2", "B3", "A3", "U2", last)
    events = _finish_all(start, *tiles)
    finished = [event.route for event in events if isinstance(event, RouteFinished)]
    assert finished == ["Y", "X", "F", "E", "B", "A", last[0]]
    paid = {event.city for event in events if isinstance(event, Payout)}
    assert paid == {"STL", "OMA", "DOD", "DEN", "ELP", "OGD", "YUM", "SAC"}


def test_worked_example_two_Denver_and_one_Dodge_City_collect_10000_and_7000() -> None:
    start = layout("E2", track="E1 E3 E4", land="DEN:00... DOD:.0...")
    position, events = played(start, "E2")
    assert [event for event in events if isinstance(event, Payout)] == [
        Payout(0, "E", "DOD", 1, 7000),
        Payout(0, "E", "DEN", 2, 10_000),
    ]
    assert position.table.cash[0] == 30_000 - 1000 + 17_000


@pytest.mark.parametrize("last", ENDINGS)
class TestGameOfThePage:
    """The rules page opens the example as a whole game: one for each last spike."""

    def test_the_file_is_as_its_script_writes_it(self, last: str) -> None:
        written = (FOLDER / f"{last}.json").read_text("utf-8")
        assert written == text(last), "run python -m tests.rules.worked_game"

    def test_seven_routes_pay_in_the_order_of_the_rulebook(self, last: str) -> None:
        events = read_record(record(last)).game.history
        finished = [event.route for event in events if isinstance(event, RouteFinished)]
        assert finished == [*FINISHED.split(), last[0]]
        spikes = [event for event in events if isinstance(event, LastSpike)]
        assert [(spike.tile, spike.bonus) for spike in spikes] == [(last, 20_000)]
        assert not any(event.double for event in events if isinstance(event, TrackLaid))
        assert "LAR" not in {event.city for event in events if isinstance(event, Payout)}


def test_who_lays_V3_has_no_land_there_and_the_next_player_holds_Z3() -> None:
    game = read_record(record("V3")).game
    last = [event for event in game.history if isinstance(event, Payout) and event.route == "V"]
    assert {event.seat for event in last} == {1, 2}
    assert record("V3")["result"]["last_spike"] == 0
    assert record("Z3")["result"]["last_spike"] == 1
