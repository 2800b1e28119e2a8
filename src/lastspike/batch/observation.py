"""What a seat may see, as rows of numbers: its own hand, the open table, and counts.

They contain nothing hidden: neither the order nor the tiles of the pool, nor those put aside; other
hands only if hands are open (S3), and other players' cash unless it is hidden (B3). Seats count
clockwise from the viewer, so that a network doesn't have to learn the same thing for every seat.
"""

from __future__ import annotations

from typing import NamedTuple

from lastspike.rules.table import BANK, OUT, PHASES, UNKNOWN

from .arrays import Array, ArrayModule, is_at, numbers_below, pick, total
from .board import Board, Shape
from .state import ASIDE, NONE, TRACK, State
from .steps.buying import NOT_FOR_SALE
from .steps.laying import laying_costs

OBSERVATION_VERSION = 1
"""Increases when the layout changes, so that old networks are rejected."""

HOLDERS_BESIDE_SEATS = 2
"""The bank, and cards that are out of the game."""


class Observation(NamedTuple):
    """What one seat of every game sees. In the order of `flat`, with [games] as the first axis of
    each part.

    track        [spaces]            1 where there is track
    costs        [spaces]            what a tile would cost now (L3), 0 where there is track
    hands        [seats, spaces]     1 for each tile of a hand that may be seen
    chosen       [spaces]            1 for the tile that is to be paid for (F1)
    unseen       [spaces]            1 for each tile that the viewer can't place
    holders      [cards, seats + 2]  1 for a card's holder: a seat, the bank, or out of the game
    market       [cities]            what the cheapest card left costs, or -1
    cash         [seats]             in thousands, or -1 where it is hidden
    tiles        [seats]             the number of tiles in each hand
    playing      [seats]             1 for players still in the game
    turn         [seats]             1 for the player whose turn it is
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
    """What the seat, one of each game's players, may see: [games], or one number for all games.
    The number of players stands for a spectator, who has no hand and counts seats from 0.

    Computed with games as the last axis, as in a state, and transposed at the end."""
    viewer = xp.broadcast_to(xp.asarray(seat, dtype=xp.int8), (state.games,))
    order, there = _clockwise_from(board, viewer, xp)
    own = order == viewer
    track = state.tiles == TRACK
    chosen = is_at(state.chosen, state.spaces, xp)
    hands = (state.tiles == order[:, None]) & (there & (own | board.hands_open))[:, None]
    placed = track | hands.any(axis=0) | chosen
    playing = there & (pick(state.places, order, xp) == NONE)
    cash = xp.where(
        own | board.cash_open | ~playing, pick(state.purses, order, xp), xp.int32(UNKNOWN)
    )
    players = xp.broadcast_to(board.players, (state.games,))
    values = Observation(
        track=track,
        costs=xp.where(track, 0, laying_costs(board.costs, state.laid, xp)),
        hands=hands,
        chosen=chosen,
        unseen=board.tiles & ~placed,
        holders=_holders(state, order, there, xp),
        market=xp.where(state.market == NOT_FOR_SALE, NONE, state.market),
        cash=cash * there,
        tiles=pick(state.hands, order, xp) * there,
        playing=playing,
        turn=(order == state.turn) & there & ~state.over,
        phase=is_at(state.phase, len(PHASES), xp),
        counts=xp.stack([state.left, total(state.tiles == ASIDE, xp.int8, xp), players]),
    )
    return Observation(*(xp.moveaxis(part, -1, 0).astype(xp.int32) for part in values))


def flat(observation: Observation, xp: ArrayModule) -> Array:
    """[games, features], float32: all parts one after the other, as networks take them."""
    games = observation.track.shape[0]
    parts = [part.reshape(games, -1) for part in observation]
    return xp.concatenate(parts, axis=1).astype(xp.float32)


def feature_count(shape: Shape) -> int:
    """The length of a row of `flat`."""
    by_space = (4 + shape.seats) * shape.spaces
    holders = shape.cards * (shape.seats + HOLDERS_BESIDE_SEATS)
    return by_space + holders + shape.cities + 4 * shape.seats + len(PHASES) + 3


def _clockwise_from(board: Board, viewer: Array, xp: ArrayModule) -> tuple[Array, Array]:
    """[seats, games] twice: the seats from the viewer on, and whether each exists."""
    steps = numbers_below(board.shape.seats, xp.int8, xp)
    order = (viewer + steps) % board.players
    return order, xp.broadcast_to(steps < board.players, order.shape)


def _holders(state: State, order: Array, there: Array, xp: ArrayModule) -> Array:
    """[cards, seats + 2, games]"""
    holders = state.holders[:, None]
    by_seat = (holders == order) & there
    return xp.concatenate([by_seat, holders == BANK, holders == OUT], axis=1)
