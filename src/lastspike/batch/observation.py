"""What a seat may see, as rows of numbers: its own hand, the open table, and counts.

Nothing hidden goes in: not the pool's order, not what is in it or put aside, not the hand of
another unless hands are open (S3), not another's cash where it is hidden (B3). Seats are counted
from the viewer clockwise, so that a network need not learn the same thing for every seat.
"""

from __future__ import annotations

from typing import NamedTuple

from lastspike.rules.table import BANK, OUT, PHASES, UNKNOWN

from .arrays import Array, ArrayModule, as_array, is_at, total
from .board import Board, Shape
from .buying import NOT_FOR_SALE, market
from .laying import laying_costs
from .state import ASIDE, NONE, State

OBSERVATION_VERSION = 1
"""Counts up when the layout changes, so that what one learnt is not used with another."""

HOLDERS_BESIDE_SEATS = 2
"""The bank, and nobody any more."""


class Observation(NamedTuple):
    """What one seat of every game sees. Ordered as `flat` puts it, [games] first in each.

    track        [spaces]            1 where there is track
    costs        [spaces]            what a tile would cost now (L3), 0 where there is track
    hands        [seats, spaces]     1 for each tile of a hand that may be seen
    chosen       [spaces]            1 for the tile that is to be paid for (F1)
    unseen       [spaces]            1 for each tile that the viewer can't place
    holders      [cards, seats + 2]  1 for who holds a card: a seat, the bank, nobody any more
    market       [cities]            what the cheapest card left costs, or -1
    cash         [seats]             in thousands, or -1 where it is hidden
    tiles        [seats]             how many tiles a hand has
    playing      [seats]             1 who sits there and is not bankrupt
    turn         [seats]             1 for whose turn it is
    phase        [4]                 1 for the phase: lay, raise, buy, over
    counts       [3]                 tiles in the pool, tiles aside, players
    """

    track: Array
    costs: Array
    hands: Array
    chosen: Array
    unseen: Array
    holders: Array
    market: Array
    cash: Array
    tiles: Array
    playing: Array
    turn: Array
    phase: Array
    counts: Array


def observe(board: Board, state: State, seat: Array, xp: ArrayModule) -> Observation:
    """What the seat, one of each game's players, may see: [games], or one number for all games."""
    viewer = xp.broadcast_to(xp.asarray(seat, dtype=xp.int32), (state.games,))
    order, there = _clockwise_from(board, viewer, xp)
    own = is_at(viewer, state.seats, xp)
    chosen = is_at(state.chosen, state.spaces, xp)
    hands = state.tiles[:, None, :] == xp.arange(state.seats)[None, :, None]
    shown = hands & (own | board.hands_open[:, None])[:, :, None]
    in_game = board.seats & (state.bankrupt == NONE)
    cash_seen = own | board.cash_open[:, None] | ~in_game
    placed = state.track | shown.any(axis=1) | chosen
    prices = market(board, state, xp)
    counts = [state.left, total(state.tiles == ASIDE, 1, xp)]
    counts.append(xp.broadcast_to(board.players, (state.games,)))
    values = Observation(
        track=state.track,
        costs=xp.where(state.track, 0, laying_costs(board, state, xp)),
        hands=_turned(shown, order, xp) & there[:, :, None],
        chosen=chosen,
        unseen=board.tiles & ~placed,
        holders=_holders(state, order, there, xp),
        market=xp.where(prices == NOT_FOR_SALE, NONE, prices),
        cash=_turned(xp.where(cash_seen, state.cash, UNKNOWN), order, xp) * there,
        tiles=_turned(state.held, order, xp) * there,
        playing=_turned(in_game, order, xp) & there,
        turn=(order == state.turn[:, None]) & there & ~state.over[:, None],
        phase=is_at(state.phase, len(PHASES), xp),
        counts=xp.concatenate([count[:, None] for count in counts], axis=1),
    )
    return Observation(*(part.astype(xp.int32) for part in values))


def flat(observation: Observation, xp: ArrayModule) -> Array:
    """[games, features], float32: all parts one after the other, as networks take them."""
    games = observation.track.shape[0]
    parts = [part.reshape(games, -1) for part in observation]
    return xp.concatenate(parts, axis=1).astype(xp.float32)


def feature_count(shape: Shape) -> int:
    """How long a row of `flat` is."""
    by_space = (4 + shape.seats) * shape.spaces
    holders = shape.cards * (shape.seats + HOLDERS_BESIDE_SEATS)
    return by_space + holders + shape.cities + 4 * shape.seats + len(PHASES) + 3


def _clockwise_from(board: Board, viewer: Array, xp: ArrayModule) -> tuple[Array, Array]:
    """[games, seats] twice: the seats from the viewer on, and whether there are so many."""
    steps = xp.arange(board.shape.seats, dtype=xp.int32)[None, :]
    players = board.players[:, None]
    order = (viewer[:, None] + steps) % players
    return order, as_array(xp.broadcast_to(steps < players, order.shape))


def _turned(by_seat: Array, order: Array, xp: ArrayModule) -> Array:
    """What is by seat, in another order of the seats."""
    return as_array(by_seat[xp.arange(by_seat.shape[0])[:, None], order])


def _holders(state: State, order: Array, there: Array, xp: ArrayModule) -> Array:
    land = state.land[:, :, None]
    by_seat = (land == order[:, None, :]) & there[:, None, :]
    return xp.concatenate([by_seat, land == BANK, land == OUT], axis=2)
