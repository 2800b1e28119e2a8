"""Learns the policy net: it predicts the turns of a value net and of Surveyors, in their games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from lastspike.batch import BUY, State, random_deals, random_remix
from lastspike.batch.steps.buying import legal_purchases
from lastspike.batch.steps.laying import legal_lays
from lastspike.batch.steps.turn import end_turn
from lastspike.batch.turns import take
from lastspike.bots.tycoon.features import told_on
from lastspike.bots.tycoon.lookahead import best, judged, look, make
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.opponents.policy import (
    BY_NET,
    SURVEYOR,
    flags,
    liking,
    policy_inputs,
    policy_outputs,
    told_to_policy,
)
from lastspike.bots.tycoon.outlook import Map, map_of
from lastspike.bots.tycoon.surveyor import NEVER, surveyors_turn
from lastspike.bots.tycoon.weights import write_net
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup

from .checkpoint import LOG
from .learning import SAMPLES, Learner, new_learner, step
from .plan import Plan, rate_at

Array = Any


class Asked(NamedTuple):
    """The choices of a turn, with leading axes [turns, games].

    laying   [inputs]         before the tile
    buying   [inputs]         after it
    hand     [spaces]         the tiles left in the hand after it
    lays     [spaces]         what could be laid
    buys     [1 + cities]     what could be bought, nothing first; none where there was no choice
    space    []               what was laid
    bought   []               what was bought
    weight   []               0 for turns of finished games, and random ones
    """

    laying: Array
    buying: Array
    hand: Array
    lays: Array
    buys: Array
    space: Array
    bought: Array
    weight: Array


class PolicyLosses(NamedTuple):
    """Mean losses, and how often the likeliest choice was the one made."""

    laying: Array
    buying: Array
    lays_right: Array
    buys_right: Array


POLICY = "policy.npz"


def train_policy(
    plan: Plan, folder: Path, value: Net, tell: Callable[[int, PolicyLosses], None]
) -> Net:
    """Train a policy net to the end of the plan; its folder gets the net and the log."""
    table = map_of(setup(shipped(plan.edition), plan.players))
    folder.mkdir(parents=True, exist_ok=True)
    key = jax.random.fold_in(jax.random.key(plan.seed), 1 << 30)
    shape = table.board.shape
    learner = new_learner(policy_inputs(told_on(table), shape), policy_outputs(shape), key)
    value = jax.tree.map(jnp.asarray, value)
    batch = policy_batch(table, plan.explore)
    began = monotonic()
    with (folder / LOG).open("w", encoding="utf-8") as log:
        for number in range(plan.batches):
            rng = np.random.default_rng([plan.seed, number])
            kinds = kinds_at(plan.games, plan.players, plan.surveyors, rng)
            key = jax.random.fold_in(jax.random.key(plan.seed), number)
            learner, losses = batch(learner, value, kinds, rate_at(plan, number), key)
            found = PolicyLosses(*(round(float(loss), 4) for loss in losses))
            seconds = round(monotonic() - began, 1)
            line = {"batch": number, "seconds": seconds, **found._asdict()}
            log.write(json.dumps(line) + "\n")
            log.flush()
            tell(number, found)
    net = Net(*jax.tree.map(np.asarray, learner.average))
    write_net(folder / POLICY, net, plan.edition)
    return net


def policy_batch(table: Map, explore: float) -> Any:
    """A compiled function: plays games between Surveyors and a value net, and learns from them.

    Arguments: the learner, the value net, the kind by seat ([games, seats]), the rate and a key.
    """

    def batch(learner: Learner, value: Net, kinds: Array, rate: Array, key: Array) -> Any:
        for_games, for_order = random.split(key)
        asked = _games(table, explore, value, kinds, for_games)
        return _learn(table, learner, asked, rate, for_order)

    return jax.jit(batch)


def _games(table: Map, explore: float, value: Net, kinds: Array, key: Array) -> Asked:
    board = table.board
    games = kinds.shape[0]
    for_remix, for_deals, for_turns = random.split(key, 3)
    remix = random_remix(for_remix, games, board.shape)
    state = random_deals(board, games, for_deals, remix, jnp)

    def turn(state: State, key: Array) -> tuple[State, Asked]:
        after, asked = _choose(table, explore, value, kinds, state, key)
        return end_turn(board, after, remix, ~after.over, jnp), asked

    asked: Asked
    _, asked = lax.scan(turn, state, random.split(for_turns, int(board.tiles.sum())))
    return asked


def _choose(
    table: Map, explore: float, value: Net, kinds: Array, state: State, key: Array
) -> tuple[State, Asked]:
    """Make a turn in every game, without the draw."""
    board, games = table.board, state.games
    rows, cities = jnp.arange(games), table.board.shape.cities
    seen = look(table, state, jnp)
    index = best(judged(table, value, state, seen, jnp), seen.there, jnp)
    kind = kinds[rows, state.turn]
    by_surveyor = surveyors_turn(table, state, seen.laid, jnp)
    index = jnp.where(kind == SURVEYOR, by_surveyor, index)
    by_lot, whether = random.split(key)
    lots = random.uniform(by_lot, seen.there.shape)
    drawn = jnp.argmax(jnp.where(seen.there, lots, -1.0), axis=1)
    explored = random.uniform(whether, (games,)) < explore
    index = jnp.where(explored, drawn, index)
    tiles = seen.laid.space.shape[0] // games
    tile = rows * tiles + index // (1 + cities)
    laid = take(seen.laid.state, tile)
    choice = (laid.phase == BUY) & ~seen.laid.turn_over[tile] & ~state.over
    legal = legal_purchases(laid, jnp).T & choice[:, None]
    laid = laid._replace(phase=jnp.full_like(laid.phase, BUY))
    asked = Asked(
        laying=_told(table, state, kind),
        buying=_told(table, laid, kind),
        hand=(laid.tiles == state.turn).T,
        lays=legal_lays(board, state, jnp).T,
        buys=jnp.concatenate([choice[:, None], legal], axis=1),
        space=seen.laid.space[tile],
        bought=index % (1 + cities),
        weight=(~explored & ~state.over).astype(jnp.float32),
    )
    return make(board, state, seen.laid, index, jnp), asked


def _told(table: Map, state: State, kind: Array) -> Array:
    """[games, inputs]"""
    told = [told_to_policy(table, state, jnp), flags(state, kind, jnp)]
    return jnp.concatenate(told, axis=1).astype(jnp.bfloat16)


def _learn(
    table: Map, learner: Learner, asked: Asked, rate: Array, key: Array
) -> tuple[Learner, PolicyLosses]:
    """One epoch over these turns, in random order."""
    flat = jax.tree.map(lambda values: values.reshape(-1, *values.shape[2:]), asked)
    size = len(flat.weight)
    steps = max(1, size // SAMPLES)
    lots = random.uniform(key, (size,)) + (flat.weight == 0)
    order = jnp.argsort(lots)[: steps * (size // steps)].reshape(steps, -1)

    def one(learner: Learner, rows: Array) -> tuple[Learner, PolicyLosses]:
        some = jax.tree.map(lambda values: values[rows], flat)
        gradient, losses = jax.grad(_loss, has_aux=True)(learner.net, table, some)
        return step(learner, gradient, rate), losses

    learner, losses = lax.scan(one, learner, order)
    full = max(1, steps // 2)  # the last steps may hold only turns of weight 0
    return learner, jax.tree.map(lambda values: values[:full].mean(), losses)


def _loss(net: Net, table: Map, asked: Asked) -> tuple[Array, PolicyLosses]:
    shape = table.board.shape
    rows = jnp.arange(len(asked.weight))
    weight, choice = asked.weight, asked.weight * asked.buys[:, 0]
    lay = liking(net, asked.laying.astype(jnp.float32), shape, jnp)
    buy = liking(net, asked.buying.astype(jnp.float32), shape, jnp)
    by_hand = jnp.einsum("gcs,gs->gc", buy.held, asked.hand.astype(jnp.float32))
    by_hand = jnp.concatenate([jnp.zeros((len(rows), 1)), by_hand], axis=1)

    def compared(logits: Array, legal: Array, index: Array, counts: Array) -> tuple[Array, Array]:
        possible = jnp.where(legal, logits, NEVER)
        surprise = -jax.nn.log_softmax(possible)[rows, index]
        total = jnp.maximum(counts.sum(), 1.0)
        right = ((possible.argmax(axis=1) == index) * counts).sum() / total
        return jnp.where(counts > 0, surprise, 0.0).sum() / total, right

    laying, lays_right = compared(lay.tiles, asked.lays, asked.space, weight)
    buying, buys_right = compared(buy.purchases + by_hand, asked.buys, asked.bought, choice)
    return laying + buying, PolicyLosses(laying, buying, lays_right, buys_right)


def kinds_at(games: int, seats: int, surveyors: float, rng: Any) -> Any:
    """[games, seats]: who plays; one net among Surveyors, one Surveyor among nets, and nets."""
    kinds = (rng.random((games, seats)) < surveyors) * (SURVEYOR - BY_NET) + BY_NET
    kinds[: games // 4] = BY_NET
    return kinds
