"""A training: batches of games, each learnt from at once, with a log and a checkpoint in a folder.

The same plan gives the same net, interrupted or not, on the same kind of device.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import Map, map_of
from lastspike.bots.tycoon.weights import feature_count, write_net
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.shipped import shipped
from lastspike.rules.table import setup

from .learning import Learner, Losses, learn, new_learner
from .selfplay import EARLIER, LEARNER, SURVEYOR, games_on

LOG, CHECKPOINT, NET = "log.jsonl", "checkpoint.npz", "net.npz"

EARLIER_NETS = 16
"""About how many are kept by the end of a training, evenly over it."""


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
    """Train to the end of the plan, going on where the folder's checkpoint stands. The nets are
    those that the plan names."""
    table = map_of(setup(shipped(plan.edition), plan.players))
    folder.mkdir(parents=True, exist_ok=True)
    training = _resume(plan, table, folder) or _begin(plan, table, begun_as)
    play = games_on(table, plan.explore)
    seconds = training.seconds

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
            learner, losses, shares, turns = batch(
                training.learner, rival, who, key, _rate(plan, number)
            )
            progress = _progress(plan, number, who, losses, shares, turns, seconds)
            seconds += monotonic() - began
            log.write(json.dumps(progress._asdict()) + "\n")
            log.flush()
            training = _after(training, plan, learner, number + 1, seconds)
            if (number + 1) % max(1, plan.batches // 20) == 0:
                _save(training, plan, folder)
            tell(progress)
    net = Net(*jax.tree.map(np.asarray, training.learner.average))
    write_net(folder / NET, net, plan.edition)
    return net


def trial(plan: Plan, net: Net, rival: Net | None, games: int) -> list[float]:
    """The win shares of the net alone among Surveyors (or among `rival`s), and of one of those
    among such nets."""
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


def seating(plan: Plan, rng: np.random.Generator) -> Any:
    """[games, seats]: who plays."""
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


class _Training(NamedTuple):
    learner: Learner
    earlier: list[Net]
    batch: int
    seconds: float


def _begin(plan: Plan, table: Map, net: Net | None = None) -> _Training:
    key = jax.random.fold_in(jax.random.key(plan.seed), 1 << 30)
    learner = new_learner(feature_count(table), plan.players, key)
    if net is not None:
        net = jax.tree.map(jnp.asarray, net)
        learner = learner._replace(net=net, average=net)
    return _Training(learner, [learner.net], 0, 0.0)


def _after(old: _Training, plan: Plan, learner: Learner, batch: int, seconds: float) -> _Training:
    earlier = old.earlier
    if batch % max(1, plan.batches // EARLIER_NETS) == 0:
        earlier = [*earlier, learner.average]
    return _Training(learner, earlier, batch, seconds)


def _rate(plan: Plan, number: int) -> float:
    """Up within the first hundredth, then down along a cosine."""
    part = number / plan.batches
    falling = 0.05 + 0.95 * (1 + math.cos(math.pi * part)) / 2
    return plan.rate * falling * min(1.0, (number + 1) / (1 + plan.batches / 100))


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


def _save(training: _Training, plan: Plan, folder: Path) -> None:
    """Whole or not at all."""
    leaves = jax.tree.leaves((training.learner, training.earlier))
    part = folder / f".{CHECKPOINT}.part"
    with part.open("wb") as file:
        kept = {f"leaf{number}": np.asarray(leaf) for number, leaf in enumerate(leaves)}
        kept["plan"] = np.array(json.dumps(plan._asdict()))
        kept["batch"] = np.array(training.batch)
        kept["seconds"] = np.array(training.seconds)
        kept["earlier"] = np.array(len(training.earlier))
        np.savez(file, allow_pickle=False, **kept)
        file.flush()
        os.fsync(file.fileno())
    part.replace(folder / CHECKPOINT)


def _resume(plan: Plan, table: Map, folder: Path) -> _Training | None:
    path = folder / CHECKPOINT
    if not path.exists():
        (folder / LOG).unlink(missing_ok=True)
        return None
    with np.load(path) as kept:
        if Plan(**json.loads(str(kept["plan"]))) != plan:
            raise LastSpikeError("{folder} holds another training", folder=str(folder))
        begun = _begin(plan, table)
        shape = (begun.learner, [begun.learner.net] * int(kept["earlier"]))
        structure = jax.tree.structure(shape)
        leaves = [jnp.asarray(kept[f"leaf{number}"]) for number in range(structure.num_leaves)]
        learner, earlier = jax.tree.unflatten(structure, leaves)
        batch = int(kept["batch"])
        _cut(folder / LOG, batch)
        return _Training(learner, earlier, batch, float(kept["seconds"]))


def _cut(log: Path, lines: int) -> None:
    """What was logged after the checkpoint is done again."""
    kept = log.read_text(encoding="utf-8").splitlines(keepends=True)[:lines]
    log.write_text("".join(kept), encoding="utf-8")
