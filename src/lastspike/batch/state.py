"""Where the games of a batch stand, and the one door through which money moves."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.rules.table import PHASES

from .arrays import Array, ArrayModule, as_array, is_at, pick

LAY, RAISE, BUY, OVER = range(len(PHASES))
"""The phases, numbered as in `rules.table.PHASES`."""

NONE = -1
"""Stands for no space, no seat, and for the place among the bankrupts of who is not."""

POOL, ASIDE, TRACK, NOWHERE = -1, -2, -3, -4
"""Where a tile is that no seat has; NOWHERE is for spaces that only pad the map."""


class State(NamedTuple):
    """All games of a batch, one a row. Treat it as a value: every step makes a new one.

    tiles        [games, spaces]  where each tile is: the seat that has it, POOL, ASIDE or TRACK
    order        [games, spaces]  of the tiles in the pool, the one with the least is drawn next
    held         [games, seats]   how many tiles each hand has
    left         [games]          how many tiles the pool has
    land         [games, cards]   the holder of each card: a seat, BANK or OUT
    cash         [games, seats]   in thousands; 0 for a bankrupt
    turn         [games]          the seat to move; the last that did when the game is over
    phase        [games]          LAY, RAISE, BUY or OVER
    chosen       [games]          in phase RAISE the space to be paid for, else NONE
    bankrupt     [games, seats]   the place among the bankrupts, from 0, or NONE
    last_spike   [games]          the seat that drove it, or NONE
    linked       [games, cities]  cities joined by finished routes have the same number
    unpaid       [games, cards]   payouts to come for a card that has a price; never any for a grant

    `held`, `left`, `linked` and `unpaid` follow from `tiles`; they are kept because a step changes
    a few places of them, and finding them anew would mean looking at the whole map.
    """

    tiles: Array
    order: Array
    held: Array
    left: Array
    land: Array
    cash: Array
    turn: Array
    phase: Array
    chosen: Array
    bankrupt: Array
    last_spike: Array
    linked: Array
    unpaid: Array

    @property
    def games(self) -> int:
        return len(self.tiles)

    @property
    def seats(self) -> int:
        return int(self.cash.shape[1])

    @property
    def spaces(self) -> int:
        return int(self.tiles.shape[1])

    @property
    def track(self) -> Array:
        """[games, spaces]: whether there is track."""
        return as_array(self.tiles == TRACK)

    @property
    def over(self) -> Array:
        """In which games nothing more is played."""
        return as_array(self.phase == OVER)


def pay(state: State, seat: Array, amount: Array, here: Array, xp: ArrayModule) -> State:
    """In the games `here` the bank pays a seat, or a seat the bank where the amount is negative."""
    changes = xp.where(is_at(seat, state.seats, xp) & here[:, None], amount[:, None], 0)
    return pay_all(state, changes)


def pay_all(state: State, amounts: Array) -> State:
    """The one door for money: the bank pays every seat its amount."""
    return state._replace(cash=state.cash + amounts)


def give(state: State, card: Array, holder: Array, here: Array, xp: ArrayModule) -> State:
    """A card changes hands in the games `here`: a holder is a seat or BANK."""
    this = is_at(card, state.land.shape[1], xp) & here[:, None]
    return state._replace(land=xp.where(this, holder.astype(xp.int8)[:, None], state.land))


def cash_of_mover(state: State, xp: ArrayModule) -> Array:
    return pick(state.cash, state.turn, xp)


def hand_of_mover(state: State) -> Array:
    """[games, spaces]: the tiles of the player to move."""
    return as_array(state.tiles == state.turn.astype(state.tiles.dtype)[:, None])
