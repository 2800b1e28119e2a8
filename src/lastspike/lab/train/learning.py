"""Learning from games: value targets for each turn, and Adam steps towards them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax, random

from lastspike.bots.tycoon.net import HIDDEN, Net, outputs

from .selfplay import Array, Played

TRACE = 0.9
"""Lambda of TD(lambda): the weight of later outcomes against the net's next estimate."""

LEAD_LOSS = 0.5
"""The weight of the lead loss; the chance loss has weight 1."""

SAMPLES = 16_384
"""Turns per gradient step."""

FIRST, SECOND, TINY = 0.9, 0.999, 1e-8
"""Adam's beta 1, beta 2 and epsilon."""

AVERAGED = 0.999
"""The decay of the averaged net, which is the one that plays."""


class Learner(NamedTuple):
    """The net, its moving average, and Adam's moments."""

    net: Net
    average: Net
    mean: Net
    square: Net
    steps: Array


class Losses(NamedTuple):
    chances: Array
    leads: Array


def new_learner(inputs: int, outputs: int, key: Array) -> Learner:
    sizes = (inputs, *HIDDEN, outputs)
    keys = random.split(key, len(sizes) - 1)
    weights = tuple(
        random.normal(k, (rows, columns)) * jnp.sqrt(2.0 / rows)
        for k, (rows, columns) in zip(keys, pairwise(sizes), strict=True)
    )
    weights = (*weights[:-1], weights[-1] * 0.1)  # start with nearly equal chances
    net = Net(weights, tuple(jnp.zeros(columns) for columns in sizes[1:]))
    nothing = jax.tree.map(jnp.zeros_like, net)
    return Learner(net, net, nothing, nothing, jnp.zeros((), dtype=jnp.int32))


def targets(played: Played) -> tuple[Array, Array]:
    """[turns, games, seats] twice: the targets of chances and leads, seats counted from the mover.

    Computed backwards: a seat's target is the game's outcome, mixed with the seat's own estimate at
    each later turn. A random (exploring) turn cuts the trace to the turns before it.
    """
    games, seats = played.shares.shape
    rows = jnp.arange(games)
    order = (jnp.arange(seats)[:, None] + jnp.arange(seats)) % seats
    ended = (played.shares[:, order], played.leads[:, order])  # [games, viewer, seats]

    def back(
        later: tuple[Array, Array], turn: Any
    ) -> tuple[tuple[Array, Array], tuple[Array, ...]]:
        seat, learnt, explored, *thought = turn
        target = tuple(values[rows, seat] for values in later)
        trace = jnp.where(explored, 0.0, TRACE)[:, None]
        before = tuple(
            values.at[rows, seat].set(
                jnp.where(learnt[:, None], trace * aim + (1 - trace) * own, aim)
            )
            for values, aim, own in zip(later, target, thought, strict=True)
        )
        return before, target

    kept = played.kept
    turns = (kept.seat, kept.learnt, kept.explored, kept.chances, kept.leads)
    _, (chances, leads) = lax.scan(back, ended, turns, reverse=True)
    return chances, leads


def learn(learner: Learner, played: Played, rate: Array, key: Array) -> tuple[Learner, Losses]:
    """One epoch over all turns of these games, in random order."""
    chances, leads = targets(played)
    told = played.kept.told.reshape(-1, played.kept.told.shape[-1])
    weight = played.kept.learnt.reshape(-1).astype(jnp.float32)
    samples = (told, chances.reshape(len(told), -1), leads.reshape(len(told), -1), weight)
    steps = max(1, len(told) // SAMPLES)
    # Turns to learn from come first, so that all steps but the last have the same weight.
    lots = random.uniform(key, (len(told),)) + (weight == 0)
    order = jnp.argsort(lots)[: steps * (len(told) // steps)].reshape(steps, -1)

    def one(learner: Learner, rows: Array) -> tuple[Learner, tuple[Losses, Array]]:
        some = tuple(values[rows] for values in samples)
        gradient, losses = jax.grad(_loss, has_aux=True)(learner.net, *some)
        return step(learner, gradient, rate), (losses, some[-1].sum())

    learner, (losses, weights) = lax.scan(one, learner, order)
    mean = Losses(*((values * weights).sum() / weights.sum() for values in losses))
    return learner, mean


def _loss(net: Net, told: Array, chances: Array, leads: Array, weight: Array) -> Any:
    logits, guessed = outputs(net, told.astype(jnp.float32), jnp)
    surprise = -(chances * jax.nn.log_softmax(logits)).sum(axis=1)
    error = ((guessed - leads) ** 2).mean(axis=1)
    all_weight = jnp.maximum(weight.sum(), 1.0)
    losses = Losses(*((values * weight).sum() / all_weight for values in (surprise, error)))
    return losses.chances + LEAD_LOSS * losses.leads, losses


def step(learner: Learner, gradient: Net, rate: Array) -> Learner:
    """One Adam step."""
    steps = learner.steps + 1
    mean = _mix(learner.mean, gradient, FIRST)
    square = _mix(learner.square, jax.tree.map(jnp.square, gradient), SECOND)
    fair_mean, fair_square = 1 - FIRST**steps, 1 - SECOND**steps
    net = jax.tree.map(
        lambda value, m, s: value - rate * (m / fair_mean) / (jnp.sqrt(s / fair_square) + TINY),
        learner.net,
        mean,
        square,
    )
    slowness = jnp.minimum(AVERAGED, steps / (steps + 10.0))
    return Learner(net, _mix(learner.average, net, slowness), mean, square, steps)


def _mix(old: Any, new: Any, part: Any) -> Any:
    return jax.tree.map(lambda a, b: part * a + (1 - part) * b, old, new)
