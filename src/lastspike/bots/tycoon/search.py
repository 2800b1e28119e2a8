"""Search: plays the net's best turns on in worlds, resamplings of the tiles the mover can't see.

In each world the opponents play as Surveyors, or look one turn ahead with the net, until the
mover's next turn; the turn's value there is the net's value of the best next turn. All turns use
the same worlds, so luck is equal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from lastspike.batch import State
from lastspike.batch.arrays import Array, ArrayModule, as_array, pick, while_any
from lastspike.batch.luck import LIMIT
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
from .opponents.policy import BY_NET, SURVEYOR
from .opponents.worlds import Worlds
from .outlook import Map
from .surveyor import sale_by, surveyors_turn
from .value import exact, worth

OneTurn = Callable[[State, Array], State]
"""Plays a turn in every game; the second argument is the remix."""

NOBODY = -1


class Budget(NamedTuple):
    """The search budget.

    turns    how many of the net's best turns to search
    worlds   how many worlds to play each one in
    trust    the net's own value weighs as much as this number of worlds
    whim     how far the others' choices stray from the net's, in wins
    """

    turns: int = 6
    worlds: int = 48
    trust: float = 6.0
    whim: float = 0.01


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
    table: Map, net: Net, state: State, seen: Look, budget: Budget, worlds: Worlds, xp: ArrayModule
) -> Found:
    """Search all games; `seen` is their lookahead."""
    verdict = judged(table, net, state, seen, xp)
    liked = worths(verdict, seen.there, xp)
    index = xp.argsort(-liked, axis=1, stable=True)[:, : budget.turns]
    rows = xp.arange(state.games)[:, None]
    after = take(seen.after, (rows * seen.there.shape[1] + index).reshape(-1))
    ended = in_worlds(table, net, state, after, worlds, budget.whim, xp)
    worth_there = worth(ended.chances[..., 0], ended.leads[..., 0])
    liked = liked[rows, index]
    played = xp.where(liked > IMPOSSIBLE, worth_there.mean(axis=2), IMPOSSIBLE)
    return Found(index, liked, played, ended.chances.mean(axis=2))


def in_worlds(
    table: Map,
    net: Net,
    state: State,
    after: State,
    worlds: Worlds,
    whim: float,
    xp: ArrayModule,
) -> Verdict:
    """[games, turns, worlds, seats] twice: the verdict on the mover's best next turn in each world.

    `after` holds [games * turns] positions, those that the movers' turns lead to, before the draw.
    """
    games = state.games
    turns, each = after.games // games, worlds.dealt.games // games
    number = xp.arange(games * each).reshape(games, 1, each)
    of_each_turn = xp.broadcast_to(number, (games, turns, each)).reshape(-1)
    after = repeat(after, each, xp)
    dealt = take(worlds.dealt, of_each_turn)
    tiles = xp.where(after.tiles == TRACK, after.tiles, dealt.tiles)
    after = after._replace(tiles=tiles, pool=dealt.pool)
    remix, kinds = worlds.remix[of_each_turn], worlds.kinds[:, of_each_turn]
    ahead = end_turn(table.board, after, remix, ~after.over, xp)
    viewer = xp.repeat(state.turn, turns * each)
    ended = _play_on(table, net, ahead, kinds, remix, viewer, whim, xp)
    return Verdict(*(values.reshape(games, turns, each, -1) for values in ended))


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


def _play_on(
    table: Map,
    net: Net,
    state: State,
    kinds: Array,
    remix: Array,
    viewer: Array,
    whim: float,
    xp: ArrayModule,
) -> Verdict:
    """Play until the viewers' next turn or the end of the game; returns the verdict on their best
    turn, or the result."""

    turns_by_kind: dict[int, OneTurn] = {
        SURVEYOR: partial(_surveyors, table, xp=xp),
        BY_NET: partial(_by_net, table, net, whim, xp=xp),
    }

    def one_turn(state: State, waiting: Array) -> tuple[State, Array]:
        kind = xp.where(waiting, pick(kinds, state.turn, xp), NOBODY)
        for own, turn in turns_by_kind.items():
            state = _in_some(as_array(kind == own), turn, state, remix, xp)
        return state, ~state.over & (state.turn != viewer)

    state = while_any(~state.over & (state.turn != viewer), one_turn, state, xp)
    seen = look(table, state, xp)
    verdict = judged(table, net, state, seen, xp)
    index = best(verdict, seen.there, xp)
    rows = xp.arange(state.games)
    result = seen_from(viewer, exact(table.board, state, xp), xp)
    return Verdict(
        *(
            xp.where(state.over[:, None], ended, values[rows, index])
            for ended, values in zip(result, verdict, strict=True)
        )
    )


def _in_some(here: Array, turn: OneTurn, state: State, remix: Array, xp: ArrayModule) -> State:
    """The games after one turn in those that are `here`."""
    if xp is np:
        rows = np.flatnonzero(here)
        return _put(state, rows, turn(take(state, rows), remix[rows])) if len(rows) else state
    from jax import lax  # needed only with jax.numpy

    after: State = lax.cond(
        here.any(), lambda: where(here, turn(state, remix), state, xp), lambda: state
    )
    return after


def _by_net(
    table: Map, net: Net, whim: float, state: State, remix: Array, xp: ArrayModule
) -> State:
    """The games after a turn that each mover likes, one turn ahead by the net: mostly the best."""
    seen = look(table, state, xp)
    liked = worths(judged(table, net, state, seen, xp), seen.there, xp)
    # The numbers for mixing pools serve as luck too: bankruptcies are rare.
    of_turn = xp.arange(liked.shape[1]) % remix.shape[2]
    lots = remix[xp.arange(state.games)[:, None], state.turn[:, None], of_turn]
    luck = -xp.log(-xp.log((lots + xp.float32(0.5)) / LIMIT))  # Gumbel's, for a softmax
    index = xp.argmax(xp.where(seen.there, liked + whim * luck, IMPOSSIBLE), axis=1)
    after = make(table.board, state, seen.laid, index, xp)
    return end_turn(table.board, after, remix, ~after.over, xp)


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
