"""Sensible play, as positions that a good player can't get wrong."""

from __future__ import annotations

import pytest

from lastspike.bots.levels import make_player
from lastspike.rules import Position, View, view_of
from lastspike.rules.events import FirstPlayer
from tests.rules.helpers import layout

GOOD = ["surveyor", "speculator"]
WORKED = "A E B Y F X V1 V2 V4"
"""The worked example of the rules: V3 is the last spike."""


def seen(position: Position) -> View:
    return view_of(position, position.table.turn, [FirstPlayer(0)])


def turn(level: str, position: Position) -> list[str]:
    return [move.text for move in make_player(level, "sensible").turn(seen(position))]


@pytest.mark.parametrize("level", GOOD)
def test_it_takes_a_last_spike_that_wins(level: str) -> None:
    position = layout("C1 D1 V3 Z1", track=WORKED, cash=(30_000, 35_000, 40_000))
    assert turn(level, position) == ["V3"]


@pytest.mark.parametrize("level", GOOD)
def test_it_takes_a_last_spike_that_wins_by_land_alone(level: str) -> None:
    position = layout(
        "C1 D1 V3 Z1", track=WORKED, cash=(30_000, 47_000, 20_000), land="STL:0..0. OMA:1...."
    )
    assert turn(level, position) == ["V3"]


@pytest.mark.parametrize("level", GOOD)
def test_it_does_not_drive_a_last_spike_that_loses_while_another_move_is_open(level: str) -> None:
    position = layout("C1 D1 V3 Z1", track=WORKED, cash=(10_000, 60_000, 40_000))
    assert turn(level, position)[0] != "V3"


@pytest.mark.parametrize("level", GOOD)
def test_it_does_not_drive_a_last_spike_that_loses_by_land_alone(level: str) -> None:
    """Nothing else brings anything, and the cash would be the same: still it would be lost."""
    position = layout(
        "C1 D1 V3 Z1",
        track=WORKED,
        cash=(6_000, 23_000, 20_000),
        land="STL:0..0. OMA:1.... YUM:1111.",
    )
    assert turn(level, position)[0] != "V3"


def test_surveyor_drives_a_losing_last_spike_only_if_it_must() -> None:
    position = layout("V3", track=WORKED, cash=(10_000, 60_000, 40_000))
    assert turn("surveyor", position) == ["V3"]


@pytest.mark.parametrize("level", ["clerk", *GOOD])
def test_it_does_not_buy_land_of_a_finished_city(level: str) -> None:
    """St. Louis and Omaha have paid all they ever will; only their land is for sale."""
    position = layout("U2 W2 X2", track="A B C D U1 W1 X1", land="STL:1.... OMA:2....")
    bought = [move for move in turn(level, position) if move in ("+STL", "+OMA")]
    assert not bought


@pytest.mark.parametrize("level", ["clerk", *GOOD])
def test_it_does_not_sell_what_it_need_not(level: str) -> None:
    position = layout(
        "A2 V2", track="A1 V1", cash=(2_000, 30_000, 30_000), land="STL:00... DEN:.0..."
    )
    assert not [move for move in turn(level, position) if move.startswith("-")]


@pytest.mark.parametrize("level", GOOD)
def test_it_sells_what_is_worth_least(level: str) -> None:
    """Of Omaha, all but one route is finished; of Denver none is."""
    position = layout(
        "V2", track="A C D1 D2 V1", cash=(4_000, 30_000, 30_000), land="OMA:1.0.. DEN:1.0.."
    )
    assert turn(level, position)[:2] == ["V2", "-OMA2"]


@pytest.mark.parametrize("level", GOOD)
def test_it_keeps_clear_of_bankruptcy_when_a_cheaper_tile_saves_it(level: str) -> None:
    """V2 would take the last dollar with nothing to sell; A2 leaves four more turns."""
    position = layout("A2 V2", track="A1 V1", cash=(5_000, 30_000, 30_000))
    assert turn(level, position)[0] == "A2"


@pytest.mark.parametrize("level", ["clerk", *GOOD])
def test_it_takes_a_free_grant_rather_than_a_dear_tile(level: str) -> None:
    position = layout("A1 V2", track="V1", cash=(40_000, 40_000, 40_000))
    assert turn(level, position) == ["A1"]


@pytest.mark.parametrize("level", GOOD)
def test_it_finishes_a_route_that_pays_it_and_not_one_that_pays_the_others(level: str) -> None:
    position = layout(
        "A4 F4",
        track="A1 A2 A3 F1 F2 F3",
        land="STL:000.. OMA:..... DOD:1112. ELP:.....",
        cash=(20_000, 20_000, 20_000),
    )
    assert turn(level, position)[0] == "A4"


def test_hidden_cash_is_added_up_for_the_end() -> None:
    """Who wins if it ends now is known from the public payments, hidden or not."""
    position = layout("C1 D1 V3 Z1", track=WORKED, cash=(30_000, 35_000, 40_000), hidden_cash=True)
    view = seen(position)
    rules = position.table.setup
    start = rules.edition.starting_cash[rules.players]
    assert view.table.cash == [30_000, -1, -1]
    assert start == 50_000  # as nobody paid anything in this history, the others have 50,000
    assert make_player("surveyor", "x").turn(view)[0].text != "V3"
