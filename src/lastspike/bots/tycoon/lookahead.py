"""One-turn lookahead: all turns that the movers may choose, and the net's verdict on each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastspike.batch import State
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.board import Board
from lastspike.batch.steps.buying import buy
from lastspike.batch.subset import subset
from lastspike.batch.turns import Laid, buy_each, lay_each, take

from .features import features
from .net import Net, Verdict, judge
from .outlook import Map
from .surveyor import sale_by
from .value import exact, worth

IMPOSSIBLE = -1e9
"""What a turn is worth that is none."""


class Look(NamedTuple):
    """Of each game, the turns that its mover may choose, numbered by tile, then by purchase.

    there     [games, turns]         whether there is such a turn
    told      [games * turns, ...]   what the net is told of where it leads
    after     [games * turns]        where it leads, before the draw
    laid      [games * tiles]        the games after a tile, before buying
    """

    there: Array
    told: Array
    after: State
    laid: Laid


def look(table: Map, state: State, xp: ArrayModule) -> Look:
    """Look one turn ahead in all games, which are in phase LAY or over."""
    laid = lay_each(table.board, state, tiles_in_hand(table), sale_by(table, xp), xp)
    return _look_after(table, state, laid, xp)


def look_on(table: Map, state: State, xp: ArrayModule) -> Look:
    """The same in games that are in phase BUY: the tile is laid, the purchase is still open."""
    everywhere = xp.full((state.games,), True)
    laid = Laid(state.chosen, everywhere, state, ~everywhere)
    return _look_after(table, state, laid, xp)


def _look_after(table: Map, state: State, laid: Laid, xp: ArrayModule) -> Look:
    turns = buy_each(table.board, laid, state.games, xp)
    viewer = xp.repeat(state.turn, turns.there.shape[1])
    if xp is not np:
        return Look(turns.there, features(table, turns.state, viewer, xp), turns.state, laid)
    rows = np.flatnonzero(turns.there)
    told = features(table, take(turns.state, rows), viewer[rows], np)
    return Look(turns.there, told, turns.state, laid)


def judged(table: Map, net: Net, state: State, seen: Look, xp: ArrayModule) -> Verdict:
    """[games, turns, seats] twice: what the movers may think of each turn, seats counted from the
    mover: the net's word, or the result of a game that it ends."""
    games, turns = seen.there.shape
    verdict = judge(net, seen.told, xp)
    if xp is np:  # only turns that are there were looked at
        rows = np.flatnonzero(seen.there)
        spread = [np.zeros((games * turns, table.players), np.float32) for _ in verdict]
        for all_turns, found in zip(spread, verdict, strict=True):
            all_turns[rows] = found
        verdict = Verdict(*spread)
        if not seen.after.over.any():
            return Verdict(*(values.reshape(games, turns, -1) for values in verdict))
    over = seen.after.over[:, None]
    result = seen_from(xp.repeat(state.turn, turns), exact(table.board, seen.after, xp), xp)
    shape = (games, turns, table.players)
    return Verdict(
        *(xp.where(over, r, v).reshape(shape) for r, v in zip(result, verdict, strict=True))
    )


def best(verdict: Verdict, there: Array, xp: ArrayModule) -> Array:
    """[games]: the turn that is worth most to its mover."""
    return as_array(xp.argmax(worths(verdict, there, xp), axis=1))


def worths(verdict: Verdict, there: Array, xp: ArrayModule) -> Array:
    """[games, turns]: what each turn is worth to its mover."""
    return xp.where(there, worth(verdict.chances[:, :, 0], verdict.leads[:, :, 0]), IMPOSSIBLE)


def make(board: Board, state: State, laid: Laid, index: Array, xp: ArrayModule) -> State:
    """The games after the turn of this number, before the draw; those over stay as they are."""
    options = 1 + board.shape.cities
    tiles = laid.space.shape[0] // state.games
    after = take(laid.state, xp.arange(state.games) * tiles + index // options)
    purchase = index % options
    buying = subset((purchase > 0) & ~state.over, xp)
    after = buy(board, after, buying.of(purchase - 1), buying, xp)
    return where(state.over, state, after, xp)


def seen_from(viewer: Array, by_seat: tuple[Array, ...], xp: ArrayModule) -> tuple[Array, ...]:
    """What is by seat, seats counted from the viewer."""
    games, seats = by_seat[0].shape
    order = (viewer[:, None] + xp.arange(seats)) % seats
    return tuple(values[xp.arange(games)[:, None], order] for values in by_seat)


def where(here: Array, these: State, others: State, xp: ArrayModule) -> State:
    """The one state in the games `here`, the other elsewhere."""
    return State(*(xp.where(here, one, other) for one, other in zip(these, others, strict=True)))


def tiles_in_hand(table: Map) -> int:
    """How many tiles a player may have to choose from."""
    return int(table.board.hand_size[0])
