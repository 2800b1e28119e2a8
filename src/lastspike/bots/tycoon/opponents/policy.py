"""The policy net: how much a player would like to lay each tile, and to buy in each city.

It knows what everybody sees, but not the mover's hand. The likelihood of a choice follows for any
hand: only the tiles in it could be laid. It tells Surveyors from players by the value net.
"""

from __future__ import annotations

from typing import NamedTuple

from lastspike.batch import BUY, State
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.board import Shape
from lastspike.batch.state import POOL
from lastspike.batch.steps.laying import adjacent, laying_costs
from lastspike.bots.tycoon.features import UNIT, features
from lastspike.bots.tycoon.net import Net, last_layer
from lastspike.bots.tycoon.outlook import Map, outlook_of
from lastspike.bots.tycoon.surveyor import tile_scores, worth_buying

BY_NET, SURVEYOR = range(2)
"""The kinds of players that the policy net tells apart."""

KINDS = 2
FLAGS = 2
"""Inputs besides: a Surveyor moves, land may be bought."""

LEAST = -4.0
"""The least score of a purchase that the net is told, in units of money."""


class Liking(NamedTuple):
    """How much the mover would like each choice: logits, before legality.

    tiles       [games, spaces]
    purchases   [games, 1 + cities]        nothing first
    held        [games, cities, spaces]    what a held tile adds to a purchase
    """

    tiles: Array
    purchases: Array
    held: Array


def policy_inputs(features: int, shape: Shape) -> int:
    return features + 3 * shape.spaces + shape.cities + FLAGS


def policy_outputs(shape: Shape) -> int:
    return shape.spaces + 1 + shape.cities + shape.cities * shape.spaces


def told_to_policy(table: Map, state: State, xp: ArrayModule) -> Array:
    """[games, ...]: what the net is told of the movers, but for the flags: the features, as if they
    held no tile, what Surveyor thinks of each choice, and what tiles cost."""
    tiles = xp.where(state.tiles == state.turn, POOL, state.tiles).astype(xp.int8)
    state = state._replace(tiles=tiles)
    spaces = xp.broadcast_to(xp.arange(len(tiles), dtype=xp.int32)[:, None], tiles.shape)
    outlook = outlook_of(table, state, state.turn, xp)
    costs = laying_costs(table.board.costs, state.laid, xp)
    by_choice = [
        tile_scores(table, state, spaces, outlook, xp) / UNIT,
        costs / UNIT,
        adjacent(state.laid, xp),
        xp.maximum(worth_buying(state, outlook, xp) / UNIT, LEAST),
    ]
    told = [features(table, state, state.turn, xp), *(values.T for values in by_choice)]
    return xp.concatenate(told, axis=1, dtype=xp.float32)


def flags(state: State, kind: Array | int, xp: ArrayModule) -> Array:
    """[games, FLAGS]"""
    kinds = xp.broadcast_to(xp.asarray(kind) == SURVEYOR, (state.games,))
    return xp.stack([kinds, state.phase == BUY], axis=1).astype(xp.float32)


def liking(policy: Net, told: Array, shape: Shape, xp: ArrayModule) -> Liking:
    """What the policy net says to these inputs."""
    found = last_layer(policy, told, xp)
    tiles, options = shape.spaces, shape.spaces + 1 + shape.cities
    held = as_array(found[:, options:].reshape(len(found), shape.cities, shape.spaces))
    return Liking(found[:, :tiles], found[:, tiles:options], held)
