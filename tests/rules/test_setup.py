"""Setting up (S): players and cash, the draw for the first player, the deal."""

from __future__ import annotations

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.events import FirstPlayer
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import Stream, deal, first_player, seed_of_text
from lastspike.rules.table import Options, setup
from lastspike.rules.view import view_of

from .helpers import small_map

STARTING_CASH = {2: 60_000, 3: 50_000, 4: 40_000, 5: 35_000, 6: 30_000}


def _new(players: int, seed: str = "setup", options: Options | None = None) -> Game:
    return Game.shuffled(setup(shipped(), players, options), Stream(seed_of_text(seed)))


@pytest.mark.parametrize(("players", "cash"), STARTING_CASH.items())
def test_S1_everybody_gets_the_starting_cash(players: int, cash: int) -> None:
    assert _new(players).position.table.cash == [cash] * players


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_S1_two_to_six_players(players: int) -> None:
    with pytest.raises(LastSpikeError, match=f"2, 3, 4, 5, 6 players, not for {players}"):
        setup(shipped(), players)


@pytest.mark.parametrize("option", ["double_cost", "cash", "hands"])
def test_an_option_that_there_is_not_is_refused(option: str) -> None:
    with pytest.raises(LastSpikeError, match=f"option {option}: expected .+ found 'Hidden'"):
        setup(shipped(), 2, Options(**{option: "Hidden"}))  # type: ignore[arg-type]  # misspelt


def test_S1_an_edition_says_for_how_many_it_is() -> None:
    edition = small_map("A:EST-WST", cash={3: 5000})
    assert setup(edition, 3).players == 3
    with pytest.raises(LastSpikeError, match="is for 3 players, not for 2"):
        setup(edition, 2)


@pytest.mark.parametrize(
    ("drawn", "seat"),
    [("A2 A1 Z4", 1), ("B1 A4 C1", 1), ("Z4 Z3 Z2", 2), ("F4 U1 V1", 0)],
)
def test_S2_the_tile_nearest_A1_goes_first_letter_before_number(drawn: str, seat: int) -> None:
    space_of = board_of(shipped()).space_of
    assert first_player([space_of[code] for code in drawn.split()]) == seat


def test_S2_letters_count_alphabetically_whatever_the_edition_order() -> None:
    edition = small_map("Z:EST-MID", "A:MID-WST")
    assert edition.tiles[0] == "Z1"
    space_of = board_of(edition).space_of
    assert first_player([space_of["Z1"], space_of["A4"]]) == 1


def test_S2_the_draw_is_told_and_the_tiles_go_back() -> None:
    game = _new(4)
    (first, *_) = game.history
    assert isinstance(first, FirstPlayer)
    assert len(first.drawn) == len(set(first.drawn)) == 4
    assert first.seat == game.deal.first == first.drawn.index(min(first.drawn))
    assert game.position.table.turn == first.seat
    dealt = [tile for hand in game.deal.hands for tile in hand] + list(game.deal.pool)
    assert sorted(dealt) == list(range(48))


@pytest.mark.parametrize("players", STARTING_CASH)
def test_S3_four_tiles_each_and_the_rest_is_the_pool(players: int) -> None:
    hidden = _new(players).position.hidden
    assert [len(hand) for hand in hidden.hands] == [4] * players
    assert len(hidden.aside) == (1 if players == 2 else 0)
    assert len(hidden.pool) == 48 - 4 * players - len(hidden.aside)


def test_S3_tiles_are_put_aside_before_the_hands_are_drawn() -> None:
    table = setup(shipped(), 2)
    seed = seed_of_text("aside")
    stream = Stream(seed)
    stream.shuffle(table.board.tiles)
    mixed = stream.shuffle(table.board.tiles)
    dealt = deal(table, Stream(seed))
    assert dealt.aside == tuple(mixed[:1])
    assert dealt.hands == (tuple(sorted(mixed[1:5])), tuple(sorted(mixed[5:9])))
    assert dealt.pool == tuple(mixed[9:])


def test_S3_hands_are_hidden_from_the_others_by_default() -> None:
    position = _new(3).position
    assert view_of(position, 1).hands == (None, tuple(position.hidden.hands[1]), None)
    assert view_of(position, None).hands == (None, None, None)


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_S3_open_hands_show_all_hands_to_everybody(seat: int | None) -> None:
    position = _new(3, options=Options(hands="open")).position
    assert view_of(position, seat).hands == tuple(map(tuple, position.hidden.hands))


@pytest.mark.parametrize("options", [Options(), Options(hands="open")])
def test_S3_nobody_sees_pool_or_aside(options: Options) -> None:
    view = view_of(_new(2, options=options).position, 0)
    assert (view.pool, view.aside) == (39, 1)
