"""A step in every game (T1-T3, T6), and what happens between turns (T4, T5, L6, E3, K2)."""

from __future__ import annotations

from lastspike.batch.actions import PRICED_A_CITY, first_purchase, first_sale, pass_action
from lastspike.batch.arrays import Array, ArrayModule, numbers_below
from lastspike.batch.board import Board
from lastspike.batch.state import (
    BUY,
    LAY,
    NONE,
    OVER,
    RAISE,
    WHOLE_ROUTE,
    State,
    cash_of_mover,
    route_and_place,
)
from lastspike.batch.subset import Subset, apart, everywhere, games_of, subset

from .bankruptcy import go_bankrupt, one_is_left
from .buying import buy, can_buy, legal_purchases
from .laying import can_pay_for_none, lay, laying_cost, legal_lays
from .payouts import finish_route
from .raising import legal_sales, sell

FAR = 1 << 6
"""More than the distance between any two seats."""


def legal_actions(board: Board, state: State, xp: ArrayModule) -> Array:
    """[games, actions]: what the player to move may choose from; nothing when the game is over."""
    lays = legal_lays(board, state, xp)
    sales = legal_sales(state, xp)
    purchases = legal_purchases(state, xp)
    passing = (state.phase == BUY)[None]
    return xp.concatenate([lays, sales, purchases, passing]).T


def step(board: Board, state: State, action: Array, remix: Array, xp: ArrayModule) -> State:
    """Play one step in every game, *unchecked*; games that are over stay as they are.

    `action` is [games], see `actions.py`. `remix` tells how the pool is mixed if a
    player goes bankrupt, see `go_bankrupt`.
    """
    state, turn_over = play(board, state, action, xp)
    return end_turn(board, state, remix, turn_over, xp)


def play(board: Board, state: State, action: Array, xp: ArrayModule) -> tuple[State, Array]:
    """The part of a step that its player decides: nothing is drawn, and the turn does not pass.
    Returns in which games it is to pass. Planning must stop here: the draw is hidden."""
    bought_or_passed = state.phase == BUY
    state = _sell(board, state, action, xp)
    state = _buy(board, state, action, xp)
    state, laid_and_done = _lay_or_raise(board, state, action, xp)
    return state, bought_or_passed | laid_and_done


def begin(board: Board, state: State, remix: Array, xp: ArrayModule) -> State:
    """Prepare new deals for their first step: the first player may be bankrupt at once (K1)."""
    return _begin_turn(board, state, remix, everywhere(state.games, xp), xp)


def _sell(board: Board, state: State, action: Array, xp: ArrayModule) -> State:
    """F1: a card of the player who raises money."""
    selling = subset(state.phase == RAISE, xp)
    if selling.nowhere:
        return state
    sale = selling.of(action) - first_sale(board.shape)
    city = sale // PRICED_A_CITY
    return sell(board, state, sale + city + 1, selling, xp)


def _buy(board: Board, state: State, action: Array, xp: ArrayModule) -> State:
    """T3: one land card, or not."""
    buying = subset((state.phase == BUY) & (action != pass_action(board.shape)), xp)
    if buying.nowhere:
        return state
    city = buying.of(action) - first_purchase(board.shape)
    return buy(board, state, city, buying, xp)


def _lay_or_raise(
    board: Board, state: State, action: Array, xp: ArrayModule
) -> tuple[State, Array]:
    """T1, F1, T2, B2, T6, E1: lay the tile where cash covers it, or choose it and raise the money
    first. Returns in which games the turn is over: it brought a free grant, or nothing can be
    bought; so is the game with the last spike."""
    paying = subset((state.phase == LAY) | (state.phase == RAISE), xp)
    space = paying.of(xp.where(state.phase == LAY, action, state.chosen)).astype(xp.int8)
    cost = laying_cost(board, state, space, paying, xp)
    covered = cost <= cash_of_mover(state, paying)
    state = state._replace(
        phase=paying.set(state.phase, xp.where(covered, BUY, RAISE)),
        chosen=paying.set(state.chosen, xp.where(covered, NONE, space)),
    )
    laying = paying.narrow(covered)
    space, cost = paying.keep(covered, space, cost)
    state, grant = lay(board, state, space, cost, laying, xp)
    state = _finish_routes(board, state, space, laying, xp)
    turn_over = grant | ~can_buy(state, laying)
    nowhere = xp.zeros((state.games,), dtype=bool)
    return state, laying.set(nowhere, turn_over) & ~state.over


