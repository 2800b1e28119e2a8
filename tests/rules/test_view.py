"""Views, events as others see them, and resampling: every world possible, none favoured."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_args

import pytest

from lastspike.rules.editions.figures import read
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.events import (
    KINDS,
    Bankruptcy,
    Event,
    FirstPlayer,
    GameOver,
    LandBought,
    LandSold,
    LastSpike,
    Payout,
    TileDrawn,
    TrackLaid,
    as_seen_by,
    money,
    to_json,
)
from lastspike.rules.game import Game
from lastspike.rules.position import Position, legal_moves
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Options, setup
from lastspike.rules.view import View, added_up, resample, view_of, view_to_json

from .helpers import after, dealt, hand_of, layout, legal, pool_of, small_map

HIDDEN = Options(cash="hidden")
OPEN_HANDS = Options(hands="open")


def test_a_draw_is_seen_by_its_player_only() -> None:
    drawn = TileDrawn(1, "A1")
    assert as_seen_by(drawn, 1, Options()) == drawn
    assert as_seen_by(drawn, 0, Options()) == TileDrawn(1, None)
    assert as_seen_by(drawn, None, Options()) == TileDrawn(1, None)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_draw_is_seen_by_all_where_hands_are_open(seat: int | None) -> None:
    assert as_seen_by(TileDrawn(1, "A1"), seat, OPEN_HANDS) == TileDrawn(1, "A1")


def test_every_other_event_is_seen_by_all() -> None:
    for event in (TrackLaid(0, "A1", 1000, False), FirstPlayer(1, ("B1", "A1"))):
        assert as_seen_by(event, 1, HIDDEN) == event


@pytest.mark.parametrize(
    ("event", "amount"),
    [
        (TrackLaid(0, "V3", 3000, False), -3000),
        (LandBought(0, "DEN", 1, 2000), -2000),
        (LandSold(0, "DEN", 4, 3000), 3000),
        (Payout(0, "E", "DEN", 2, 10_000), 10_000),
        (LastSpike(0, "V3", 20_000), 20_000),
        (Bankruptcy(0, 1000, (), (), 4), -1000),
        (Bankruptcy(0, None, (), (), 4), 0),
        (TileDrawn(0, None), 0),
    ],
)
def test_money_of_an_event(event: Event, amount: int) -> None:
    assert money(event) == amount


def test_events_as_json_name_their_kind() -> None:
    assert to_json(LastSpike(2, "V3", 20_000)) == {
        "event": "last_spike",
        "seat": 2,
        "tile": "V3",
        "bonus": 20_000,
    }
    assert set(KINDS) == set(get_args(Event))
    assert {"first_player", "track_laid", "pool_mixed", "game_over"} <= set(KINDS.values())


def test_view_of_a_raise_names_the_chosen_tile_to_all() -> None:
    position = after(layout("B1 A1", cash=(0, 9000), land="DEN:.0.0.", hands={1: "C1"}), "B1")
    for seat in (0, 1, None):
        assert view_to_json(view_of(position, seat))["chosen"] == "B1"
    assert view_to_json(view_of(position, 0))["legal"] == ["-DEN1", "-DEN3"]
    assert view_to_json(view_of(position, 1))["legal"] == []


def test_view_as_json() -> None:
    position = layout("A1 B2", cash=(9000, 0, 7000), hands={2: "D1"}, bankrupt="1", pool="C1 C2")
    seen = view_to_json(view_of(position, 0, [TileDrawn(2, "D1"), TileDrawn(0, "B2")]))
    assert seen.pop("land")["DEN"] == [None] * 5
    assert seen == {
        "edition": "columbia-2015",
        "players": 3,
        "options": {"double_cost": "forced", "cash": "open", "hands": "hidden"},
        "seat": 0,
        "cash": [9000, 0, 7000],
        "track": [],
        "phase": "lay",
        "turn": 0,
        "chosen": None,
        "bankrupt": [1],
        "last_spike": None,
        "hands": [["A1", "B2"], None, None],
        "tiles": [2, 0, 1],
        "pool": 2,
        "aside": 43,
        "legal": ["A1"],
        "history": [
            {"event": "tile_drawn", "seat": 2, "tile": None},
            {"event": "tile_drawn", "seat": 0, "tile": "B2"},
        ],
    }


def test_when_the_game_is_over_nothing_is_hidden_any_more() -> None:
    game = dealt(small_map("A:EST-WST", set_aside={2: 1}), "A1", "A3", pool="A2", aside="A4")
    for text in ("A1", "A3", "pass", "A2", "pass"):
        game.play(game.setup.board.parse(text))
    assert game.over
    assert isinstance(game.view(1).history[-1], GameOver)
    assert TileDrawn(0, "A2") in game.view(1).history
    assert game.view(None).hands == ((), ())
    spike = after(layout("V3 C2", track="A E B Y V1 V2 V4", hands={1: "C1"}), "V3")
    assert all(hand is not None for hand in view_of(spike, None).hands)
    assert view_to_json(view_of(spike, None))["last_spike"] == 0


def test_a_spectator_has_no_hand_and_no_moves() -> None:
    view = view_of(layout("A1"), None)
    assert (view.hand, view.my_turn, view.legal_moves) == ((), False, [])


def test_nobody_is_to_move_when_the_game_is_over() -> None:
    spike = after(layout("V3 C2", track="A E B Y V1 V2 V4"), "V3")
    view = view_of(spike, 0)
    assert (view.my_turn, view.legal_moves) == (False, [])
    assert resample(view, Random(0)).table.phase == "over"


def assert_every_tile_is_somewhere(world: Position) -> None:
    hidden, board = world.hidden, world.table.board
    hands = [tile for hand in hidden.hands for tile in hand]
    tiles = [*board.spaces_in(world.table.track), *hands, *hidden.pool, *hidden.aside]
    assert sorted(tiles) == sorted(board.tiles)


def _worlds(view: View, count: int, seed: int = 1) -> Counter[tuple[str, ...]]:
    rng = Random(seed)
    found: Counter[tuple[str, ...]] = Counter()
    for _ in range(count):
        world = resample(view, rng)
        parts = [hand_of(world, seat) for seat in range(len(view.tiles))] + [pool_of(world)]
        assert_every_tile_is_somewhere(world)
        found[tuple(".".join(part) for part in parts)] += 1
    return found


def test_resampling_hits_every_world_and_favours_none() -> None:
    # Seat 0 holds A1; B1, B2 and B3 are one with seat 1, one aside and one in the pool.
    edition = small_map("A:EST-MID", "B:MID-WST")
    position = layout(
        "A1", cash=(9000, 9000), track="A2 A3 A4 B4", hands={1: "B1"}, pool="B2", edition=edition
    )
    found = _worlds(view_of(position, 0), 1200)
    assert len(found) == 6
    assert all(150 < count < 250 for count in found.values())


def test_resampling_keeps_the_chosen_tile_in_the_hand_it_is_in() -> None:
    start = layout("B1 A1", cash=(0, 9000), land="DEN:.0.0.", hands={1: "C1"}, pool="C2 C3")
    position = after(start, "B1")
    found = _worlds(view_of(position, 1), 100)
    assert len(found) > 20
    for first, second, _ in found:
        assert "B1" in first.split(".")
        assert len(first.split(".")) == 2
        assert second == "C1"


def test_resampling_gives_the_player_to_lay_a_tile_that_can_be_paid_for() -> None:
    # Only A1 can be: whoever has the turn and is not bankrupt must have it.
    edition = small_map("A:EST-WST", cash={2: 0})
    raw = edition.to_figures()
    raw["routes"][0]["costs"] = [1000, 5000, 5000, 5000]
    position = layout("A1", cash=(1000, 0), hands={1: "A2"}, pool="A3 A4", edition=read(raw))
    for seat in (1, None):
        for first, *_ in _worlds(view_of(position, seat), 30):
            assert first == "A1"
    assert legal(position) == ["A1"]


def test_resampling_with_open_hands_deals_only_pool_and_aside_anew() -> None:
    position = layout("A1", cash=(9000, 9000), hands={1: "C1"}, pool="C2 C3 C4", open_hands=True)
    found = _worlds(view_of(position, 1), 60)
    assert {world[:2] for world in found} == {("A1", "C1")}
    assert len(found) > 20


def test_resampling_adds_hidden_cash_up_from_the_payments() -> None:
    game = Game.shuffled(setup(shipped(), 3, HIDDEN), Stream(seed_of_text("hidden cash")))
    while len(game.moves) < 40:
        game.play(game.legal_moves[0])
    for seat in (0, 1, 2, None):
        view = game.view(seat)
        assert view.table.cash != game.position.table.cash
        assert resample(view, Random(0)).table.cash == game.position.table.cash
        assert [added_up(view, owner) for owner in range(3)] == game.position.table.cash


def test_a_bankrupts_cash_adds_up_to_nothing() -> None:
    position = layout("A1", cash=(9000, 0, 9000), bankrupt="1")
    assert added_up(view_of(position, 0, [Bankruptcy(1, None, (), (), 0)]), 1) == 0


def test_legal_moves_are_kept_until_the_position_changes() -> None:
    position: Position = layout("A1 B1")
    assert legal_moves(position) is legal_moves(position)
    assert legal_moves(position.copy()) is not legal_moves(position)
