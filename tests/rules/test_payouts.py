"""Payouts (P): who collects what when a route is finished."""

from __future__ import annotations

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.events import Payout, RouteFinished
from lastspike.rules.steps.payouts import shares

from .helpers import after, events_of, layout, small_map


def test_P1_the_fourth_space_finishes_a_route_whichever_it_is() -> None:
    for last in ("A1", "A2", "A3", "A4"):
        others = " ".join({"A1", "A2", "A3", "A4"} - {last})
        events = events_of(layout(last, track=others), last)
        assert RouteFinished(0, "A") in events


def test_P1_three_spaces_pay_nothing() -> None:
    events = events_of(layout("A3", track="A1 A2", land="STL:11..."), "A3")
    assert not any(isinstance(event, RouteFinished | Payout) for event in events)


def test_P1_every_holder_in_the_two_end_cities_collects() -> None:
    start = layout("E3", track="E1 E2 E4", land="DOD:12... DEN:01.2. OMA:11...")
    position = after(start, "E3")
    assert [event for event in events_of(start, "E3") if isinstance(event, Payout)] == [
        Payout(1, "E", "DOD", 1, 7000),
        Payout(2, "E", "DOD", 1, 7000),
        Payout(0, "E", "DEN", 1, 5000),
        Payout(1, "E", "DEN", 1, 5000),
        Payout(2, "E", "DEN", 1, 5000),
    ]
    assert position.table.cash == [30_000 - 2000 + 5000, 42_000, 42_000]


@pytest.mark.parametrize("held", range(1, 6))
def test_P1_the_amount_is_for_the_number_of_cards_free_grant_included(held: int) -> None:
    denver = ("1" * held).ljust(5, ".")
    events = events_of(layout("E3", track="E1 E2 E4", land=f"DEN:{denver}"), "E3")
    assert Payout(1, "E", "DEN", held, 5000 * held) in events


def test_P1_which_cards_they_are_does_not_matter() -> None:
    events = events_of(layout("E3", track="E1 E2 E4", land="DEN:x1..1"), "E3")
    assert Payout(1, "E", "DEN", 2, 10_000) in events


def test_P1_bank_and_grants_that_left_collect_nothing() -> None:
    start = layout("E3", track="E1 E2 E4")
    assert not any(isinstance(event, Payout) for event in events_of(start, "E3"))


def test_P1_shares_say_beforehand_who_would_be_paid() -> None:
    table = layout("E3", track="E1 E2 E4", land="DOD:1.... DEN:01...").table
    board = table.board
    assert shares(table, board.route_of["E"]) == [
        (1, board.city_of["DOD"], 1, 7000),
        (0, board.city_of["DEN"], 1, 5000),
        (1, board.city_of["DEN"], 1, 5000),
    ]


def test_P1_each_city_pays_by_its_own_figures() -> None:
    board = board_of(shipped())
    for city in shipped().cities:
        assert board.payouts[board.city_of[city.code]] == (0, *city.payouts)


def test_P2_a_route_pays_once() -> None:
    # E is finished already: laying elsewhere pays for it no more.
    start = layout("D4", track="E D1 D2", land="DEN:1.... OMA:x....")
    assert not any(isinstance(event, Payout) for event in events_of(start, "D4"))


def test_P2_finishing_one_route_pays_no_other_of_the_same_city() -> None:
    start = layout("D3", track="E D1 D2 D4", land="DEN:1.... OMA:x....")
    payouts = [event for event in events_of(start, "D3") if isinstance(event, Payout)]
    assert payouts == [Payout(1, "D", "DEN", 1, 5000)]


def test_P2_parallel_routes_pay_once_each() -> None:
    edition = small_map("A:EST-MID", "B:EST-MID", "C:MID-WST")
    start = layout(
        "A1 C2",
        cash=(9000, 9000),
        track="A2 A3 A4 B2 B3 B4",
        land="EST:1.... MID:x....",
        hands={1: "B1 C3"},
        edition=edition,
    )
    events = events_of(start, "A1", "pass", "B1")
    assert [event for event in events if isinstance(event, Payout)] == [
        Payout(1, "A", "EST", 1, 1000),
        Payout(1, "B", "EST", 1, 1000),
    ]
