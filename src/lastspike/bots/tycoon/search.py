"""Search: plays the net's best turns on in worlds, resamplings of the tiles the mover can't see.

In each world the opponents play as Surveyors until the mover's next turn; the turn's value there is
the net's value of the best next turn. All turns use the same worlds, so luck is equal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastspike.batch import State, random_remix, split
from lastspike.batch.arrays import Array, ArrayModule, as_array, while_any
from lastspike.batch.luck import Source
from lastspike.batch.resampling import resample
from lastspike.batch.state import TRACK
from lastspike.batch.steps.turn import end_turn
from lastspike.batch.turns import lay_each, repeat, take

from .lookahead import (
    IMPOSSIBLE,
    Look,
    best,
    judged,
    look,
    make,
    seen_from,
    tiles_in_hand,
    where,
    worths,
)
from .net import Net, Verdict
from .outlook import Map
from .surveyor import sale_by, surveyors_turn
from .value import exact, worth


class Budget(NamedTuple):
    """The search budget.

    turns    how many of the net's best turns to search
    worlds   how many worlds to play each one in
    trust    the net's own value weighs as much as this number of worlds
    """

    turns: int = 6
    worlds: int = 64
    trust: float = 6.0


class Found(NamedTuple):
    """The search results for the net's best turns, best first by the net.

    number    [games, turns]         the turn's number in `Look`
    net       [games, turns]         its value by the net alone; IMPOSSIBLE if it does not exist
    played    [games, turns]         its mean value over the worlds
    chances   [games, turns, seats]  each seat's mean chance to win, counted from the mover
    """

    number: Array
    net: Array
    played: Array
    chances: Array

    def estimate(self, budget: Budget) -> Array:
        """[games, turns]: the weighted mean of `played` and `net`."""
        part = budget.worlds / (budget.worlds + budget.trust)
        return as_array(part * self.played + (1 - part) * self.net)


def search(
    table: Map, net: Net, state: State, seen: Look, budget: Budget, source: Source, xp: ArrayModule
) -> Found:
    """Search all games; `seen` is their lookahead."""
    games = state.games
    verdict = judged(table, net, state, seen, xp)
    liked = worths(verdict, seen.there, xp)
    index = xp.argsort(-liked, axis=1, stable=True)[:, : budget.turns]
    rows = xp.arange(games)[:, None]
    after = take(seen.after, (rows * seen.there.shape[1] + index).reshape(-1))
    ended = in_worlds(table, net, state, after, budget.worlds, source, xp)
    worth_there = worth(ended.chances[..., 0], ended.leads[..., 0])
    liked = liked[rows, index]
    played = xp.where(liked > IMPOSSIBLE, worth_there.mean(axis=2), IMPOSSIBLE)
    return Found(index, liked, played, ended.chances.mean(axis=2))


def in_worlds(
    table: Map, net: Net, state: State, after: State, worlds: int, source: Source, xp: ArrayModule
) -> Verdict:
    """[games, turns, worlds, seats] twice: the verdict on the mover's best next turn in each world.

    `after` holds [games * turns] positions, those that the movers' turns lead to, before the draw.
    """
    games = state.games
    turns = after.games // games
    ahead, remix = _dealt(table, state, after, worlds, source, xp)
    viewer = xp.repeat(state.turn, turns * worlds)
    ended = _play_on(table, net, ahead, remix, viewer, xp)
    return Verdict(*(values.reshape(games, turns, worlds, -1) for values in ended))


def by_the_net(
    table: Map, net: Net, state: State, seen: Look, turns: int, xp: ArrayModule
) -> Found:
    """The net's best `turns` turns, without search."""
    verdict = judged(table, net, state, seen, xp)
    liked = worths(verdict, seen.there, xp)
    number = xp.argsort(-liked, axis=1, stable=True)[:, :turns]
    rows = xp.arange(state.games)[:, None]
    liked = liked[rows, number]
    return Found(number, liked, liked, verdict.chances[rows, number])


def _dealt(
    table: Map, state: State, after: State, worlds: int, source: Source, xp: ArrayModule
) -> tuple[State, Array]:
    """[games * turns * worlds]: the games after each turn and its draw in each world, and the
    remixes of their pools after bankruptcies."""
    board = table.board
    games = state.games
    turns = after.games // games
    for_worlds, for_remix = split(source, 2)
    after = repeat(after, worlds, xp)
    viewer = xp.repeat(state.turn, worlds)
    dealt = resample(board, repeat(state, worlds, xp), viewer, for_worlds, xp)
    number = xp.arange(games * worlds).reshape(games, 1, worlds)
    of_each_turn = xp.broadcast_to(number, (games, turns, worlds)).reshape(-1)
    dealt = take(dealt, of_each_turn)
    tiles = xp.where(after.tiles == TRACK, after.tiles, dealt.tiles)
    after = after._replace(tiles=tiles, pool=dealt.pool)
    remix = random_remix(for_remix, games * worlds, board.shape)[of_each_turn]
    return end_turn(board, after, remix, ~after.over, xp), remix


def _play_on(
    table: Map, net: Net, state: State, remix: Array, viewer: Array, xp: ArrayModule
) -> Verdict:
    """Play until the viewers' next turn or the end of the game; returns the verdict on their best
    turn, or the result."""
    board = table.board

    def one_turn(state: State, waiting: Array) -> tuple[State, Array]:
        if xp is np:
            rows = np.flatnonzero(waiting)
            state = _put(state, rows, _surveyors(table, take(state, rows), remix[rows], xp))
        else:
            state = where(waiting, _surveyors(table, state, remix, xp), state, xp)
        return state, ~state.over & (state.turn != viewer)

    state = while_any(~state.over & (state.turn != viewer), one_turn, state, xp)
    seen = look(table, state, xp)
    verdict = judged(table, net, state, seen, xp)
    index = best(verdict, seen.there, xp)
    rows = xp.arange(state.games)
    result = seen_from(viewer, exact(board, state, xp), xp)
    return Verdict(
        *(
            xp.where(state.over[:, None], ended, values[rows, index])
            for ended, values in zip(result, verdict, strict=True)
        )
    )


def _surveyors(table: Map, state: State, remix: Array, xp: ArrayModule) -> State:
    """The games after a Surveyor's turn."""
    laid = lay_each(table.board, state, tiles_in_hand(table), sale_by(table, xp), xp)
    index = surveyors_turn(table, state, laid, xp)
    after = make(table.board, state, laid, index, xp)
    return end_turn(table.board, after, remix, ~after.over, xp)


def _put(state: State, rows: Array, some: State) -> State:
    """The state with the games `rows` replaced."""

    def each(old: Array, new: Array) -> Array:
        whole = old.copy()
        whole[..., rows] = new
        return whole

    return State(*map(each, state, some))
