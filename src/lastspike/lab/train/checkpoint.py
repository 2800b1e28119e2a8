"""The state of a training, and its checkpoint file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from lastspike.bots.tycoon.features import told_on
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import Map
from lastspike.bots.tycoon.weights import NO_NET
from lastspike.rules.errors import LastSpikeError

from .learning import Learner, new_learner
from .plan import Plan

LOG, CHECKPOINT = "log.jsonl", "checkpoint.npz"

EARLIER_NETS = 16
"""About how many earlier nets are kept, spread evenly over the training."""


class Training(NamedTuple):
    """The state of a training after `batch` batches and `seconds` seconds."""

    learner: Learner
    earlier: list[Net]
    batch: int
    seconds: float

    def after(self, plan: Plan, learner: Learner, seconds: float) -> Training:
        """The state after one more batch, which took this many seconds."""
        batch = self.batch + 1
        earlier = self.earlier
        if batch % max(1, plan.batches // EARLIER_NETS) == 0:
            earlier = [*earlier, learner.average]
        return Training(learner, earlier, batch, self.seconds + seconds)


def begin(plan: Plan, table: Map, net: Net | None = None) -> Training:
    key = jax.random.fold_in(jax.random.key(plan.seed), 1 << 30)
    learner = new_learner(told_on(table), 2 * plan.players, key)
    if net is not None:
        net = jax.tree.map(jnp.asarray, net)
        learner = learner._replace(net=net, average=net)
    return Training(learner, [learner.net], 0, 0.0)


def save(training: Training, plan: Plan, folder: Path) -> None:
    """Write the checkpoint atomically."""
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


def resume(plan: Plan, table: Map, folder: Path) -> Training | None:
    """The training in the folder's checkpoint, if there is one; truncates the log to match."""
    path = folder / CHECKPOINT
    if not path.exists():
        (folder / LOG).unlink(missing_ok=True)
        return None
    try:
        with np.load(BytesIO(path.read_bytes())) as kept:
            _check_same(plan, json.loads(str(kept["plan"])), folder)
            training = _training_of(kept, plan, table)
    except NO_NET as error:
        raise LastSpikeError("{path} is damaged: {reason}", path=path, reason=error) from error
    _cut(folder / LOG, training.batch)
    return training


def _check_same(plan: Plan, found: Mapping[str, Any], folder: Path) -> None:
    differing = [name for name, value in plan._asdict().items() if found.get(name) != value]
    if differing:
        raise LastSpikeError(
            "{folder} holds a training run with different settings ({which}); use those "
            "settings, or another folder",
            folder=str(folder),
            which=tuple(differing),
        )


def _training_of(kept: Mapping[str, Any], plan: Plan, table: Map) -> Training:
    begun = begin(plan, table)
    shape = (begun.learner, [begun.learner.net] * int(kept["earlier"]))
    structure = jax.tree.structure(shape)
    leaves = [jnp.asarray(kept[f"leaf{number}"]) for number in range(structure.num_leaves)]
    learner, earlier = jax.tree.unflatten(structure, leaves)
    return Training(learner, earlier, int(kept["batch"]), float(kept["seconds"]))


def _cut(log: Path, lines: int) -> None:
    """Drop the lines after the checkpoint: those batches run again."""
    kept = log.read_text(encoding="utf-8").splitlines(keepends=True)[:lines]
    log.write_text("".join(kept), encoding="utf-8")
