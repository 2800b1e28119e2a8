"""Raising money (F): who sells, for how much, which cards, and where they go."""

from __future__ import annotations

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import UnknownMove
from lastspike.rules.events import GrantTaken, LandSold, TileChosen, TrackLaid
from lastspike.rules.moves import Kind

from .helpers import after, cards, events_of, hand_of, layout, legal, played, why_refused


def test_F1_a_player_with_enough_cash_sells_nothing() -> None:
    position = layout("B1", cash=(3000, 0), land="DEN:.0...")
    assert isinstance(events_of(position, "B1")[0], TrackLaid)
    assert why_refused(position, "-DEN1").rule == "F1"


def test_F1_first_the_tile_is_chosen_and_neither_laid_nor_paid_for() -> None:
    start = layout("B1", cash=(2000, 0), land="DEN:.0...")
    position, events = played(start, "B1")
    table = position.table
    assert events == [TileChosen(0, "B1", 3000)]
    assert (table.phase, table.turn) == ("raise", 0)
    assert table.board.codes[table.chosen] == "B1"
    assert table.track == start.table.track
    assert table.cash == start.table.cash
    assert hand_of(position, 0) == ["B1"]


def test_F1_cards_are_sold_one_at_a_time_until_the_cash_covers_the_cost() -> None:
    start = layout("V1", cash=(1000, 0), land="OGD:.0... YUM:.0..0", hands={1: "C1"})
    position = after(start, "V1")
    assert legal(position) == ["-OGD1", "-YUM1", "-YUM4"]
    position = after(position, "-OGD1")
    assert (position.table.phase, position.table.cash[0]) == ("raise", 3000)
    position, events = played(position, "-YUM1")
    assert events[:3] == [
        LandSold(0, "YUM", 1, 2000),
        TrackLaid(0, "V1", 4000, double=False),
        GrantTaken(0, "DEN"),
    ]
    assert position.table.cash[0] == 1000


def test_F1_then_no_further() -> None:
    start = layout("B2", cash=(0, 9000), land="ELP:1.00. OMA:1....", track="B1")
    position = after(start, "B2", "-ELP3")
    assert legal(position) == ["+OMA", "pass"]
    assert (position.table.phase, position.table.turn) == ("buy", 0)
    assert why_refused(position, "-ELP2").rule == "F1"


def test_F1_nothing_else_is_done_before_the_money_is_there() -> None:
    position = after(layout("B1 A1", cash=(2000, 0), land="DEN:.0..."), "B1")
    for move in ("A1", "pass", "+STL", "+DEN"):
        assert why_refused(position, move).rule == "F1"


def test_F1_the_turn_goes_on_as_usual_buying_included() -> None:
    # The sale brings more than the tile costs, and the rest buys Omaha's cheapest.
    start = layout("B2", cash=(0, 0), track="B1", land="ELP:..0.. OMA:x....")
    position = after(start, "B2", "-ELP2")
    assert position.table.cash[0] == 2000
    assert legal(position) == ["+OMA", "pass"]


def test_F1_double_cost_is_raised_too() -> None:
    start = layout("V2", cash=(9000, 0), land="DEN:.0...", hands={1: "C1"})
    position, events = played(start, "V2", "-DEN1")
    assert events[2] == TrackLaid(0, "V2", 10_000, double=True)
    assert position.table.cash[0] == 0


@pytest.mark.parametrize(
    ("card", "amount"),
    [
        *(("-DEN1", 1000), ("-DEN2", 2000), ("-DEN3", 2000), ("-DEN4", 3000)),
        *(("-STL1", 2000), ("-STL2", 3000), ("-STL3", 4000), ("-STL4", 5000)),
    ],
)
def test_F2_the_bank_pays_half_rounded_up_to_whole_thousands(card: str, amount: int) -> None:
    start = layout("Y3", cash=(0, 0), track="Y4", land="DEN:.0000 STL:.0000")
    assert events_of(start, "Y3", card)[1] == LandSold(0, card[1:4], int(card[4]), amount)


