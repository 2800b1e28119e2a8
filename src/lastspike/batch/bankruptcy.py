"""Bankruptcy (K): what becomes of the tiles, cash and land of players who can't go on."""

from __future__ import annotations

from lastspike.rules.edition import CARDS_A_CITY
from lastspike.rules.table import BANK, OUT

from .arrays import Array, ArrayModule, as_array, is_at, pick, total
from .state import NONE, POOL, State, hand_of_mover, pay_all


def go_bankrupt(state: State, remix: Array, here: Array, xp: ArrayModule) -> State:
    """K1: in the games `here` the player whose turn it is, is out. Does not pass the turn.

    `remix` is [games, seats, spaces]: the pool that the bankruptcy of a seat leaves is drawn in the
    order of its row, the least first. Nobody goes out twice, so a row a seat serves a whole game.
    """
    out = is_at(state.turn, state.seats, xp) & here[:, None]
    state = pay_all(state, xp.where(out, -state.cash, 0))
    order = xp.where(out, total(state.bankrupt != NONE, 1, xp)[:, None], state.bankrupt)
    return state._replace(
        land=_land_left_behind(state, here, xp),
        tiles=xp.where(hand_of_mover(state) & here[:, None], POOL, state.tiles),
        order=xp.where(here[:, None], pick(remix, state.turn, xp), state.order),
        held=xp.where(out, 0, state.held),
        left=state.left + total(xp.where(out, state.held, 0), 1, xp),
        bankrupt=order,
    )


def one_is_left(players: Array, state: State, xp: ArrayModule) -> Array:
    """K2."""
    return as_array(total(state.bankrupt != NONE, 1, xp) == players - 1)


def _land_left_behind(state: State, here: Array, xp: ArrayModule) -> Array:
    """K1: priced cards go to the bank, free grants leave the game."""
    held = (state.land == state.turn[:, None]) & here[:, None]
    is_grant = xp.arange(state.land.shape[1]) % CARDS_A_CITY == 0
    left_to = xp.where(is_grant, OUT, BANK).astype(xp.int8)
    return xp.where(held, left_to, state.land)
