"""One-turn lookahead: all legal turns of the movers, and the net's verdict on each."""

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
"""The value of a turn that does not exist."""


class Look(NamedTuple):
    """The mover's turns in each game, numbered by tile, then by purchase.

    there     [games, turns]         whether the turn exists
    told      [games * turns, ...]   the features of the position it leads to
    after     [games * turns]        that position, before the draw
    laid      [games * tiles]        the games after a tile, before buying
    """

    there: Array
    told: Array
    after: State
    laid: Laid


def look(table: Map, state: State, xp: ArrayModule) -> Look:
    """Look one turn ahead in all games; each is in phase LAY or over."""
    laid = lay_each(table.board, state, tiles_in_hand(table), sale_by(table, xp), xp)
    return _look_after(table, state, laid, xp)


def look_on(table: Map, state: State, xp: ArrayModule) -> Look:
    """As `look`, for games in phase BUY: the tile is laid, the purchase is open."""
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
    """[games, turns, seats] twice, seats counted from the mover: the net's verdict on each turn,
    or the result of a game that the turn ends."""
    games, turns = seen.there.shape
    verdict = judge(net, seen.told, xp)
    if xp is np:  # only existing turns were evaluated
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
    """[games]: the turn with the highest value to its mover."""
    return as_array(xp.argmax(worths(verdict, there, xp), axis=1))


def worths(verdict: Verdict, there: Array, xp: ArrayModule) -> Array:
    """[games, turns]: the value of each turn to its mover."""
    return xp.where(there, worth(verdict.chances[:, :, 0], verdict.leads[:, :, 0]), IMPOSSIBLE)


def make(board: Board, state: State, laid: Laid, index: Array, xp: ArrayModule) -> State:
    """The games after turn number `index`, before the draw; finished games are unchanged."""
    options = 1 + board.shape.cities
    tiles = laid.space.shape[0] // state.games
    after = take(laid.state, xp.arange(state.games) * tiles + index // options)
    purchase = index % options
    buying = subset((purchase > 0) & ~state.over, xp)
    after = buy(board, after, buying.of(purchase - 1), buying, xp)
    return where(state.over, state, after, xp)


def seen_from(viewer: Array, by_seat: tuple[Array, ...], xp: ArrayModule) -> tuple[Array, ...]:
    """Values by seat, with seats counted from the viewer."""
    games, seats = by_seat[0].shape
    order = (viewer[:, None] + xp.arange(seats)) % seats
    return tuple(values[xp.arange(games)[:, None], order] for values in by_seat)


def where(here: Array, these: State, others: State, xp: ArrayModule) -> State:
    """`these` in the games `here`, `others` elsewhere."""
    return State(*(xp.where(here, one, other) for one, other in zip(these, others, strict=True)))


def tiles_in_hand(table: Map) -> int:
    """The hand size."""
    return int(table.board.hand_size[0])
