"""Random deals: every tile once, hands of the right size, and no seat or tile favoured."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastspike.batch import (
    NONE,
    Board,
    Shape,
    State,
    board_of,
    from_positions,
    games_of,
    hand_of,
    legal_actions,
    outcome,
    random_actions,
    random_deals,
    random_remix,
    shape_of,
    stack,
    step,
    to_positions,
)
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Setup, setup
from tests.rules.strategies import other_maps, standard_maps

GAMES = 64
FEW = 16


def dealt(table: Setup, games: int, seed: int, shape: Shape | None = None) -> tuple[Board, State]:
    board = board_of(table, shape)
    rng = np.random.default_rng(seed)
    remix = random_remix(rng, games, board.shape)
    return board, random_deals(board, games, rng, remix, np)


@given(edition=standard_maps() | other_maps(), seed=st.integers(0, 1000), padded=st.booleans())
def test_S3_every_tile_is_dealt_once(edition: Edition, seed: int, padded: bool) -> None:
    table = setup(edition, edition.player_counts[seed % len(edition.player_counts)])
    shape = Shape(12, 9, 6) if padded else None
    _, state = dealt(table, GAMES, seed, shape)
    for position in to_positions([table] * GAMES, state):
        hidden = position.hidden
        tiles = [*hidden.pool, *hidden.aside, *(t for hand in hidden.hands for t in hand)]
        assert sorted(tiles) == sorted(table.board.tiles)
        assert len(hidden.aside) == edition.set_aside.get(table.players, 0)
        out = position.table.bankrupt
        for seat, hand in enumerate(hidden.hands):
            assert len(hand) == (0 if seat in out else edition.hand_size)


@given(edition=standard_maps() | other_maps(), seed=st.integers(0, 1000))
def test_states_and_positions_are_the_same_both_ways(edition: Edition, seed: int) -> None:
    """What a state is told of a position in the middle of a game is what playing made of it."""
    table = setup(edition, edition.player_counts[0])
    board, state = dealt(table, FEW, seed)
    rng = np.random.default_rng(seed)
    remix = random_remix(rng, FEW, board.shape)
    for _ in range(60):
        again = from_positions(to_positions([table] * FEW, state), board.shape)
        for name, own, other in zip(State._fields, state, again, strict=True):
            assert own.dtype == other.dtype, name
            if name == "pool":
                in_pool = np.arange(state.spaces)[:, None] < state.left
                own, other = (np.where(in_pool, v, NONE) for v in (own, other))
            if name == "linked":
                own, other = (v[:, None] == v for v in (own, other))
            assert np.array_equal(own, other), name
        state = step(
            board, state, random_actions(legal_actions(board, state, np), rng, np), remix, np
        )


def test_no_seat_and_no_tile_is_favoured() -> None:
    """2,400 deals of four: each seat is first, and each tile in each hand, as often as chance has
    it; the limits are five standard errors."""
    games = 2400
    _, state = dealt(setup(shipped(), 4), games, 1869)
    first = np.bincount(state.turn, minlength=4)
    assert abs(first - games / 4).max() < 5 * np.sqrt(games * 3 / 16)
    for seat in range(4):
        held = hand_of(state, np.array(seat)).sum(axis=0)
        assert abs(held - games / 12).max() < 5 * np.sqrt(games * 11 / 144)
    drawn = np.bincount(state.pool[state.left - 1, np.arange(games)], minlength=48)
    assert abs(drawn - games / 48).max() < 5 * np.sqrt(games * 47 / 48**2)


def test_random_actions_are_legal_and_none_is_favoured() -> None:
    legal = np.zeros((6000, 9), dtype=bool)
    legal[:, [2, 3, 8]] = True
    chosen = np.bincount(random_actions(legal, np.random.default_rng(1), np), minlength=9)
    assert chosen[[0, 1, 4, 5, 6, 7]].sum() == 0
    assert abs(chosen[[2, 3, 8]] - 2000).max() < 5 * np.sqrt(6000 * 2 / 9)


def test_random_actions_of_many_and_of_none() -> None:
    legal = np.zeros((3, 700), dtype=bool)
    legal[0, 699] = legal[1, :] = True
    rng = np.random.default_rng(1)
    chosen = np.stack([random_actions(legal, rng, np) for _ in range(2000)])
    assert set(chosen[:, 0]) == {699}
    assert abs(chosen[:, 1].mean() - 349.5) < 5 * 700 / np.sqrt(12 * 2000)
    assert not chosen[:, 2].any()


def test_games_left_out_change_nothing_for_the_others() -> None:
    """Every other game of a batch, played alone, goes as it does among all; of one board a game,
    and of one for all."""
    tables = [setup(shipped(), players) for players in (2, 3, 6)]
    shape = shape_of(tables)
    mixed = stack([board_of(tables[number % 3], shape) for number in range(FEW)])
    some = np.arange(0, FEW, 2)
    for board in (mixed, board_of(tables[0], shape)):
        rng = np.random.default_rng(1869)
        remix = random_remix(rng, FEW, shape)
        state = random_deals(board, FEW, rng, remix, np)
        few, few_boards = games_of(state, some), games_of(board, some)
        for _ in range(60):
            action = random_actions(legal_actions(board, state, np), rng, np)
            state = step(board, state, action, remix, np)
            few = step(few_boards, few, action[some], remix[some], np)
        assert all(map(np.array_equal, few, games_of(state, some)))


def test_what_is_kept_with_games_last_is_given_with_games_first() -> None:
    table = setup(shipped(), 3)
    board, state = dealt(table, FEW, 7)
    shape = board.shape
    assert state.track.shape == hand_of(state, state.turn).shape == (FEW, shape.spaces)
    assert state.land.shape == (FEW, shape.cards)
    assert state.cash.shape == state.held.shape == state.bankrupt.shape == (FEW, shape.seats)
    for number, position in enumerate(to_positions([table] * FEW, state)):
        turn = position.table.turn
        assert np.flatnonzero(hand_of(state, state.turn)[number]).tolist() == [*position.hand]
        assert state.cash[number].tolist() == [cash // 1000 for cash in position.table.cash]
        assert state.held[number, turn] == len(position.hand)
        assert state.left[number] == len(position.hidden.pool)


def test_a_game_that_goes_on_has_no_reason_to_be_over() -> None:
    board, state = dealt(setup(shipped(), 2), 3, 1)
    assert outcome(board, state, np).reason.tolist() == [NONE] * 3


def test_an_edition_that_does_not_fit_is_refused() -> None:
    table = setup(shipped(), 5)
    assert shape_of([table]) == Shape(12, 9, 5)
    for shape in (Shape(11, 9, 5), Shape(12, 8, 5), Shape(12, 9, 4), Shape(27, 9, 5)):
        with pytest.raises(LastSpikeError, match="does not fit"):
            board_of(table, shape)
