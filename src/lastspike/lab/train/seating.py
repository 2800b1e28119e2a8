"""Assigns players to the seats of a batch's games."""

from __future__ import annotations

from typing import Any

import numpy as np

from .plan import Plan
from .selfplay import EARLIER, LEARNER, SURVEYOR


def seating(plan: Plan, rng: np.random.Generator) -> Any:
    """[games, seats]: LEARNER, EARLIER or SURVEYOR."""
    games, seats = plan.games, plan.players
    rows = np.arange(games)
    who = np.full((games, seats), LEARNER)
    alone = rng.integers(seats, size=games)
    if plan.against is not None:
        who[:] = EARLIER
        who[rows, alone] = LEARNER
        return who
    part = (rows + 0.5) / games
    surveyors = part < plan.surveyors
    lonely = surveyors & (part < plan.surveyors / 2)
    who[lonely] = SURVEYOR
    who[lonely, alone[lonely]] = LEARNER
    one = surveyors & ~lonely
    who[one, alone[one]] = SURVEYOR
    earlier = ~surveyors & (part < plan.surveyors + plan.earlier)
    some = rng.random((games, seats)) < 0.5
    who[some & earlier[:, None]] = EARLIER
    who[earlier, alone[earlier]] = LEARNER
    return who
