"""Laying (L): spaces, adjacency, cost, payable tiles, forced and open double cost, free grants."""

from __future__ import annotations

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.events import Bankruptcy, GrantTaken, TileChosen, TrackLaid
from lastspike.rules.steps.laying import adjacent, laying_cost

from .helpers import after, cards, events_of, hand_of, layout, legal, played, why_refused


def test_L1_a_tile_goes_on_its_own_space() -> None:
    position = after(layout("A1 B1", hands={1: "C1"}), "A1")
    board = position.table.board
    assert [board.codes[space] for space in board.spaces_in(position.table.track)] == ["A1"]
    assert "A1" not in hand_of(position, 0)


def test_L1_a_space_takes_no_second_tile() -> None:
    assert why_refused(layout("A2", track="A1"), "A1").rule == "L1"


@pytest.mark.parametrize("tile", ["A1", "A4", "Z1", "Z4", "V1", "V4"])
def test_L2_spaces_1_and_4_always_touch_a_city(tile: str) -> None:
    table = layout(tile).table
    assert adjacent(table, table.board.space_of[tile])


@pytest.mark.parametrize(
    ("track", "tile", "beside"),
    [
        ("", "V2", False),
        ("", "V3", False),
        ("V1", "V2", True),
        ("V3", "V2", True),
        ("V4", "V2", False),
        ("V2", "V3", True),
        ("V4", "V3", True),
        ("V1", "V3", False),
        ("U4 W1 W2 W3 W4", "V2", False),
    ],
)
def test_L2_or_the_space_before_or_after_on_the_same_route_has_track(
    track: str, tile: str, beside: bool
) -> None:
    table = layout(tile, track=track).table
    assert adjacent(table, table.board.space_of[tile]) == beside


def test_L2_the_last_space_of_a_route_is_not_before_the_first_of_the_next() -> None:
    # A4 and B1 follow one another in the list of codes only.
    table = layout("B2 A3", track="A4 B1").table
    near = table.board.near
    assert near[table.board.space_of["A4"]] & table.board.bit[table.board.space_of["B1"]] == 0
    assert near[table.board.space_of["B1"]] & table.board.bit[table.board.space_of["A4"]] == 0


@pytest.mark.parametrize(("track", "cost"), [("", 10_000), ("V1", 5_000), ("V3", 5_000)])
def test_L3_cost_is_double_where_nothing_is_adjacent(track: str, cost: int) -> None:
    position, events = played(layout("V2", track=track), "V2")
    assert events[0] == TrackLaid(0, "V2", cost, double=not track)
    assert position.table.cash[0] == 30_000 - cost


def test_L3_every_space_costs_what_the_edition_says() -> None:
    table = layout("A1").table
    codes = [f"{r.letter}{place}" for r in shipped().routes for place in range(1, 5)]
    figures = [cost for route in shipped().routes for cost in route.costs]
    for code, cost in zip(codes, figures, strict=True):
        space = table.board.space_of[code]
        assert laying_cost(table, space) == (cost if code[1] in "14" else 2 * cost)


def test_L3_the_cost_is_paid_before_anything_is_collected() -> None:
    # A2 would bring 9,000, and still it can't be paid for.
    position = layout("A2 V2", cash=(0, 9000), track="A1 A3 A4 V1", land="STL:0.... DEN:.00..")
    assert legal(position) == ["A2"]
    position, events = played(position, "A2")
    assert events == [TileChosen(0, "A2", 1000)]
    assert position.table.cash[0] == 0


def test_L4_cash_alone_can_pay() -> None:
    assert legal(layout("A1 B1", cash=(1000, 0))) == ["A1"]
    assert why_refused(layout("A1 B1", cash=(1000, 0)), "B1").rule == "L4"


def test_L4_land_counts_with_what_it_would_fetch() -> None:
    # DEN2 at 3,000 fetches 2,000.
    assert legal(layout("B1 E1", cash=(1000, 0), land="DEN:..0..")) == ["B1", "E1"]
    assert legal(layout("V1 E1", cash=(1000, 0), land="DEN:..0..")) == ["E1"]


def test_L4_land_that_the_bank_does_not_buy_does_not_count() -> None:
    assert legal(layout("B1 E1", cash=(1000, 0), land="DEN:0....")) == ["E1"]


def test_L4_doubling_is_included() -> None:
    position = layout("D2 E1", cash=(1000, 0), double_cost="open")
    assert legal(position) == ["E1"]
    assert legal(layout("D2 E1", cash=(2000, 0), double_cost="open")) == ["D2", "E1"]


