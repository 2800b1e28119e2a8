"""The luck in a game's result, as a control variate: what the deal and the draws gave each seat.

The value of a position is the mean result of its playouts: Surveyors in all seats play it to the
end, with the pool mixed again in each of `WORLDS`. A player's play is what its turns change in this
value, and the rest of the result is luck, as in a review. The tile that is really drawn is as
likely as any other, and so are those of the playouts. So luck has a mean of zero, whoever plays and
however good the value is, and subtracting it leaves the mean of the results unchanged (the idea of
AIVAT).

Only turns that differ from a Surveyor's are played out: a turn that a Surveyor would have made as
well changes nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastspike.batch import State, from_positions, random_remix
from lastspike.batch.actions import action_of
from lastspike.batch.arrays import Array
from lastspike.batch.luck import random_numbers
from lastspike.batch.outcome import outcome
from lastspike.batch.steps.bankruptcy import mixed_pool
from lastspike.batch.steps.turn import end_turn, play
from lastspike.batch.turns import lay_each, repeat, take
from lastspike.bots.tycoon.lookahead import make, tiles_in_hand
from lastspike.bots.tycoon.outlook import Map, map_of
from lastspike.bots.tycoon.surveyor import sale_by, surveyors_turn
from lastspike.rules.game import Game
from lastspike.rules.outcome import win_share
from lastspike.rules.records.turns import turns_of

WORLDS = 64
"""The playouts from before and after each turn."""


class Worlds(NamedTuple):
    """The randomness of the playouts of one game, the same in all: by world, numbers for the tiles,
    least drawn first, and for the remixes after bankruptcies."""

    order: Array
    remix: Array


def luck_of(game: Game, seed: str) -> tuple[float, ...]:
    """By seat, the part of its win share in a finished game that was luck; they sum to zero.

    The seed is for the playouts, and must not depend on the tiles of the game.
    """
    ended = game.outcome
    assert ended is not None
    players = game.setup.players
    shares = np.array([win_share(ended.winners, seat) for seat in range(players)])
    return tuple(map(float, shares - 1 / players - play_of(game, seed)))


def play_of(game: Game, seed: str) -> Array:
    """[seats]: what all turns changed in each seat's win share, compared with a Surveyor's."""
    table = map_of(game.setup)
    turns = turns_of(game).turns
    before = from_positions([turn.before for turn in turns], table.board.shape)
    moves = [[action_of(move, table.board.shape) for move in turn.moves] for turn in turns]
    after = _made(table, before, moves)
    differs = np.flatnonzero(_differ(_surveyors(table, before), after))
    if not len(differs):
        return np.zeros(game.setup.players)
    worlds = _worlds(table, seed)
    begun = _shares(table, _in_worlds(take(before, differs)), worlds)
    made = _shares(table, _drawn(table, _in_worlds(take(after, differs)), worlds), worlds)
    difference: Array = (made - begun).sum(axis=0) / WORLDS
    return difference[: game.setup.players]


def _worlds(table: Map, seed: str) -> Worlds:
    source = np.random.default_rng(list(seed.encode()))
    order = random_numbers(source, (table.board.shape.spaces, WORLDS))
    return Worlds(order, random_remix(source, WORLDS, table.board.shape))


def _in_worlds(state: State) -> State:
    return repeat(state, WORLDS, np)


def _made(table: Map, before: State, moves: list[list[int]]) -> State:
    """The games after these moves of each turn, before the draw."""
    state = before
    for step in range(max(map(len, moves))):
        rows = np.flatnonzero([len(each) > step for each in moves])
        action = np.array([moves[row][step] for row in rows], dtype=np.int32)
        played, _ = play(table.board, take(state, rows), action, np)
        state = _put(state, rows, played)
    return state


def _surveyors(table: Map, state: State) -> State:
    """The games after a Surveyor's turn, before the draw."""
    laid = lay_each(table.board, state, tiles_in_hand(table), sale_by(table, np), np)
    return make(table.board, state, laid, surveyors_turn(table, state, laid, np), np)


def _differ(one: State, other: State) -> Array:
    """[games]: whether turns led to other positions: track, land or cash."""
    pairs = ((one.tiles, other.tiles), (one.holders, other.holders), (one.purses, other.purses))
    found: Array = np.any([(a != b).any(axis=0) for a, b in pairs], axis=0)
    return found


def _mixed(state: State, worlds: Worlds) -> State:
    """The pools in the order of their worlds."""
    order = np.tile(worlds.order, state.games // WORLDS)
    return state._replace(pool=mixed_pool(state.tiles, order, np))


def _drawn(table: Map, state: State, worlds: Worlds) -> State:
    """The games after the draw and all else that ends a turn."""
    state = _mixed(state, worlds)
    remix = np.tile(worlds.remix, (state.games // WORLDS, 1, 1))
    return end_turn(table.board, state, remix, ~state.over, np)


def _shares(table: Map, state: State, worlds: Worlds) -> Array:
    """[games, seats]: the shares of the win after Surveyors have played on to the end."""
    state = _mixed(state, worlds)
    number = np.arange(state.games) % WORLDS
    while len(rows := np.flatnonzero(~state.over)):
        going_on = _surveyors(table, take(state, rows))
        remix = worlds.remix[number[rows]]
        state = _put(state, rows, end_turn(table.board, going_on, remix, ~going_on.over, np))
    winners = outcome(table.board, state, np).winners.astype(np.float64)
    shares: Array = winners / winners.sum(axis=1, keepdims=True)
    return shares


def _put(state: State, rows: Array, some: State) -> State:
    """The state with the games `rows` replaced."""
    whole = State(*(values.copy() for values in state))
    for old, new in zip(whole, some, strict=True):
        old[..., rows] = new
    return whole
