"""Bankruptcy (K): when, what becomes of tiles, cash and land, and the last player left."""

from __future__ import annotations

import pytest

from lastspike.rules.events import Bankruptcy, GameOver, PoolMixed, TileDrawn
from lastspike.rules.position import Position

from .helpers import after, cards, dealt, hand_of, layout, legal, played, pool_of, small_map


def _broke(land: str = "", pool: str = "Z1 D1", track: str = "") -> Position:
    """Seat 1, who has the unpayable B1 and V2, goes out after A1."""
    return layout(
        "A1",
        cash=(30_000, 1000, 30_000),
        hands={1: "B1 V2", 2: "C1"},
        pool=pool,
        land=land,
        track=track,
    )


def test_K1_it_happens_at_the_start_of_a_turn() -> None:
    # Seat 2 is as poor, and in until its own turn comes.
    start = layout("A1", cash=(30_000, 9000, 0), hands={1: "B1", 2: "V2"})
    position = after(start, "A1")
    assert position.table.bankrupt == ()
    assert after(position, "B1", "pass").table.bankrupt == (2,)


def test_K1_a_player_left_without_money_by_a_purchase_is_not_out_yet() -> None:
    start = layout("A2 V2", cash=(5000, 9000, 9000), track="A1", hands={1: "C1", 2: "E1"})
    position = after(start, "A2", "+STL")
    assert position.table.cash[0] == 0
    assert position.table.bankrupt == ()


def test_K1_never_by_choice() -> None:
    position = layout("A1 B1", cash=(1000, 0, 0))
    assert legal(position) == ["A1"]
    assert all(move.kind in ("lay", "sell", "buy", "pass") for move in position.table.board.moves)


def test_K1_the_player_is_out_and_is_passed_over() -> None:
    position = after(_broke(), "A1")
    assert position.table.bankrupt == (1,)
    assert position.table.turn == 2
    assert after(position, "C1").table.turn == 0


def test_K1_the_hand_goes_back_into_the_pool_which_is_mixed_again() -> None:
    position, events = played(_broke(), "A1")
    # Seat 0 drew Z1. `reverse` gets pool and hand together in edition order: B1 D1 V2.
    assert hand_of(position, 1) == []
    assert pool_of(position) == ["V2", "D1", "B1"]
    assert events[-2:] == [Bankruptcy(1, 1000, (), (), 2), PoolMixed(3)]


def test_K1_edition_order_is_that_of_the_file() -> None:
    edition = small_map("Z:EST-MID", "A:MID-WST", cash={3: 9000})
    start = layout(
        "Z1",
        cash=(9000, 0, 9000),
        hands={1: "A2 Z3", 2: "Z4"},
        pool="A1 Z2 A3",
        edition=edition,
    )
    # In the file: Z2 Z3 A2 A3, and `reverse` turns that round.
    assert pool_of(after(start, "Z1")) == ["A3", "A2", "Z3", "Z2"]


def test_K1_cash_and_priced_cards_go_to_the_bank() -> None:
    # Both routes of El Paso are finished, so its cards could not be sold.
    position, events = played(_broke(land="ELP:x1121", track="F X"), "A1")
    assert position.table.cash[1] == 0
    assert cards(position, "ELP") == "x..2."
    assert Bankruptcy(1, 1000, ("ELP1", "ELP2", "ELP4"), (), 2) in events
    assert position.table.market[position.table.board.city_of["ELP"]] == 4000


def test_K1_free_grants_leave_the_game() -> None:
    position, events = played(_broke(land="DEN:1.... OMA:1...."), "A1")
    assert (cards(position, "DEN"), cards(position, "OMA")) == ("x....", "x....")
    assert Bankruptcy(1, 1000, (), ("DEN", "OMA"), 2) in events


def test_K1_a_grant_that_left_the_game_is_not_given_again() -> None:
    position = after(_broke(land="OMA:1...."), "A1")
    assert legal(position) == ["C1"]
    assert cards(after(position, "C1"), "OMA") == "x...."


def test_K1_a_city_whose_grant_left_the_game_stays_open_for_buying() -> None:
    position = after(_broke(land="OMA:1...."), "A1", "C1")
    assert "+OMA" in legal(position)


def test_K1_a_city_that_was_never_opened_stays_closed() -> None:
    position = after(_broke(land="OMA:1...."), "A1", "C1")
    assert "+YUM" not in legal(position)


def test_K1_several_can_go_out_one_after_the_other() -> None:
    start = layout("A1", cash=(9000, 0, 0, 9000), hands={1: "B1", 2: "C1", 3: "E1"}, pool="")
    position, events = played(start, "A1")
    assert position.table.bankrupt == (1, 2)
    assert [e.seat for e in events if isinstance(e, Bankruptcy)] == [1, 2]
    assert position.table.turn == 3


def test_K1_the_first_player_can_be_bankrupt_before_the_first_move() -> None:
    edition = small_map("A:EST-WST", cash={3: 0}, hand_size=1)
    game = dealt(edition, "A1", "A2", "A3", pool="A4", first=1)
    assert game.over
    assert game.position.table.bankrupt == (1, 2)
    assert len(game.remixed) == 2


@pytest.mark.parametrize("seat", [0, 1])
def test_K2_when_one_player_is_left_the_game_ends_and_that_player_wins(seat: int) -> None:
    other = 1 - seat
    cash = (9000, 0) if seat == 0 else (0, 9000)
    start = layout("A1", turn=seat, cash=cash, hands={other: "B1"}, pool="Z1")
    position, events = played(start, "A1")
    assert position.table.phase == "over"
    assert legal(position) == []
    over = events[-1]
    assert isinstance(over, GameOver)
    assert (over.reason, over.winners) == ("last player", (seat,))
    assert over.ranks[seat] == 1
    assert over.ranks[other] == 2


def test_K2_the_pool_is_mixed_even_then_and_nothing_more_is_drawn() -> None:
    start = layout("A1", cash=(9000, 0), hands={1: "B1"}, pool="Z1")
    position, events = played(start, "A1")
    assert events[-3:-1] == [Bankruptcy(1, 0, (), (), 1), PoolMixed(1)]
    assert [event for event in events if isinstance(event, TileDrawn)] == [TileDrawn(0, "Z1")]
    assert pool_of(position) == ["B1"]


def test_K2_the_last_player_wins_with_less_than_nobody() -> None:
    start = layout("A1", cash=(1000, 0), hands={1: "B1"}, pool="Z1")
    _, events = played(start, "A1")
    assert events[-1] == GameOver("last player", (0,), (1, 2), (0, 0))
