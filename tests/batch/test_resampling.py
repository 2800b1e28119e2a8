"""What is dealt anew, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest

from lastspike.batch import (
    State,
    board_of,
    flat,
    legal_actions,
    observe,
    random_actions,
    random_deals,
    random_remix,
    step,
)
from lastspike.batch.board import Board
from lastspike.batch.resampling import resample
from lastspike.batch.state import ASIDE, POOL
from lastspike.batch.turns import repeat, take
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import Options, setup

GAMES = 400


def played(board: Board, steps: int) -> State:
    rng = np.random.default_rng(3)
    remix = random_remix(rng, GAMES, board.shape)
    state = random_deals(board, GAMES, rng, remix, np)
    for _ in range(steps):
        state = step(
            board, state, random_actions(legal_actions(board, state, np), rng, np), remix, np
        )
    return state


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("hands", ["hidden", "open"])
def test_the_viewer_sees_no_difference(players: int, hands: str) -> None:
    options = Options(hands="open" if hands == "open" else "hidden")
    board = board_of(setup(shipped(), players, options))
    for steps in (0, 7, 30):
        state = played(board, steps)
        viewer = (np.arange(GAMES) % players).astype(np.int32)
        other = resample(board, state, viewer, np.random.default_rng(8), np)
        before, after = (flat(observe(board, s, viewer, np), np) for s in (state, other))
        assert np.array_equal(before, after)
        for where in (*range(players), POOL, ASIDE):
            counts = [(s.tiles == where).sum(axis=0) for s in (state, other)]
            assert np.array_equal(*counts)
        assert (other.pool != state.pool).any()
        for game in range(0, GAMES, 40):
            pool = other.pool[: other.left[game], game]
            in_pool = np.flatnonzero(other.tiles[:, game] == POOL)
            assert sorted(pool) == in_pool.tolist(), "each tile in its turn"


def test_every_way_is_as_likely() -> None:
    board = board_of(setup(shipped(), 3))
    many = repeat(take(played(board, 9), np.array([0])), 20_000, np)
    viewer = np.zeros(20_000, dtype=np.int32)
    dealt = resample(board, many, viewer, np.random.default_rng(5), np)
    unseen = ~many.track[0] & (many.tiles[:, 0] != 0)
    for seat in (1, 2):
        often = (dealt.tiles == seat).mean(axis=1)[unseen]
        fair = int(many.held[0, seat]) / unseen.sum()
        assert np.abs(often - fair).max() < 0.02
    first = dealt.pool[dealt.left - 1, np.arange(20_000)]
    drawn = np.bincount(first, minlength=many.spaces)[unseen] / 20_000
    assert np.abs(drawn - 1 / unseen.sum()).max() < 0.01
