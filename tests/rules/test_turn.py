"""A turn (T): lay, payouts, buy, draw; empty hands; turns that end by themselves."""

from __future__ import annotations

from lastspike.rules.events import (
    Bankruptcy,
    GrantTaken,
    LandBought,
    NothingBought,
    Payout,
    PoolMixed,
    RouteFinished,
    TileDrawn,
    TrackLaid,
    TurnSkipped,
)
from lastspike.rules.position import advance

from .helpers import (
    after,
    events_of,
    hand_of,
    layout,
    legal,
    played,
    pool_of,
    reverse,
    small_map,
    why_refused,
)


def test_T1_laying_is_compulsory() -> None:
    position = layout("A1 B1", land="DEN:0....", track="D4")
    assert legal(position) == ["A1", "B1"]
    assert why_refused(position, "pass").rule == "T1"
    assert why_refused(position, "+DEN").rule == "T1"


def test_T1_only_a_tile_of_the_own_hand() -> None:
    position = layout("A1", hands={1: "B1"})
    assert why_refused(position, "B1").rule == "T1"


def test_T1_one_tile_a_turn() -> None:
    position = after(layout("A2 B1", track="A1"), "A2")
    assert position.table.phase == "buy"
    assert why_refused(position, "B1").rule == "T1"


def test_T2_payouts_follow_at_once_and_can_pay_for_land() -> None:
    position = layout("A2", cash=(1000, 0), track="A1 A3 A4", land="STL:0.... OMA:x....")
    events = events_of(position, "A2", "+STL")
    assert [type(event) for event in events[:4]] == [TrackLaid, RouteFinished, Payout, LandBought]
    assert events[2] == Payout(0, "A", "STL", 1, 9000)


def test_T3_buying_is_voluntary() -> None:
    position = after(layout("A2 B2", track="A1"), "A2")
    assert legal(position) == ["+STL", "pass"]
    after_pass, events = played(position, "pass")
    assert events[0] == NothingBought(0)
    assert after_pass.table.land == position.table.land


def test_T3_one_card_a_turn() -> None:
    position = after(layout("A2 B2", track="A1", hands={1: "C1"}), "A2", "+STL")
    assert (position.table.turn, position.table.phase) == (1, "lay")


def test_T4_one_tile_is_drawn_from_the_front_of_the_pool() -> None:
    position, events = played(layout("A1 B2", hands={1: "C1"}, pool="Z3 Y1"), "A1")
    assert hand_of(position, 0) == ["B2", "Z3"]
    assert pool_of(position) == ["Y1"]
    assert events[-1] == TileDrawn(0, "Z3")


def test_T4_the_draw_comes_after_buying() -> None:
    position = after(layout("A2 B2", track="A1", hands={1: "C1"}, pool="Z3"), "A2")
    assert hand_of(position, 0) == ["B2"]
    assert hand_of(after(position, "pass"), 0) == ["B2", "Z3"]


def test_T4_nothing_is_drawn_from_an_empty_pool() -> None:
    position, events = played(layout("A1 B2", hands={1: "C1"}, pool=""), "A1")
    assert hand_of(position, 0) == ["B2"]
    assert not any(isinstance(event, TileDrawn) for event in events)


def test_T4_the_turn_passes_clockwise_and_round() -> None:
    first = layout("A1", turn=1, hands={2: "C1", 0: "E1"})
    second = after(first, "A1")
    assert second.table.turn == 2
    assert after(second, "C1").table.turn == 0


def test_T4_the_turn_passes_over_players_who_are_out() -> None:
    position = layout("A1", cash=(9000, 0, 0, 9000), bankrupt="1,2", hands={3: "C1"})
    assert after(position, "A1").table.turn == 3


def test_T5_an_empty_hand_draws_when_the_turn_begins_besides_the_draw_at_its_end() -> None:
    start = layout("A1", cash=(9000, 9000), hands={1: ""}, pool="B1 C1 D1 E1")
    position, events = played(start, "A1")
    assert events[-2:] == [TileDrawn(0, "B1"), TileDrawn(1, "C1")]
    assert legal(position) == ["C1"]
    assert events_of(position, "C1")[-1] == TileDrawn(1, "D1")


def test_T5_the_drawn_tile_is_judged_like_any_other() -> None:
    # V2 stands alone and would cost double: the tile that was drawn bankrupts its player.
    start = layout("A1", cash=(9000, 9000, 9000), hands={1: "", 2: "E1"}, pool="B1 V2")
    position, events = played(start, "A1")
    assert events[-3:-1] == [TileDrawn(1, "V2"), Bankruptcy(1, 9000, (), (), 1)]
    assert position.table.turn == 2


def test_T5_with_no_tile_anywhere_for_the_player_the_turn_is_skipped() -> None:
    start = layout("A1 B1", cash=(9000, 0, 9000), hands={1: "", 2: "C1"}, pool="")
    position, events = played(start, "A1")
    assert events[-1] == TurnSkipped(1)
    assert position.table.turn == 2
    playout = start.copy()
    advance(playout, start.table.board.parse("A1"), reverse)
    assert playout == position


def test_T5_an_empty_hand_is_never_bankruptcy() -> None:
    position = after(layout("A1 B1", cash=(9000, 0), hands={1: ""}, pool=""), "A1")
    assert position.table.bankrupt == ()
    assert position.table.turn == 0


def test_T5_a_skipped_player_may_draw_later_when_a_bankruptcy_filled_the_pool() -> None:
    # Seat 1 is skipped, seat 2 goes out; its tiles serve seat 0 twice, and then seat 1.
    start = layout("A1", cash=(30_000, 9000, 0), hands={1: "", 2: "D1 E1 W2"}, pool="")
    position, events = played(start, "A1")
    kinds = [type(event) for event in events if not isinstance(event, GrantTaken)]
    assert kinds == [TrackLaid, TurnSkipped, Bankruptcy, PoolMixed, TileDrawn]
    assert (position.table.turn, hand_of(position, 0)) == (0, ["W2"])
    position, events = played(position, "W2", "pass")
    assert events[-2:] == [TileDrawn(0, "E1"), TileDrawn(1, "D1")]
    assert (position.table.turn, legal(position)) == (1, ["D1"])


def test_T6_a_turn_in_which_nothing_is_for_sale_ends_by_itself() -> None:
    position = layout("A2 A3", hands={1: "C1"})
    assert after(position, "A2").table.turn == 1


def test_T6_a_turn_in_which_nothing_can_be_paid_for_ends_by_itself() -> None:
    # The cheapest card costs 4,000, and 3,000 is left.
    dear = layout("A2", cash=(4000, 9000), track="A1", hands={1: "C1"})
    assert after(dear, "A2").table.turn == 1
    enough = layout("A2", cash=(5000, 9000), track="A1", hands={1: "C1"})
    assert legal(after(enough, "A2")) == ["+STL", "pass"]


def test_T6_a_turn_in_which_all_land_is_gone_ends_by_itself() -> None:
    position = layout("A2", track="A1", land="STL:00111", hands={1: "C1"})
    assert after(position, "A2").table.turn == 1


def test_turn_order_of_events() -> None:
    edition = small_map("A:EST-MID", "B:MID-WST")
    position = layout(
        "A1", cash=(9000, 9000), track="A2 A3 A4", land="MID:1....", edition=edition, pool="B1 B2"
    )
    kinds = [type(event) for event in events_of(position, "A1")]
    assert kinds == [TrackLaid, GrantTaken, RouteFinished, Payout, Payout, TileDrawn, TileDrawn]