def _finish_routes(
    board: Board, state: State, space: Array, laying: Subset, xp: ArrayModule
) -> State:
    """T2, E1: payouts where a tile filled its route; the last spike ends the game."""
    route, _ = route_and_place(space)
    whole = laying.pick(state.laid, route) == WHOLE_ROUTE
    done = laying.narrow(whole)
    if done.nowhere:
        return state
    (route,) = laying.keep(whole, route)
    state, last_spike = finish_route(board, state, route, done, xp)
    return _end_game(state, done.narrow(last_spike))


def end_turn(board: Board, state: State, remix: Array, here: Array, xp: ArrayModule) -> State:
    """T4, E3: in the games `here` draw one tile; then the next player's turn, unless nobody has a
    tile."""
    ended = subset(here, xp)
    drawn = ended.of(state.left) > 0
    tiles_left = drawn | (ended.of(state.hands.max(axis=0)) > 0)
    state = _draw(state, ended.narrow(drawn))
    state = _end_game(state, ended.narrow(~tiles_left))
    going_on = ended.narrow(tiles_left)
    state = _pass_turn(board, state, going_on, xp)
    return _begin_turn(board, state, remix, going_on, xp)


def _begin_turn(board: Board, state: State, remix: Array, begun: Subset, xp: ArrayModule) -> State:
    """T5, L6, K2: who can't pay for any tile is bankrupt, and so may be the next one."""

    def next_turn(state: State, numbers: Array) -> tuple[State, Array]:
        own_board = games_of(board, numbers)
        state = go_bankrupt(own_board, state, remix[numbers], xp)
        ended = one_is_left(own_board.players, state, xp)
        going_on = subset(~ended, xp)
        state = _pass_turn(own_board, _end_game(state, subset(ended, xp)), going_on, xp)
        state = _draw_for_empty_hand(state, going_on)
        return state, can_pay_for_none(own_board, state, going_on, xp)

    state = state._replace(phase=begun.set(state.phase, LAY))
    state = _draw_for_empty_hand(state, begun)
    return apart(can_pay_for_none(board, state, begun, xp), next_turn, state, xp)


def _pass_turn(board: Board, state: State, where: Subset, xp: ArrayModule) -> State:
    """T4, T5: clockwise to the next player still in the game, past those with no tile to lay and
    none to draw."""
    can_lay = (state.hands > 0) | (state.left > 0)
    waiting = board.seats & (state.places == NONE) & can_lay
    distance = numbers_below(state.seats, xp.int8, xp) - state.turn - 1
    distance = distance + board.players * (distance < 0)
    nearest = (distance + xp.int8(FAR) * ~waiting).min(axis=0)
    turn = state.turn + 1 + nearest
    turn = turn - board.players * (turn >= board.players)
    return state._replace(turn=where.set(state.turn, where.of(turn)))


def _draw_for_empty_hand(state: State, where: Subset) -> State:
    """T5: a player whose hand is empty when the turn begins first draws."""
    return _draw(state, where.narrow(where.pick(state.hands, where.of(state.turn)) == 0))


def _draw(state: State, drawing: Subset) -> State:
    """T4, T5: the next tile of the pool, which in those games has one."""
    if drawing.nowhere:
        return state
    left = drawing.of(state.left) - 1
    tile = drawing.pick(state.pool, left)
    mover = drawing.of(state.turn)
    return state._replace(
        tiles=drawing.put(state.tiles, tile, mover),
        hands=drawing.add(state.hands, mover, 1),
        left=drawing.set(state.left, left),
    )


def _end_game(state: State, ended: Subset) -> State:
    """Nothing more is laid, bought or drawn."""
    if ended.nowhere:
        return state
    return state._replace(phase=ended.set(state.phase, OVER))
