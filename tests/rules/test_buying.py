"""Buying (B): which card, when, at what price, and what is public."""

from __future__ import annotations

import json

import pytest

from lastspike.rules.events import Bankruptcy, LandBought, Payout, as_seen_by
from lastspike.rules.position import legal_moves
from lastspike.rules.table import Options
from lastspike.rules.view import preview, view_of, view_to_json

from .helpers import after, cards, layout, legal, played, why_refused


def test_B1_the_cheapest_card_left_at_its_price() -> None:
    start = layout("A2", track="A1", land="STL:1....", hands={1: "C1"})
    position, events = played(start, "A2", "+STL")
    assert LandBought(0, "STL", 1, 4000) in events
    assert cards(position, "STL") == "10..."
    assert position.table.cash[0] == 30_000 - 1000 - 4000


@pytest.mark.parametrize(
    ("before", "rank", "price"),
    [("12...", 2, 5000), ("1222.", 4, 9000), ("1.2..", 1, 4000), ("x21..", 3, 7000)],
)
def test_B1_the_next_when_the_cheapest_is_gone(before: str, rank: int, price: int) -> None:
    start = layout("A2", track="A1", land=f"STL:{before}")
    assert LandBought(0, "STL", rank, price) in played(start, "A2", "+STL")[1]


def test_B1_only_cities_whose_free_grant_has_been_taken() -> None:
    position = after(layout("A2", track="A1"), "A2")
    assert legal(position) == ["+STL", "pass"]
    error = why_refused(position, "+OMA")
    assert error.rule == "B1"
    assert "hasn’t been taken" in str(error)


def test_B1_only_if_cash_covers_the_price() -> None:
    start = layout("A2", cash=(4000, 9000), track="A1", land="OMA:1....")
    position = after(start, "A2")
    assert legal(position) == ["+OMA", "pass"]
    error = why_refused(position, "+STL")
    assert error.rule == "B1"
    assert "costs 4000, and you have only 3000" in str(error)


def test_B1_the_last_dollar_may_be_spent() -> None:
    position = after(layout("A2", cash=(5000, 9000), track="A1", hands={1: "C1"}), "A2", "+STL")
    assert position.table.cash[0] == 0


def test_B1_nothing_is_left_of_a_city_when_all_five_are_held() -> None:
    position = after(layout("A2", track="A1 D1", land="STL:01122 OMA:1...."), "A2")
    error = why_refused(position, "+STL")
    assert error.rule == "B1"
    assert "no land is left in STL" in str(error)


def test_B1_finished_cities_included() -> None:
    # Laramie will never pay again, and still sells.
    position = after(layout("A1", track="C U", land="STL:x...."), "A1")
    assert "+LAR" in legal(position)


def test_B1_land_is_never_sold_to_buy_land() -> None:
    start = layout("A2", cash=(4000, 9000), track="A1", land="STL:1.... OMA:1.... DEN:...00")
    position = after(start, "A2")
    assert all(move.kind != "sell" for move in legal_moves(position))
    assert why_refused(position, "-DEN3").rule == "F1"
    assert why_refused(position, "+STL").rule == "B1"


def test_B1_a_payout_of_the_same_turn_can_be_spent() -> None:
    start = layout("A2", cash=(1000, 9000), track="A1 A3 A4", land="STL:0....")
    assert "+STL" in legal(after(start, "A2"))


def test_B2_not_in_a_turn_that_brought_a_free_grant() -> None:
    start = layout("A1", track="D4", land="DEN:1....", hands={1: "C1"})
    position = after(start, "A1")
    assert (position.table.turn, position.table.phase) == (1, "lay")


def test_B2_a_preview_says_why() -> None:
    start = layout("A1", track="D4", land="DEN:1....", hands={1: "C1"})
    parse = start.table.board.parse
    seen = preview(view_of(start, 0), [parse("A1")])
    assert seen.turn_over
    assert seen.legal_moves == ()


def test_B3_land_is_public() -> None:
    position = layout("A2", track="A1", land="STL:01.2.")
    for seat in (0, 1, 2, None):
        assert view_to_json(view_of(position, seat))["land"]["STL"] == [0, 1, None, 2, None]


def test_B3_cash_is_open_by_default() -> None:
    position = layout("A1", cash=(1000, 2000, 3000))
    for seat in (0, 1, 2, None):
        assert view_of(position, seat).table.cash == [1000, 2000, 3000]


def test_B3_hidden_cash_shows_a_seat_its_own_only() -> None:
    position = layout("A2", cash=(11_000, 22_000, 33_000), hidden_cash=True)
    seen = view_to_json(view_of(position, 1))
    assert seen["cash"] == [None, 22_000, None]
    assert view_to_json(view_of(position, None))["cash"] == [None, None, None]
    text = json.dumps(seen)
    assert "11000" not in text
    assert "33000" not in text


def test_B3_hidden_cash_leaves_each_payment_public() -> None:
    payout = Payout(1, "E", "DEN", 2, 10_000)
    for seat in (0, 1, None):
        assert as_seen_by(payout, seat, Options(cash="hidden")) == payout


def test_B3_hidden_cash_hides_what_a_bankrupt_had_but_not_that_it_is_nothing_now() -> None:
    event = Bankruptcy(1, 4000, (), (), 2)
    hidden = Options(cash="hidden")
    assert as_seen_by(event, 0, hidden) == Bankruptcy(1, None, (), (), 2)
    assert as_seen_by(event, None, hidden) == Bankruptcy(1, None, (), (), 2)
    assert as_seen_by(event, 1, hidden) == event
    assert as_seen_by(event, 0, Options()) == event
    position = layout("A2", cash=(9000, 0, 9000), bankrupt="1", hidden_cash=True)
    assert view_of(position, 0).table.cash == [9000, 0, -1]


def test_B3_hidden_cash_a_preview_tells_no_totals_and_not_who_leads() -> None:
    start = layout(
        "V3",
        cash=(3000, 22_000, 33_000),
        track="A E B Y V1 V2 V4",
        land="DEN:01...",
        hidden_cash=True,
    )
    seen = preview(view_of(start, 0), [start.table.board.parse("V3")])
    assert seen.turn_over
    assert seen.table.cash == [25_000, -1, -1]
    assert not any("GameOver" in type(event).__name__ for event in seen.events)
    assert seen.money(1) == 5000


def test_B3_hidden_cash_is_open_when_the_game_is_over() -> None:
    start = layout("V3", cash=(3000, 2000, 1000), track="A E B Y V1 V2 V4", hidden_cash=True)
    over = after(start, "V3")
    assert view_of(over, 2).table.cash == [20_000, 2000, 1000]
    assert view_of(over, None).table.cash == [20_000, 2000, 1000]
