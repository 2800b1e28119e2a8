"""The training loop: play a batch of games, learn from it, log, and save checkpoints.

The same plan gives the same net on the same kind of device, even after an interruption.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import jax
import numpy as np

from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import map_of
from lastspike.bots.tycoon.weights import write_net
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup

from .checkpoint import LOG, begin, resume, save
from .learning import Learner, Losses, learn
from .plan import Plan, rate_at
from .seating import seating
from .selfplay import EARLIER, LEARNER, SURVEYOR, games_on

NET = "net.npz"


class Progress(NamedTuple):
    """A line of the log.

    learner, surveyor   the win share of one learner among Surveyors, and of one Surveyor among
                        learners, in the games of the batch; or of the learner among those it
                        learns to answer
    """

    batch: int
    games: int
    seconds: float
    chance_loss: float
    lead_loss: float
    turns: float
    learner: float
    surveyor: float


Tell = Callable[[Progress], None]


def train(
    plan: Plan, folder: Path, tell: Tell, against: Net | None = None, begun_as: Net | None = None
) -> Net:
    """Train to the end of the plan, resuming from the folder's checkpoint if there is one.
    `against` and `begun_as` are the nets that the plan names."""
    table = map_of(setup(shipped(plan.edition), plan.players))
    folder.mkdir(parents=True, exist_ok=True)
    training = resume(plan, table, folder) or begin(plan, table, begun_as)
    play = games_on(table, plan.explore)

    @jax.jit  # type: ignore[untyped-decorator]
    def batch(learner: Learner, rival: Net, who: Any, key: Any, rate: Any) -> Any:
        for_games, for_order = jax.random.split(key)
        played = play(learner.net, rival, who, for_games)
        learner, losses = learn(learner, played, rate, for_order)
        return learner, losses, played.shares, played.turns

    with (folder / LOG).open("a", encoding="utf-8") as log:
        for number in range(training.batch, plan.batches):
            began = monotonic()
            rng = np.random.default_rng([plan.seed, number])
            who = seating(plan, rng)
            past = training.earlier
            rival = against or past[int(rng.integers(len(past)))]
            key = jax.random.fold_in(jax.random.key(plan.seed), number)
            learner, losses, shares, turns = jax.block_until_ready(
                batch(training.learner, rival, who, key, rate_at(plan, number))
            )
            training = training.after(plan, learner, monotonic() - began)
            progress = _progress(plan, number, who, losses, shares, turns, training.seconds)
            log.write(json.dumps(progress._asdict()) + "\n")
            log.flush()
            if training.batch % max(1, plan.batches // 20) == 0:
                save(training, plan, folder)
            tell(progress)
    net = Net(*jax.tree.map(np.asarray, training.learner.average))
    write_net(folder / NET, net, plan.edition)
    return net


def _progress(
    plan: Plan, number: int, who: Any, losses: Losses, shares: Any, turns: Any, seconds: float
) -> Progress:
    shares = np.asarray(shares)
    learners = (who == LEARNER).sum(axis=1)
    rivals = EARLIER if plan.against is not None else SURVEYOR
    others = (who == rivals).sum(axis=1)
    alone = (learners == 1) & (others == plan.players - 1)
    one = (others == 1) & (learners == plan.players - 1) & ~(alone & (plan.players > 2))
    mine = shares[alone][who[alone] == LEARNER]
    theirs = shares[one][who[one] == rivals]
    return Progress(
        batch=number,
        games=(number + 1) * plan.games,
        seconds=round(seconds, 1),
        chance_loss=round(float(losses.chances), 4),
        lead_loss=round(float(losses.leads), 4),
        turns=round(float(turns) / plan.games, 2),
        learner=round(float(mine.mean()) if len(mine) else 0.0, 4),
        surveyor=round(float(theirs.mean()) if len(theirs) else 0.0, 4),
    )
