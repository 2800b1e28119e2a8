"""Whole turns: all turns that the players to move may choose from, as the positions they lead to.

A turn is a tile of the hand, the sales that it needs, and a purchase or none. Tiles and purchases
are tried in all combinations. Sales follow a rule that the caller gives: there would be too many
ways to make them, and they are rare. Turns end *before* the draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .actions import pass_action
from .arrays import Array, ArrayModule, as_array, while_any
from .board import Board
from .state import BUY, RAISE, State
from .steps.buying import buy, legal_purchases
from .steps.laying import legal_lays
from .steps.turn import play
from .subset import subset

ChooseSale = Callable[[Board, State], Array]
"""[games]: the action by which the mover of each game sells a card; it is used in phase RAISE."""


class Laid(NamedTuple):
    """Every game once for each tile that its mover may lay, one after the other.

    space      [games * tiles]  the space
    there      [games * tiles]  whether the mover has this tile to choose
    state      [games * tiles]  the game after it, before buying
    turn_over  [games * tiles]  whether the turn ends with it: nothing can be bought
    """

    space: Array
    there: Array
    state: State
    turn_over: Array


class Turns(NamedTuple):
    """Every game once for each turn its mover may choose, by tile, then by purchase: nothing first,
    then each city.

    there    [games, turns]  whether this is a turn that may be chosen
    state    [games * turns] the game after it, before the draw
    """

    there: Array
    state: State


def tiles_to_lay(board: Board, state: State, tiles: int, xp: ArrayModule) -> tuple[Array, Array]:
    """[games, tiles] twice: the spaces of the tiles that may be laid, up to so many a game, and
    whether there are so many."""
    legal = legal_lays(board, state, xp).T
    place = xp.cumsum(legal, axis=1, dtype=xp.int32) - 1
    nth = xp.arange(tiles, dtype=xp.int32)[None, :, None]
    this = legal[:, None, :] & (place[:, None, :] == nth)
    return xp.argmax(this, axis=2).astype(xp.int32), as_array(this.any(axis=2))


def lay_each(
    board: Board, state: State, tiles: int, choose_sale: ChooseSale, xp: ArrayModule
) -> Laid:
    """Lay every tile that may be laid, up to so many a game. All games must be in phase LAY, or
    over, which leaves them as they are with nothing `there`."""
    spaces, there = tiles_to_lay(board, state, tiles, xp)
    space, there = spaces.reshape(-1), there.reshape(-1)
    state, turn_over = lay_one(board, repeat(state, tiles, xp), space, there, choose_sale, xp)
    return Laid(space, there, state, turn_over)


def lay_one(
    board: Board,
    state: State,
    space: Array,
    there: Array,
    choose_sale: ChooseSale,
    xp: ArrayModule,
) -> tuple[State, Array]:
    """Lay the tile of a space in each game, and sell for it where that is needed and the tile is
    `there`. Returns also in which games the turn ends with it."""
    state, turn_over = play(board, state, space, xp)

    def sell_one(carried: tuple[State, Array], raising: Array) -> tuple[tuple[State, Array], Array]:
        state, turn_over = carried
        nothing = pass_action(board.shape)
        sale = xp.where(state.phase == RAISE, choose_sale(board, state), nothing)
        sold, done = play(board, state, sale, xp)
        state = State(*(xp.where(raising, new, old) for new, old in zip(sold, state, strict=True)))
        turn_over = turn_over | (done & raising)
        return (state, turn_over), raising & (state.phase == RAISE)

    raising = there & (state.phase == RAISE)
    return while_any(raising, sell_one, (state, turn_over), xp)


def buy_each(board: Board, laid: Laid, games: int, xp: ArrayModule) -> Turns:
    """After every tile: buy nothing, and buy in every city where the mover can."""
    cities = board.shape.cities
    buying = laid.there & ~laid.turn_over & (laid.state.phase == BUY)
    legal = legal_purchases(laid.state, xp).T & buying[:, None]
    there = xp.concatenate([laid.there[:, None], legal], axis=1)
    city = xp.broadcast_to(xp.arange(1 + cities, dtype=xp.int32) - 1, there.shape).reshape(-1)
    buying = subset(there.reshape(-1) & (city >= 0), xp)
    state = buy(board, repeat(laid.state, 1 + cities, xp), buying.of(city), buying, xp)
    return Turns(there.reshape(games, -1), state)


def repeat(state: State, times: int, xp: ArrayModule) -> State:
    """Every game repeated, with its copies next to each other."""

    def each(values: Array) -> Array:
        shape = (*values.shape, times)
        return xp.broadcast_to(values[..., None], shape).reshape(*values.shape[:-1], -1)

    return State(*map(each, state))


def take(state: State, numbers: Array) -> State:
    """Some of the games, in the given order; a game may be given more than once."""
    return State(*(values[..., numbers] for values in state))
