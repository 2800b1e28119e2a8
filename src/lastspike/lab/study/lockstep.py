"""Games played in lockstep by both engines, one turn of each game at a time.

Players choose from the batch engine's state, and `rules` keeps the record; a difference between the
two is an error. The batch engine takes from `rules` what it can't know: remixes after bankruptcies,
and the sales of turns that the ordinary player chose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastspike.batch import NONE, RAISE, Board, State, from_deals, from_positions
from lastspike.batch.arrays import Array
from lastspike.batch.board import THOUSAND
from lastspike.batch.steps.buying import buy
from lastspike.batch.steps.turn import end_turn, play
from lastspike.batch.subset import subset
from lastspike.batch.turns import take
from lastspike.rules.game import Game

from .batch_players import BatchPlayers, Chosen


def play_in_lockstep(games: Sequence[Game], players: BatchPlayers) -> None:
    """Play these games, just dealt and with one setup, to their ends."""
    board = players.table.board
    deals = [game.deal for game in games]
    state = from_deals(board, deals, _no_remix(board, len(games)), np)
    state = _as_in_rules(board, state, games, (state.places != NONE).any(axis=0))
    while True:
        over = state.over
        if over.any():
            _check(state, games, over)
            games = [games[row] for row in _rows(~over)]
            state = take(state, ~over)
        if not games:
            return
        chosen = players.choose(state)
        _ask(players, games, chosen)
        _play(games, chosen)
        state = _follow(board, state, games, chosen)


def _ask(players: BatchPlayers, games: Sequence[Game], chosen: Chosen) -> None:
    """Let the ordinary player make the turns that are not sure, and write them to `chosen`."""
    for row in _rows(~chosen.sure):
        game = games[row]
        begun = len(game.moves)
        players.make_turn(game)
        chosen.space[row] = game.moves[begun].space
        chosen.purchase[row] = 1 + game.moves[-1].city  # -1 if the move is no purchase


def _play(games: Sequence[Game], chosen: Chosen) -> None:
    """Play the sure turns in `rules`."""
    board = games[0].setup.board
    turns = zip(games, *(values.tolist() for values in chosen), strict=True)
    for game, space, purchase, sure in turns:
        if sure:
            game.play(board.lays[space])
            if game.position.table.phase == "buy":
                game.play(board.buys[purchase - 1] if purchase else board.passing)


def _follow(board: Board, before: State, games: Sequence[Game], chosen: Chosen) -> State:
    """The batch after the turns just made in these games."""
    state, _ = play(board, before, chosen.space, np)
    sold = state.phase == RAISE
    buying = subset((chosen.purchase > 0) & ~sold, np)
    state = buy(board, state, buying.of(chosen.purchase - 1), buying, np)
    state = end_turn(board, state, _no_remix(board, len(games)), ~state.over, np)
    bankrupt = (state.places != before.places).any(axis=0)
    return _as_in_rules(board, state, games, sold | bankrupt)


def _as_in_rules(board: Board, state: State, games: Sequence[Game], here: Array) -> State:
    """The batch, with the games `here` copied from `rules`."""
    if not here.any():
        return state
    found = from_positions([games[row].position for row in _rows(here)], board.shape)
    return State(*map(subset(here, np).set, state, found))


def _check(state: State, games: Sequence[Game], over: Array) -> None:
    """Raise `RuntimeError` if finished games of the batch differ from `rules`."""
    for row in _rows(over):
        table = games[row].position.table
        same = (
            games[row].over,
            table.cash == (THOUSAND * state.cash[row]).tolist(),
            table.land == state.land[row].tolist(),
            table.board.spaces_in(table.track) == _rows(state.track[row]),
        )
        if not all(same):
            raise RuntimeError(f"batch and rules differ: {games[row].position!r}")


def _rows(here: Array) -> list[int]:
    rows: list[int] = np.flatnonzero(here).tolist()
    return rows


def _no_remix(board: Board, games: int) -> Array:
    """A dummy remix: the real one is copied from `rules`."""
    return np.zeros((games, board.shape.seats, board.shape.spaces), dtype=np.int32)
