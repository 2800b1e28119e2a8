"""Evaluates a trained net in games without exploration or learning."""

from __future__ import annotations

import jax
import numpy as np

from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import map_of
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup

from .plan import Plan
from .selfplay import EARLIER, LEARNER, SURVEYOR, games_on


def trial(plan: Plan, net: Net, rival: Net | None, games: int) -> list[float]:
    """The win shares of one net among Surveyors (or copies of `rival`), and of one of those among
    copies of the net."""
    table = map_of(setup(shipped(plan.edition), plan.players))
    play = games_on(table, 0.0)
    other = SURVEYOR if rival is None else EARLIER
    found = []
    for alone, rest in ((LEARNER, other), (other, LEARNER)):
        who = np.full((games, plan.players), rest)
        seat = np.arange(games) % plan.players
        who[np.arange(games), seat] = alone
        played = play(net, rival or net, who, jax.random.key(plan.seed + 1))
        shares = np.asarray(played.shares)[np.arange(games), seat]
        found.append(float(shares.mean()))
    return found
