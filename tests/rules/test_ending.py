"""The end (E): the last spike, the ranking, and games in which no tile is left."""

from __future__ import annotations

from lastspike.rules.events import (
    GameOver,
    GrantTaken,
    LandBought,
    LastSpike,
    NothingBought,
    Payout,
    RouteFinished,
    TileChosen,
    TileDrawn,
    TrackLaid,
    TurnSkipped,
)
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.outcome import Outcome, land_prices, outcome, win_share

from .helpers import after, cards, dealt, events_of, layout, legal, played, small_map

JOINED_BUT_V3 = "A E B Y V1 V2 V4"


def test_E1_the_tile_that_joins_the_tips_is_the_last_spike() -> None:
    start = layout("V3", track=JOINED_BUT_V3)
    assert LastSpike(0, "V3", 20_000) in events_of(start, "V3")


def test_E1_a_route_that_joins_nothing_is_no_last_spike() -> None:
    # Everything in the west, and no way over the mountains: A leads to Omaha and no further.
    start = layout("A3", track="A1 A2 A4 Y Z X V W U")
    position, events = played(start, "A3")
    assert RouteFinished(0, "A") in events
    assert not any(isinstance(event, LastSpike) for event in events)
    assert position.table.last_spike == -1


def test_E1_unfinished_routes_do_not_join() -> None:
    start = layout("V3", track="A E B1 B2 B4 Y V1 V2 V4")
    assert after(start, "V3").table.phase != "over"


def test_E1_pays_takes_the_grant_collects_the_bonus_and_then_the_payouts_are_made() -> None:
    # Not possible on the standard map alone, where a tip that is joined has long been touched.
    edition = small_map("A:EST-WST")
    start = layout("A1", cash=(1000, 9000), track="A2 A3 A4", land="WST:1....", edition=edition)
    position, events = played(start, "A1")
    assert events == [
        TrackLaid(0, "A1", 1000, double=False),
        GrantTaken(0, "EST"),
        LastSpike(0, "A1", 20_000),
        RouteFinished(0, "A"),
        Payout(0, "A", "EST", 1, 1000),
        Payout(1, "A", "WST", 1, 1000),
        GameOver("last spike", (0,), (1, 2), (21_000, 10_000)),
    ]
    assert cards(position, "EST") == "0...."


def test_E1_the_bonus_does_not_help_to_pay_for_the_tile() -> None:
    start = layout("V3", cash=(0, 9000), track=JOINED_BUT_V3, land="OGD:...0.")
    position, events = played(start, "V3")
    assert events == [TileChosen(0, "V3", 3000)]
    assert after(position, "-OGD3").table.last_spike == 0


def test_E1_nothing_is_bought_or_drawn() -> None:
    start = layout("V3", track=JOINED_BUT_V3, land="DEN:1....")
    position, events = played(start, "V3")
    assert position.table.phase == "over"
    assert legal(position) == []
    forbidden = LandBought | NothingBought | TileDrawn
    assert not any(isinstance(event, forbidden) for event in events)
    assert position.hidden.pool == start.hidden.pool


def test_E1_the_holder_of_the_last_spike_need_not_win() -> None:
    start = layout("V3", cash=(3000, 99_000), track=JOINED_BUT_V3)
    over = events_of(start, "V3")[-1]
    assert over == GameOver("last spike", (1,), (2, 1), (20_000, 99_000))


def _ended(cash: tuple[int, ...], land: str = "", bankrupt: str = "-") -> Outcome:
    """Seat 0 drives the last spike: 17,000 richer after it."""
    turn = 0
    start = layout("V3", turn=turn, cash=cash, track=JOINED_BUT_V3, land=land, bankrupt=bankrupt)
    result = outcome(after(start, "V3").table)
    assert result is not None
    return result


def test_E2_most_cash_wins() -> None:
    result = _ended((3000, 21_000, 19_000))
    assert (result.winners, result.ranks) == ((1,), (2, 1, 3))


def test_E2_land_does_not_count_where_cash_decides() -> None:
    result = _ended((3000, 21_000, 19_000), land="LAR:0000.")
    assert result.winners == (1,)


def test_E2_a_tie_goes_to_the_higher_total_price_of_land() -> None:
    result = _ended((3000, 20_000, 20_000), land="LAR:x1... ELP:x2.2.")
    assert result.cash == (20_000, 20_000, 20_000)
    assert result.land == (0, 4000, 12_000)
    assert (result.winners, result.ranks) == ((2,), (3, 2, 1))


def test_E2_a_tie_still_is_a_shared_win() -> None:
    result = _ended((3000, 20_000, 19_000), land="LAR:x0... ELP:x1...")
    assert (result.winners, result.ranks) == ((0, 1), (1, 1, 3))


def test_E2_lower_ranks_are_shared_too() -> None:
    assert _ended((3000, 30_000, 20_000, 1000)).ranks == (2, 1, 2, 4)


def test_E2_bankrupts_rank_below_all_others_the_last_to_go_out_first() -> None:
    result = _ended((3000, 0, 0, 0), bankrupt="3,1")
    assert result.ranks == (1, 3, 2, 4)
    assert result.bankrupt == (3, 1)


def test_E2_free_grants_have_no_price() -> None:
    table = layout("A1", land="DEN:0.1.. OGD:0..0.").table
    assert land_prices(table) == (6000, 3000, 0)


def test_E2_there_is_no_outcome_while_the_game_goes_on() -> None:
    assert outcome(layout("A1").table) is None


def test_E3_when_nobody_has_a_tile_the_game_is_over_without_a_last_spike() -> None:
    edition = small_map("A:EST-WST", set_aside={2: 1})
    game = dealt(edition, "A1", "A2", pool="A4", aside="A3")
    for text in ("A1", "A2", "pass", "A4"):
        game.play(_move(game, text))
    events = game.history
    assert game.over
    assert events[-1] == GameOver("no tiles left", (1,), (2, 1), (18_000, 19_000))
    assert not any(isinstance(event, TurnSkipped | LastSpike) for event in events)


def test_E3_it_is_tested_when_a_turn_has_ended_buying_included() -> None:
    edition = small_map("A:EST-WST", set_aside={2: 2})
    game = dealt(edition, "A1", "A2", aside="A3 A4")
    game.play(_move(game, "A1"))
    game.play(_move(game, "A2"))
    assert not game.over
    assert [move.text for move in game.legal_moves] == ["+EST", "pass"]
    bought, over = game.play(_move(game, "+EST"))
    assert bought == LandBought(1, "EST", 1, 1000)
    assert over == GameOver("no tiles left", (0,), (1, 2), (19_000, 18_000))


def test_E3_a_tile_in_any_hand_keeps_the_game_going() -> None:
    edition = small_map("A:EST-WST", cash={3: 20_000}, set_aside={3: 1})
    game = dealt(edition, "A1", "A2", "A3", aside="A4")
    for text in ("A1", "A2", "pass"):
        game.play(_move(game, text))
    assert not game.over
    assert game.turn == 2


def test_E3_a_tile_in_the_pool_keeps_the_game_going() -> None:
    edition = small_map("A:EST-WST", set_aside={2: 1})
    game = dealt(edition, "A1", "A2", pool="A4", aside="A3")
    for text in ("A1", "A2", "pass"):
        game.play(_move(game, text))
    assert (game.over, game.turn) == (False, 0)


def _move(game: Game, text: str) -> Move:
    return game.setup.board.parse(text)


def test_E2_winners_share_the_win() -> None:
    assert [win_share((0, 2), seat) for seat in range(3)] == [0.5, 0.0, 0.5]