def test_L5_forced_double_cost_waits_for_adjacent_tiles() -> None:
    position = layout("A1 D2 E2 Z4")
    assert legal(position) == ["A1", "Z4"]
    assert why_refused(position, "D2").rule == "L5"


def test_L5_is_the_reason_even_where_the_last_dollar_would_pay_for_it() -> None:
    assert why_refused(layout("A1 D2", cash=(2000, 0)), "D2").rule == "L5"
    assert why_refused(layout("A1 D2", cash=(1000, 0)), "D2").rule == "L4"


def test_L5_forced_double_cost_is_allowed_when_nothing_is_adjacent() -> None:
    assert legal(layout("D2 E2")) == ["D2", "E2"]


def test_L5_forced_adjacent_tile_must_be_laid_even_if_it_needs_a_sale() -> None:
    # D2 at double cost would need none: 2,000 is in the purse.
    position = layout("B1 D2", cash=(2000, 0), land="DEN:.0...")
    assert legal(position) == ["B1"]
    assert events_of(position, "B1") == [TileChosen(0, "B1", 3000)]


def test_L5_forced_unpayable_adjacent_tile_blocks_nothing() -> None:
    assert legal(layout("B1 D2", cash=(2000, 0))) == ["D2"]


def test_L5_open_any_payable_tile_may_be_laid() -> None:
    assert legal(layout("A1 D2 E2 Z4", double_cost="open")) == ["A1", "D2", "E2", "Z4"]


@pytest.mark.parametrize("double_cost", ["forced", "open"])
def test_L5_a_tile_that_needs_a_sale_may_be_chosen_though_another_needs_none(
    double_cost: str,
) -> None:
    position = layout("A1 B1", cash=(1000, 0), land="DEN:...0.", double_cost=double_cost)
    assert legal(position) == ["A1", "B1"]


def test_L6_without_a_payable_tile_the_player_is_bankrupt() -> None:
    start = layout("A1", cash=(9000, 2000, 9000), hands={1: "B1 V2", 2: "C1"}, pool="")
    position, events = played(start, "A1")
    assert events[-2] == Bankruptcy(1, 2000, (), (), 2)
    assert position.table.turn == 2


@pytest.mark.parametrize(
    ("cash", "land"), [(3000, ""), (2000, "DEN:.1..."), (0, "DEN:.1.1.")], ids=str
)
def test_L6_who_can_just_pay_for_one_tile_goes_on(cash: int, land: str) -> None:
    start = layout("A1", cash=(9000, cash, 0), hands={1: "B1 V2", 2: "C1"}, land=land)
    position = after(start, "A1")
    assert (position.table.turn, legal(position)) == (1, ["B1"])


def test_L6_double_cost_can_bankrupt() -> None:
    start = layout("A1", cash=(9000, 1000, 9000), hands={1: "D2", 2: "C1"}, pool="")
    assert after(start, "A1").table.bankrupt == (1,)


@pytest.mark.parametrize(("tile", "city"), [("V1", "DEN"), ("V4", "OGD"), ("A4", "OMA")])
def test_L7_the_first_tile_next_to_a_city_brings_its_free_grant(tile: str, city: str) -> None:
    position, events = played(layout(tile), tile)
    assert events[1] == GrantTaken(0, city)
    assert cards(position, city) == "0...."


def test_L7_the_second_tile_next_to_a_city_brings_none() -> None:
    events = events_of(layout("D4", track="V1", land="DEN:1...."), "D4")
    assert not any(isinstance(event, GrantTaken) for event in events)


@pytest.mark.parametrize("tile", ["V2", "V3"])
def test_L7_spaces_2_and_3_touch_no_city(tile: str) -> None:
    board = board_of(shipped())
    assert board.beside[board.space_of[tile]] == -1
    assert not any(isinstance(e, GrantTaken) for e in events_of(layout(tile), tile))


def test_L7_the_grant_cannot_be_refused() -> None:
    # No move stands between laying and holding it.
    position = after(layout("A1", hands={1: "C1"}), "A1")
    assert (position.table.turn, cards(position, "STL")) == (1, "0....")


def test_L7_the_grant_is_given_before_payouts_are_counted() -> None:
    start = layout("A1", track="A2 A3 A4", land="OMA:x....")
    position = after(start, "A1")
    assert position.table.cash[0] == 30_000 - 1000 + 9000
