"""A step in every game (T1-T3, T6), and what happens between turns (T4, T5, L6, E3, K2)."""

from __future__ import annotations

from lastspike.rules.edition import CARDS_A_CITY

from .actions import PRICED_A_CITY, first_purchase, first_sale, pass_action
from .arrays import Array, ArrayModule, is_at, pick, while_any
from .bankruptcy import go_bankrupt, one_is_left
from .board import Board
from .buying import buy, can_buy, legal_purchases
from .laying import can_pay_for_any, lay, laying_costs, legal_lays
from .payouts import finish_route
from .raising import legal_sales, sell
from .state import BUY, LAY, NONE, OVER, POOL, RAISE, State, cash_of_mover

NEVER = (1 << 31) - 1
"""In the drawing order, after every tile of the pool."""


def legal_actions(board: Board, state: State, xp: ArrayModule) -> Array:
    """[games, actions]: what the player to move may choose from; nothing when the game is over."""
    phase = state.phase[:, None]
    lays = legal_lays(board, state, xp) & (phase == LAY)
    sales = legal_sales(state) & (phase == RAISE)
    purchases = legal_purchases(board, state, xp) & (phase == BUY)
    return xp.concatenate([lays, sales, purchases, phase == BUY], axis=1)


def step(board: Board, state: State, action: Array, remix: Array, xp: ArrayModule) -> State:
    """Play one step in every game, *unchecked*; games that are over stay as they are.

    `action` is [games], see `actions.py`. `remix` tells how the pool is mixed should
    somebody go bankrupt, see `go_bankrupt`.
    """
    state, turn_over = play(board, state, action, xp)
    return end_turn(board, state, remix, turn_over, xp)


def play(board: Board, state: State, action: Array, xp: ArrayModule) -> tuple[State, Array]:
    """The part of a step that its player decides: nothing is drawn, and the turn does not pass.
    Returns in which games it is to pass. Whoever plans must stop here: the draw is hidden."""
    shape = board.shape
    selling = state.phase == RAISE
    bought_or_passed = state.phase == BUY
    buying = bought_or_passed & (action != pass_action(shape))
    sale = xp.where(selling, action - first_sale(shape), 0)
    card = sale // PRICED_A_CITY * CARDS_A_CITY + sale % PRICED_A_CITY + 1
    state = sell(board, state, card, selling, xp)
    city = xp.where(buying, action - first_purchase(shape), 0)
    state = buy(board, state, city, buying, xp)
    state, laid_and_done = _lay_or_raise(board, state, action, xp)
    return state, (bought_or_passed | laid_and_done) & ~state.over


def begin(board: Board, state: State, remix: Array, xp: ArrayModule) -> State:
    """What a new deal needs before its first step: who is first may be bankrupt at once (K1)."""
    return _begin_turn(board, state, remix, ~state.over, xp)


def end_turn(board: Board, state: State, remix: Array, here: Array, xp: ArrayModule) -> State:
    """T4, E3: in the games `here` draw one tile; then the next player's turn, unless nobody has a
    tile."""
    drawn = state.left > 0
    tiles_left = drawn | (state.held > 0).any(axis=1)
    state = _draw(state, here & drawn, xp)
    state = _end_game(state, here & ~tiles_left, xp)
    here = here & tiles_left
    return _begin_turn(board, _pass_turn(board, state, here, xp), remix, here, xp)


def _lay_or_raise(
    board: Board, state: State, action: Array, xp: ArrayModule
) -> tuple[State, Array]:
    """T1, F1, T2, B2, T6, E1: lay the tile where cash covers it, or choose it and raise the money
    first. Returns in which games the turn is over: it brought a free grant, or nothing can be
    bought; so is the game with the last spike."""
    choosing = state.phase == LAY
    paying = choosing | (state.phase == RAISE)
    space = xp.where(paying, xp.where(choosing, action, state.chosen), 0).astype(xp.int32)
    cost = pick(laying_costs(board, state, xp), space, xp)
    laying = paying & (cost <= cash_of_mover(state, xp))
    state, grant = lay(board, state, space, cost, laying, xp)
    state, last_spike = finish_route(board, state, space, laying, xp)
    turn_over = laying & (grant | ~can_buy(board, state, xp))
    after = xp.where(laying, BUY, xp.where(paying, RAISE, state.phase))
    state = state._replace(
        phase=xp.where(last_spike, OVER, after).astype(xp.int32),
        chosen=xp.where(paying & ~laying, space, NONE).astype(xp.int32),
    )
    return state, turn_over


def _begin_turn(board: Board, state: State, remix: Array, here: Array, xp: ArrayModule) -> State:
    """T5, L6, K2: who can't pay for any tile is bankrupt, and so may be the next one."""

    def next_turn(state: State, broke: Array) -> tuple[State, Array]:
        state = go_bankrupt(state, remix, broke, xp)
        ended = broke & one_is_left(board.players, state, xp)
        going_on = broke & ~ended
        state = _pass_turn(board, _end_game(state, ended, xp), going_on, xp)
        state = _draw_for_empty_hand(state, going_on, xp)
        return state, going_on & ~can_pay_for_any(board, state, xp)

    state = state._replace(phase=xp.where(here, LAY, state.phase).astype(xp.int32))
    state = _draw_for_empty_hand(state, here, xp)
    return while_any(here & ~can_pay_for_any(board, state, xp), next_turn, state, xp)


def _pass_turn(board: Board, state: State, here: Array, xp: ArrayModule) -> State:
    """T4, T5: clockwise to the next player still in the game, past those with no tile to lay and
    none to draw."""
    players = board.players[:, None]
    can_lay = (state.held > 0) | (state.left > 0)[:, None]
    waiting = board.seats & (state.bankrupt == NONE) & can_lay
    seats = xp.arange(state.seats, dtype=xp.int32)
    distance = (seats - state.turn[:, None] - 1) % players
    nearest = xp.argmin(xp.where(waiting, distance, state.seats), axis=1)
    return state._replace(turn=xp.where(here, nearest, state.turn).astype(xp.int32))


def _draw_for_empty_hand(state: State, here: Array, xp: ArrayModule) -> State:
    """T5: a player whose hand is empty when the turn begins first draws."""
    return _draw(state, here & (pick(state.held, state.turn, xp) == 0), xp)


def _draw(state: State, here: Array, xp: ArrayModule) -> State:
    """T4, T5: the next tile of the pool, which in the games `here` has one."""
    first = xp.argmin(xp.where(state.tiles == POOL, state.order, NEVER), axis=1)
    drawn = is_at(first, state.spaces, xp) & here[:, None]
    drawer = is_at(state.turn, state.seats, xp) & here[:, None]
    mover = state.turn.astype(xp.int8)[:, None]
    return state._replace(
        tiles=xp.where(drawn, mover, state.tiles),
        held=state.held + drawer,
        left=state.left - here,
    )


def _end_game(state: State, here: Array, xp: ArrayModule) -> State:
    """Nothing more is laid, bought or drawn."""
    return state._replace(phase=xp.where(here, OVER, state.phase).astype(xp.int32))
