"""`examples/ppo.py`: an outsider's algorithm learns on the pure environment, and plays."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastspike import Game, batch

FILE = Path(__file__).parents[4] / "examples" / "ppo.py"


@pytest.fixture(scope="module")
def ppo() -> Any:
    spec = spec_from_file_location("ppo_example", FILE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_it_learns_and_then_plays_at_every_table(
    ppo: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    net = ppo.learn(2, seed=1, tell=told.append, games=20, steps=45)
    assert len(told) == 2
    assert "1,800 decisions" in told[1]
    again = ppo.learn(2, seed=1, tell=told.append, games=20, steps=45)
    assert all(np.array_equal(net[name], again[name]) for name in net)
    np.savez(tmp_path / "ppo.npz", **net)
    monkeypatch.setattr(ppo, "NET", tmp_path / "ppo.npz")
    for players in (2, 6):
        game = Game.new(players, "ppo")
        player = ppo.PPO("seed")
        while (seat := game.turn) is not None:
            for move in player.turn(game.view(seat)):
                game.play(move)
        assert game.over


def test_the_gradient_is_that_of_the_loss(ppo: Any) -> None:
    """Against differences, for weights of every layer."""
    rng = np.random.default_rng(2)
    features, actions, size = 6, 5, 40
    net = {
        name: value.astype(np.float64)
        for name, value in ppo.new_net(features, actions, rng).items()
    }
    net["w3"] *= 5
    seen = rng.normal(size=(size, features))
    mask = rng.random((size, actions)) < 0.7
    action = rng.integers(actions, size=size)
    mask[np.arange(size), action] = True
    rows = np.arange(size)
    logits, _, _ = ppo.forward(net, seen)
    before = ppo.chances(logits, mask)[rows, action] * rng.uniform(0.7, 1.4, size)
    advantage, goal = rng.normal(size=size), rng.normal(size=size)

    def loss() -> float:
        logits, value, _ = ppo.forward(net, seen)
        policy = ppo.chances(logits, mask)
        ratio = policy[rows, action] / before
        clipped = np.clip(ratio, 1 - ppo.CLIP, 1 + ppo.CLIP)
        gain = np.minimum(ratio * advantage, clipped * advantage)
        entropy = -(policy * np.log(policy + 1e-9)).sum(axis=1)
        loss = -gain - ppo.ENTROPY * entropy + ppo.VALUE * (value - goal) ** 2
        return float(loss.mean())

    found = ppo.gradient(net, seen, mask, action, before, advantage, goal)
    for name in ("w1", "b1", "w2", "b2", "w3", "b3"):
        flat = net[name].reshape(-1)
        for place in rng.choice(flat.size, size=min(6, flat.size), replace=False):
            step, kept = 1e-5, flat[place]
            flat[place] = kept + step
            above = loss()
            flat[place] = kept - step
            difference = (above - loss()) / (2 * step)
            flat[place] = kept
            own = found[name].reshape(-1)[place]
            assert own == pytest.approx(difference, rel=0.02, abs=2e-5), name


def test_an_advantage_runs_from_a_decision_to_the_seat_s_next_one(ppo: Any) -> None:
    seats = np.array([[0], [1], [0], [1]])
    values = np.array([[0.5], [0.25], [0.75], [0.5]], np.float32)
    rewards = np.zeros((4, 1, 2), np.float32)
    over = np.zeros((4, 1), bool)
    found, there = ppo.advantages(seats, values, rewards, over)
    assert there[:, 0].tolist() == [True, True, False, False]
    assert found[0, 0] == pytest.approx(0.25)
    assert found[1, 0] == pytest.approx(0.25)
    rewards[3, 0] = [0, 1]
    over[3] = True
    found, there = ppo.advantages(seats, values, rewards, over)
    assert there.all()
    assert found[3, 0] == pytest.approx(1 - 0.5)
    assert found[2, 0] == pytest.approx(0 - 0.75)
    assert found[1, 0] == pytest.approx(0.25 + ppo.LAMBDA * 0.5)
    assert found[0, 0] == pytest.approx(0.25 - ppo.LAMBDA * 0.75)


def test_one_network_serves_all_tables(ppo: Any) -> None:
    boards = ppo.tables()
    assert len({board.shape for board in boards}) == 1
    assert batch.feature_count(boards[0].shape) == 880