def test_F3_the_bank_buys_no_free_grant() -> None:
    position = after(layout("B1", cash=(2000, 0), land="DEN:00..."), "B1")
    assert legal(position) == ["-DEN1"]
    with pytest.raises(UnknownMove) as refusal:
        board_of(shipped()).parse("-DEN0")
    assert refusal.value.rule == "F3"


def test_F3_the_bank_buys_no_card_of_a_city_whose_routes_are_all_finished() -> None:
    position = after(
        layout("A1", cash=(0, 0), track="C U", land="LAR:.0000 DEN:.0..."),
        "A1",
    )
    assert legal(position) == ["-DEN1"]
    error = why_refused(position, "-LAR1")
    assert error.rule == "F3"
    assert "LAR" in str(error)


def test_F3_one_unfinished_route_is_enough_for_the_bank_to_buy() -> None:
    start = layout("A1", cash=(0, 0), track="C U1 U2 U3", land="LAR:.0... DEN:.0...")
    assert legal(after(start, "A1")) == ["-DEN1", "-LAR1"]


def test_F3_land_the_bank_does_not_buy_makes_no_tile_payable() -> None:
    start = layout("A1", cash=(9000, 0, 9000), hands={1: "B1"}, track="C U", land="LAR:.1111")
    assert after(start, "A1").table.bankrupt == (1,)


def test_F4_the_player_chooses_which_card() -> None:
    position = after(layout("B1", cash=(0, 0), land="DEN:.0.0. OGD:..0.."), "B1")
    assert legal(position) == ["-DEN1", "-DEN3", "-OGD2"]
    for move in ("-DEN1", "-DEN3", "-OGD2"):
        assert move not in legal(after(position, move))


def test_F4_only_cards_of_ones_own() -> None:
    position = after(layout("B1", cash=(2000, 0), land="DEN:.01.."), "B1")
    assert why_refused(position, "-DEN2").rule == "F4"
    assert why_refused(position, "-DEN3").rule == "F4"


def test_F4_a_sold_card_goes_back_at_its_own_rank() -> None:
    start = layout("B2", cash=(0, 0), track="B1", land="DEN:10100 STL:x1111")
    position = after(start, "B2", "-DEN4")
    assert cards(position, "DEN") == "1010."
    assert position.table.market[position.table.board.city_of["DEN"]] == 5000


def test_F4_a_sold_card_may_be_bought_again_in_the_same_turn_if_it_is_the_cheapest_left() -> None:
    # El Paso's third card fetches 4,000: 2,000 for the tile, and Denver's first comes back.
    start = layout("D2", cash=(0, 0), land="DEN:101.. ELP:1..0. STL:x1111", hands={1: "C1"})
    position = after(start, "D2", "-DEN1", "-ELP3")
    assert position.table.cash[0] == 3000
    assert legal(position) == ["+DEN", "pass"]
    position = after(position, "+DEN")
    assert cards(position, "DEN") == "101.."
    assert position.table.cash[0] == 1000


def test_F4_while_a_cheaper_card_is_left_the_sold_one_is_not_for_sale() -> None:
    start = layout("D2", cash=(0, 0), land="ELP:1..0.", hands={1: "C1"})
    position = after(start, "D2", "-ELP3")
    assert position.table.cash[0] == 2000
    assert position.table.market[position.table.board.city_of["ELP"]] == 4000


def test_F5_there_is_no_move_between_players() -> None:
    kinds: set[Kind] = {move.kind for move in board_of(shipped()).moves}
    assert kinds == {"lay", "sell", "buy", "pass"}


def test_F5_no_money_or_land_goes_from_player_to_player() -> None:
    start = layout("B1", cash=(2000, 5000), land="DEN:.0... OGD:11...", hands={1: "C1"})
    position = after(start, "B1", "-DEN1")
    assert position.table.cash[1] == 5000
    assert cards(position, "OGD") == "11..."
