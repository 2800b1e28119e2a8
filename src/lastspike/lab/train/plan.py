"""What a training is made of, and how fast it learns when. Needs no JAX."""

from __future__ import annotations

import math
from typing import NamedTuple


class Plan(NamedTuple):
    """What a training is made of.

    games       in a batch
    batches     in all
    rate        of learning, at the start; it falls to a twentieth of that
    explore     the part of turns drawn by lot
    surveyors   the part of games with Surveyors in them
    earlier     the part of games with an earlier net in them
    against     a net to find the best answer to: all games are then one learner among its like
    begun_as    a net to go on from, instead of one that knows nothing

    Nets go by the digest of their file, wherever it lies.
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
    """Up within the first hundredth, then down along a cosine."""
    part = number / plan.batches
    falling = 0.05 + 0.95 * (1 + math.cos(math.pi * part)) / 2
    return plan.rate * falling * min(1.0, (number + 1) / (1 + plan.batches / 100))
