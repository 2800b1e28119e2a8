"""The plan of a training and its learning-rate schedule. Needs no JAX."""

from __future__ import annotations

import math
from typing import NamedTuple


class Plan(NamedTuple):
    """The parameters of a training.

    games       per batch
    batches     in total
    rate        the learning rate at the start; it falls to a twentieth of that
    explore     the fraction of random turns
    surveyors   the fraction of games with Surveyors
    earlier     the fraction of games with an earlier net
    against     a net to train a best response to: every game is one learner among copies of it
    begun_as    a net to start from, instead of a random one

    Nets are identified by the digest of their file.
    """

    edition: str
    players: int
    games: int = 16_384
    batches: int = 600
    seed: int = 1869
    rate: float = 1e-3
    explore: float = 0.02
    surveyors: float = 0.3
    earlier: float = 0.2
    against: str | None = None
    begun_as: str | None = None


def rate_at(plan: Plan, number: int) -> float:
    """The learning rate: a warm-up over the first hundredth, then a cosine decay."""
    part = number / plan.batches
    falling = 0.05 + 0.95 * (1 + math.cos(math.pi * part)) / 2
    return plan.rate * falling * min(1.0, (number + 1) / (1 + plan.batches / 100))
