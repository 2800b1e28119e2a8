"""What the other players' choices say about their hands, as tables to look up hands in.

For a turn with a known hand, the policy net's probability of the choice depends on the sum of the
tiles' weights in that hand. So one row per turn answers for every hand that there might have been.
"""

from __future__ import annotations

from typing import NamedTuple

from lastspike.batch import BUY, State
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.steps.laying import adjacent, laying_costs
from lastspike.batch.steps.raising import means
from lastspike.batch.subset import everywhere
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import Map
from lastspike.bots.tycoon.surveyor import NEVER

from .policy import KINDS, flags, liking, told_to_policy

NO_CHOICE = -1
"""Stands for a purchase where nothing could be bought."""

CLOSE_LIKED, LIKED, CLOSE, LEGAL = range(4)
SUMS = 4
"""A tile's entries in `Evidence.tiles`, to be summed over a hand: the weight and the number of
payable tiles beside track, where these have to be laid first, and of all payable tiles. The
entries from SUMS on are what it adds to the logits of nothing and of each city."""

MOST_LIKED = 12.0
"""The largest logit of a tile above that of the chosen one."""


class Trust(NamedTuple):
    """How far the policy net is believed, fitted on games of other players.

    sharpness   multiplies the logits
    slips       the part of choices that are made at random
    """

    sharpness: float = 1.0
    slips: float = 0.03


class Evidence(NamedTuple):
    """One row per turn, of any player.

    owner       [turns]                      the mover
    tiles       [turns, kinds, spaces, ...]  the entries of each tile that the mover might hold
    laid_close  [turns]                      whether the chosen tile lay beside track, or need not
    purchases   [turns, kinds, 1 + cities]   logits with an empty hand; NEVER where illegal
    bought      [turns]                      0 for nothing, else the city plus one, or NO_CHOICE
    """

    owner: Array
    tiles: Array
    laid_close: Array
    purchases: Array
    bought: Array


def evidence_of(
    table: Map,
    policy: Net,
    before: State,
    space: Array,
    after: State,
    bought: Array,
    trust: Trust,
    xp: ArrayModule,
) -> Evidence:
    """The rows of these turns: the games before them, the tiles laid, the games after the tile,
    and the purchases. Hands don't matter, only the numbers of tiles in them."""
    shape, rows = table.board.shape, xp.arange(before.games)
    costs = laying_costs(table.board.costs, before.laid, xp)
    payable = (costs <= means(table.board, before, everywhere(before.games, xp), xp)).T
    beside = adjacent(before.laid, xp).T
    forced = xp.broadcast_to(table.board.forced, (before.games,))
    close = payable & beside & forced[:, None]
    choice = as_array(bought >= 0)
    legal = _cash(after, xp)[:, None] >= after.market.T
    nothing = xp.full((before.games, 1), True)
    legal = xp.concatenate([nothing, legal], axis=1) & choice[:, None]
    # A game whose turn ended with the tile was not asked about purchases: its row is not used.
    after = after._replace(phase=xp.full((after.games,), BUY, dtype=after.phase.dtype))
    laying = told_to_policy(table, before, xp)
    buying = told_to_policy(table, after, xp)
    tiles, purchases = [], []
    for kind in range(KINDS):
        told = xp.concatenate([laying, flags(before, kind, xp)], axis=1)
        liked = liking(policy, told, shape, xp).tiles
        above = trust.sharpness * (liked - liked[rows, space][:, None])
        weight = xp.exp(xp.minimum(above, MOST_LIKED))
        told = xp.concatenate([buying, flags(after, kind, xp)], axis=1)
        land = liking(policy, told, shape, xp)
        here = (xp.arange(shape.spaces) != space[:, None]) & choice[:, None]
        adds = trust.sharpness * xp.where(here[:, None], land.held, 0.0)
        no_more = xp.zeros((before.games, shape.spaces, 1), dtype=xp.float32)
        sums = [weight * close, weight * payable, close, payable]
        entries = xp.stack([values.astype(xp.float32) for values in sums], axis=2)
        tiles.append(xp.concatenate([entries, no_more, xp.moveaxis(adds, 1, 2)], axis=2))
        purchases.append(xp.where(legal, trust.sharpness * land.purchases, NEVER))
    return Evidence(
        owner=before.turn,
        tiles=xp.stack(tiles, axis=1).astype(xp.float32),
        laid_close=close[rows, space] | ~forced,
        purchases=xp.stack(purchases, axis=1).astype(xp.float32),
        bought=bought,
    )


def _cash(state: State, xp: ArrayModule) -> Array:
    seats = xp.arange(state.seats, dtype=state.turn.dtype)[:, None]
    return as_array(xp.sum(xp.where(seats == state.turn, state.purses, 0), axis=0))


IMPOSSIBLE_LOG = -12.0
"""The log likelihood of what the rules forbid; finite, so that chains can leave it."""


def log_likelihood(
    sums: Array, rows: Evidence, purchases: Array, trust: Trust, xp: ArrayModule
) -> Array:
    """[..., turns]: the log likelihood of the choices, given the sums over hands, [..., turns,
    entries], and the purchases' logits without hands for the right kinds, [..., turns, options]."""
    must = sums[..., CLOSE] > 0.5
    total = xp.where(must, sums[..., CLOSE_LIKED], sums[..., LIKED])
    legal = xp.where(must, sums[..., CLOSE], sums[..., LEGAL])
    lay = mixed(1.0 / xp.maximum(total, 1.0), 1.0 / xp.maximum(legal, 1.0), trust)
    # exp and log are slow, so both choices share a logarithm.
    logits = purchases + sums[..., SUMS:]
    weights = xp.exp(logits - logits.max(axis=-1, keepdims=True))
    options = xp.sum(purchases > NEVER, axis=-1, dtype=xp.float32)
    index = xp.maximum(rows.bought, 0)
    turns = xp.arange(len(index))
    chosen = weights[..., turns, index] / weights.sum(axis=-1)
    buy = xp.where(rows.bought >= 0, mixed(chosen, 1.0 / xp.maximum(options, 1.0), trust), 1.0)
    return xp.where(must & ~rows.laid_close, IMPOSSIBLE_LOG, xp.log(lay * buy))


def mixed(likely: Array, uniform: Array, trust: Trust) -> Array:
    return as_array((1 - trust.slips) * likely + trust.slips * uniform)
