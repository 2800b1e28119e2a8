"""A training goes on where it stopped, and comes to the same net."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lastspike.lab.train.plan import Plan
from lastspike.rules.errors import LastSpikeError

from . import needs

pytestmark = needs.JAX


def test_interrupted_or_not_the_net_is_the_same(tmp_path: Path) -> None:
    from lastspike.bots.tycoon.weights import read_net
    from lastspike.lab.train.checkpoint import CHECKPOINT, LOG
    from lastspike.lab.train.training import NET, Progress, train

    plan = Plan("columbia-2015", 2, games=64, batches=4)

    class Interrupted(Exception):
        pass

    def stop_after_two(done: Progress) -> None:
        if done.batch == 1:
            raise Interrupted

    whole = train(plan, tmp_path / "whole", lambda _: None)
    with pytest.raises(Interrupted):
        train(plan, tmp_path / "parts", stop_after_two)
    parts = train(plan, tmp_path / "parts", lambda _: None)
    for one, other in zip(whole.weights + whole.biases, parts.weights + parts.biases, strict=True):
        assert np.array_equal(one, other)
    logs = [(tmp_path / name / LOG).read_text().splitlines() for name in ("whole", "parts")]
    lines = [[json.loads(line) for line in log] for log in logs]
    times = [[line.pop("seconds") for line in log] for log in lines]
    assert all(log[0] > 0 and log == sorted(log) for log in times), "each with its own batch"
    assert lines[0] == lines[1]
    assert [line["batch"] for line in lines[0]] == [0, 1, 2, 3]
    assert read_net((tmp_path / "whole" / NET).read_bytes(), "net", 2).players == 2
    assert (tmp_path / "whole" / CHECKPOINT).exists()
    with pytest.raises(LastSpikeError):
        train(plan._replace(seed=1), tmp_path / "whole", lambda _: None)


def test_a_training_goes_on_from_a_net(tmp_path: Path) -> None:
    from lastspike.lab.train.training import train

    plan = Plan("columbia-2015", 2, games=64, batches=1, rate=0.0)
    one = train(plan, tmp_path / "one", lambda _: None)
    plan = plan._replace(seed=5, begun_as="one")
    other = train(plan, tmp_path / "other", lambda _: None, begun_as=one)
    assert np.allclose(one.weights[0], other.weights[0], atol=1e-5), (
        "with no rate nothing is learnt"
    )
    fresh = train(plan, tmp_path / "fresh", lambda _: None)
    assert not np.allclose(fresh.weights[0], one.weights[0], atol=1e-2)


def test_a_learner_learns(tmp_path: Path) -> None:
    """After a few hundred games it guesses better who will win."""
    from lastspike.lab.train.training import train

    losses: list[float] = []
    plan = Plan("columbia-2015", 2, games=64, batches=10, rate=3e-3)
    train(plan, tmp_path, lambda done: losses.append(done.chance_loss))
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.02
