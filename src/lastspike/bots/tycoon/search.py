"""Search: the turns the net likes best, played on in worlds that the mover can't tell apart.

In each world the others make their turns, until the mover is to move again; what the net then
thinks of the best there is, is what the turn was worth in that world. Nobody knows how the others
think: in some worlds they play as the net likes best, in the rest as Surveyors. All turns meet the
same worlds, so that luck is the same for all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastspike.batch import State, random_remix, split
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.luck import Source
from lastspike.batch.resampling import resample
from lastspike.batch.state import TRACK
from lastspike.batch.turn import end_turn
from lastspike.batch.turns import lay_each, repeat, take

from .looking import (
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
    """How much is looked at.

    turns    that the net likes best
    worlds   in which each of them is played on
    rounds   how often everybody moves there before the net is asked again
    surveyors  the part of the worlds in which the others play as Surveyors
    trust    the net's own word counts like so many worlds
    endings  worlds more, in which all play to the end as Surveyors do
    ending   what one of those counts beside a world that the net judges
    """

    turns: int = 6
    worlds: int = 24
    rounds: int = 1
    surveyors: float = 0.5
    trust: float = 6.0
    endings: int = 0
    ending: float = 0.3


class Found(NamedTuple):
    """What search found out, of the turns the net likes best, best first by the net.

    number    [games, turns]         the turn's number in `Look`
    net       [games, turns]         what the net alone thinks it is worth; IMPOSSIBLE if none
    played    [games, turns]         what it was worth in the worlds, on average
    chances   [games, turns, seats]  everybody's chance to win there, counted from the mover
    """

    number: Array
    net: Array
    played: Array
    chances: Array
    ended: Array

    def estimate(self, budget: Budget) -> Array:
        """[games, turns]: all of it, the net counting less the more worlds there were."""
        counts = budget.worlds, budget.trust, budget.ending * budget.endings
        parts = zip(counts, (self.played, self.net, self.ended), strict=True)
        return as_array(sum(count * part for count, part in parts) / sum(counts))


def search(
    table: Map, net: Net, state: State, seen: Look, budget: Budget, source: Source, xp: ArrayModule
) -> Found:
    """Search in all games, which are in phase LAY or over."""
    games = state.games
    verdict = judged(table, net, state, seen, xp)
    liked = worths(verdict, seen.there, xp)
    index = xp.argsort(-liked, axis=1)[:, : budget.turns]
    rows = xp.arange(games)[:, None]
    after, remix = _in_worlds(table, state, seen, index, budget, source, xp)
    viewer = _each(state.turn, index.shape[1] * budget.worlds, xp)
    plain = _plain_worlds(budget, games * index.shape[1], xp)
    ended = _play_on(table, net, after, remix, viewer, plain, budget.rounds, xp)
    by_world = (games, index.shape[1], budget.worlds)
    worth_there = worth(ended.chances[:, 0], ended.leads[:, 0]).reshape(by_world)
    liked = liked[rows, index]
    played = xp.where(liked > IMPOSSIBLE, worth_there.mean(axis=2), IMPOSSIBLE)
    chances = ended.chances.reshape(*by_world, -1).mean(axis=2)
    at_end = played
    if budget.endings:
        outs = budget._replace(worlds=budget.endings)
        after, remix = _in_worlds(table, state, seen, index, outs, source, xp)
        viewer = _each(state.turn, index.shape[1] * outs.worlds, xp)
        result = seen_from(viewer, _to_the_end(table, after, remix, xp), xp)
        by_end = worth(result[0][:, 0], result[1][:, 0]).reshape(games, -1, outs.worlds)
        at_end = xp.where(liked > IMPOSSIBLE, by_end.mean(axis=2), IMPOSSIBLE)
    return Found(index, liked, played, chances, at_end)


def by_the_net(
    table: Map, net: Net, state: State, seen: Look, turns: int, xp: ArrayModule
) -> Found:
    """The same without any search, of so many turns."""
    verdict = judged(table, net, state, seen, xp)
    liked = worths(verdict, seen.there, xp)
    number = xp.argsort(-liked, axis=1)[:, :turns]
    rows = xp.arange(state.games)[:, None]
    liked = liked[rows, number]
    return Found(number, liked, liked, verdict.chances[rows, number], liked)


def _in_worlds(
    table: Map,
    state: State,
    seen: Look,
    index: Array,
    budget: Budget,
    source: Source,
    xp: ArrayModule,
) -> tuple[State, Array]:
    """[games * turns * worlds]: after each of the turns in each of the worlds, and the draw; and
    how the pools there are mixed after bankruptcies."""
    board = table.board
    games, turns = index.shape
    for_worlds, for_remix = split(source, 2)
    a_game = seen.there.shape[1]
    rows = (xp.arange(games)[:, None] * a_game + index).reshape(-1)
    after = repeat(take(seen.after, rows), budget.worlds, xp)
    viewer = _each(state.turn, budget.worlds, xp)
    dealt = resample(board, repeat(state, budget.worlds, xp), viewer, for_worlds, xp)
    worlds = xp.arange(games * budget.worlds).reshape(games, 1, budget.worlds)
    of_each_turn = xp.broadcast_to(worlds, (games, turns, budget.worlds)).reshape(-1)
    dealt = take(dealt, of_each_turn)
    tiles = xp.where(after.tiles == TRACK, after.tiles, dealt.tiles)
    after = after._replace(tiles=tiles, pool=dealt.pool)
    remix = random_remix(for_remix, games * budget.worlds, board.shape)[of_each_turn]
    return end_turn(board, after, remix, ~after.over, xp), remix


def _play_on(
    table: Map,
    net: Net,
    state: State,
    remix: Array,
    viewer: Array,
    plain: Array,
    rounds: int,
    xp: ArrayModule,
) -> Verdict:
    """Play on for so many rounds, until it is the viewers' turn again; what they think of the best
    turn they then have."""
    board = table.board
    for step in range(table.players * rounds - 1):
        # In the last round, whoever's turn has come waits; before, all play on.
        last = step >= table.players * (rounds - 1)
        waiting = ~state.over & ((state.turn != viewer) | (not last))
        surveyor = plain & (state.turn != viewer)
        if xp is np:
            for some, by_net in ((waiting & ~surveyor, net), (waiting & surveyor, None)):
                rows = np.flatnonzero(some)
                if len(rows):
                    moved = _turn(table, by_net, take(state, rows), remix[rows], xp)
                    state = _put(state, rows, moved)
        else:
            ours = _turn(table, net, state, remix, xp)
            theirs = _turn(table, None, state, remix, xp)
            state = where(waiting, where(surveyor, theirs, ours, xp), state, xp)
    seen = look(table, state, xp)
    verdict = judged(table, net, state, seen, xp)
    index = best(verdict, seen.there, xp)
    rows = xp.arange(state.games)
    result = seen_from(viewer, exact(board, state, xp), xp)
    # Who is out, or never gets another turn, has the result; so do all when the game is over.
    settled = (state.over | (state.turn != viewer))[:, None]
    return Verdict(
        *(
            xp.where(settled, ended, values[rows, index])
            for ended, values in zip(result, verdict, strict=True)
        )
    )


def _to_the_end(table: Map, state: State, remix: Array, xp: ArrayModule) -> tuple[Array, ...]:
    """How the games end if all play as Surveyors from here on."""
    while True:
        rows = np.flatnonzero(~state.over)
        if not len(rows):
            return exact(table.board, state, xp)
        state = _put(state, rows, _turn(table, None, take(state, rows), remix[rows], xp))


def _turn(table: Map, net: Net | None, state: State, remix: Array, xp: ArrayModule) -> State:
    """Everybody makes the turn that this net likes best, or without one a Surveyor's."""
    board = table.board
    if net is None:
        laid = lay_each(board, state, tiles_in_hand(table), sale_by(table, xp), xp)
        index = surveyors_turn(table, state, laid, xp)
    else:
        seen = look(table, state, xp)
        laid = seen.laid
        index = best(judged(table, net, state, seen, xp), seen.there, xp)
    after = make(board, state, laid, index, xp)
    return end_turn(board, after, remix, ~after.over, xp)


def _plain_worlds(budget: Budget, times: int, xp: ArrayModule) -> Array:
    """[times * worlds]: in which worlds the others play as Surveyors."""
    plain = xp.arange(budget.worlds) < round(budget.surveyors * budget.worlds)
    return xp.broadcast_to(plain, (times, budget.worlds)).reshape(-1)


def _put(state: State, rows: Array, some: State) -> State:
    """The state with the games of these numbers replaced."""

    def each(old: Array, new: Array) -> Array:
        whole = old.copy()
        whole[..., rows] = new
        return whole

    return State(*map(each, state, some))


def _each(values: Array, times: int, xp: ArrayModule) -> Array:
    return xp.broadcast_to(values[:, None], (values.shape[0], times)).reshape(-1)
