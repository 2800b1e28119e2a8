"""A series of random games on the batch engine, many at once. It needs NumPy.

The games differ from those of `series.py`: NumPy's generator deals and plays them. Each depends
only on the series' seed and its own number, since it is always played in the same block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import get_args

import numpy as np

from lastspike import batch
from lastspike.batch.arrays import Array
from lastspike.batch.board import THOUSAND
from lastspike.rules.outcome import Reason
from lastspike.rules.records.shuffle import seed_of_series

from .series import WIN, Chunk, Series, Tally, processes_worth, spans
from .workers import Jobs, in_order

BLOCK = 8192
"""Games played at once. Changing it changes the games of every seed."""

STILL_WORTH_IT = 0.75
"""When the fraction of unfinished games falls below this, finished games are dropped."""

_REASONS: dict[int, Reason] = {batch.REASONS.index(reason): reason for reason in get_args(Reason)}


def play_in_bulk(series: Series, games: int, jobs: Jobs = 1) -> Iterator[Chunk]:
    """As `play_series`, but with random players and without records."""
    task = partial(play_block, series, BLOCK)
    return in_order(task, spans(games, BLOCK), jobs, most=processes_worth(games, BLOCK))


def play_block(series: Series, size: int, numbers: range) -> Chunk:
    """Play these games: a whole block of this size, or the start of one.

    The block is always played whole, so that a game does not depend on how many are requested.
    """
    board = batch.board_of(series.setup())
    seed = seed_of_series(f"{series.seed}/batch", numbers.start // size)
    luck = np.random.default_rng(int.from_bytes(seed))
    remix = batch.random_remix(luck, size, board.shape)
    state = batch.random_deals(board, size, luck, remix, np)
    number, first, moves = np.arange(size), first_of(state), np.zeros(size, dtype=np.int64)
    tally = Tally(series.players)
    while len(going_on := np.flatnonzero(~state.over)):
        if len(going_on) < STILL_WORTH_IT * state.games:
            tally.add(_count_over(board, state, first, moves, number < len(numbers)))
            state, remix = batch.games_of(state, going_on), remix[going_on]
            number, first, moves = number[going_on], first[going_on], moves[going_on]
        moves += ~state.over
        actions = batch.random_actions(batch.legal_actions(board, state, np), luck, np)
        state = batch.step(board, state, actions, remix, np)
    tally.add(_count_over(board, state, first, moves, number < len(numbers)))
    return Chunk(tally, "")


def _count_over(
    board: batch.Board, state: batch.State, first: Array, moves: Array, wanted: Array
) -> Tally:
    """The tally of the wanted games that are over."""
    over = np.flatnonzero(state.over & wanted)
    if not len(over):
        return Tally(board.shape.seats)
    return count_games(board, batch.games_of(state, over), first[over], moves[over])


def first_of(begun: batch.State) -> Array:
    """The first player of each new game: the one to move, or the first to have gone bankrupt."""
    out = begun.bankrupt == 0
    return np.where(out.any(axis=1), out.argmax(axis=1), begun.turn)


def count_games(board: batch.Board, state: batch.State, first: Array, moves: Array) -> Tally:
    """The tally of a batch of finished games, given each game's first player and moves."""
    ended = batch.outcome(board, state, np)
    rows = np.arange(state.games)
    won, cash, spike = ended.winners, state.cash, state.last_spike
    bankrupt = state.bankrupt != batch.NONE
    players, winners = won.shape[1], won.sum(axis=1)
    shares = won * (WIN // winners)[:, None]
    in_order_of_play = (first[:, None] + np.arange(players)) % players

    tally = Tally(players)
    tally.games = state.games
    tally.moves = int(moves.sum())
    tally.turns = int(state.track.sum())
    tally.wins_by_seat = shares.sum(axis=0).tolist()
    tally.wins_in_order = shares[rows[:, None], in_order_of_play].sum(axis=0).tolist()
    tally.shared_wins = int((winners > 1).sum())
    tally.cash = THOUSAND * int(cash.sum())
    tally.winners_cash = THOUSAND * int(cash[rows, won.argmax(axis=1)].sum())
    tally.bankruptcies = int(bankrupt.sum())
    tally.games_with_bankrupts = int(bankrupt.any(axis=1).sum())
    tally.ended = Counter(_REASONS[reason] for reason in ended.reason)
    tally.spike_won = int((won[rows, spike] & (spike != batch.NONE)).sum())
    return tally
