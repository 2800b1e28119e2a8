#!/usr/bin/env python3
"""A plain PPO that learns the game from nothing, in minutes, with NumPy alone.

    python examples/ppo.py                    # learns at tables of two to six, and writes ppo.npz
    lastspike arena examples/ppo.py:PPO clerk --players 3 --deals 50
    lastspike benchmark examples/ppo.py:PPO

It plays against itself: one small network in all seats, with a policy head over the actions and a
value head for the share of the win. Nothing is tuned for this game; it is a baseline to beat.
An update takes two to three seconds on one core. The same seed and number of updates give the same
network, apart from rounding.
"""

from __future__ import annotations

import argparse
import time
from functools import cache
from pathlib import Path

import numpy as np

from lastspike import batch
from lastspike.bots.player import ComputerPlayer
from lastspike.lab.research.encoding import Encoder
from lastspike.lab.research.environments import pure
from lastspike.rules import Move, View, setup, shipped

NET = Path(__file__).with_name("ppo.npz")

GAMES = 500  # at once, in equal parts with two to six players
STEPS = 100  # of each game, between two updates
HIDDEN = 128
EPOCHS, MINIBATCHES = 3, 8
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 7e-4, 0.2, 0.95, 0.01, 0.5

Net = dict[str, np.ndarray]


class PPO(ComputerPlayer):
    """Plays the likeliest action of the network in `ppo.npz`, beside this file."""

    level = "ppo"

    def choose(self, view: View) -> Move:
        encoder = _encoder(view.table.setup)
        seen, mask = encoder.seen(view)
        logits, _, _ = forward(_net(NET), seen[None])
        return encoder.move(int(np.where(mask, logits[0], -np.inf).argmax()))


@cache
def _net(path: Path) -> Net:
    return dict(np.load(path))


@cache
def _encoder(table) -> Encoder:
    return Encoder(table, tables()[0].shape)


def tables() -> list[batch.Board]:
    """The boards for two to six players, padded to one shape: one network serves them all."""
    setups = [setup(shipped(), players) for players in range(2, 7)]
    shape = batch.shape_of(setups)
    return [batch.board_of(each, shape) for each in setups]


# The network: two hidden layers, logits and a value.


def new_net(features: int, actions: int, rng: np.random.Generator) -> Net:
    def layer(size: int, to: int, scale: float) -> np.ndarray:
        return (rng.normal(size=(size, to)) * scale / np.sqrt(size)).astype(np.float32)

    return {
        "w1": layer(features, HIDDEN, 1.4),
        "b1": np.zeros(HIDDEN, np.float32),
        "w2": layer(HIDDEN, HIDDEN, 1.4),
        "b2": np.zeros(HIDDEN, np.float32),
        "w3": layer(HIDDEN, actions + 1, 0.1),
        "b3": np.zeros(actions + 1, np.float32),
        "mean": np.zeros(features, np.float32),
        "scale": np.ones(features, np.float32),
    }


def forward(net: Net, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Logits, values, and the layers for `backward`."""
    x = (seen - net["mean"]) * net["scale"]
    h1 = np.maximum(x @ net["w1"] + net["b1"], 0)
    h2 = np.maximum(h1 @ net["w2"] + net["b2"], 0)
    out = h2 @ net["w3"] + net["b3"]
    return out[:, :-1], out[:, -1], [x, h1, h2]


def backward(net: Net, layers: list[np.ndarray], out: np.ndarray) -> Net:
    """The gradient, given that of logits and value."""
    x, h1, h2 = layers
    of_h2 = out @ net["w3"].T * (h2 > 0)
    of_h1 = of_h2 @ net["w2"].T * (h1 > 0)
    return {
        "w3": h2.T @ out,
        "b3": out.sum(axis=0),
        "w2": h1.T @ of_h2,
        "b2": of_h2.sum(axis=0),
        "w1": x.T @ of_h1,
        "b1": of_h1.sum(axis=0),
    }


def chances(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The policy: a softmax over the legal actions."""
    logits = np.where(mask, logits, -1e9)
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


# Learning.


class Adam:
    def __init__(self, net: Net) -> None:
        self.first = {name: np.zeros_like(value) for name, value in net.items()}
        self.second = {name: np.zeros_like(value) for name, value in net.items()}
        self.count = 0

    def update(self, net: Net, gradient: Net, rate: float) -> None:
        self.count += 1
        norm = np.sqrt(sum(float((value**2).sum()) for value in gradient.values()))
        for name, value in gradient.items():
            value = value * min(1.0, 0.5 / (norm + 1e-8))
            self.first[name] += 0.1 * (value - self.first[name])
            self.second[name] += 0.001 * (value**2 - self.second[name])
            first = self.first[name] / (1 - 0.9**self.count)
            second = self.second[name] / (1 - 0.999**self.count)
            net[name] -= rate * first / (np.sqrt(second) + 1e-5)


def advantages(
    seats: np.ndarray, values: np.ndarray, rewards: np.ndarray, over: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """[steps, games] twice: generalized advantages from each seat's decision to its own next one,
    and where there is one, or the end of the game, within these steps."""
    steps, games = values.shape
    rows = np.arange(games)
    shape = rewards.shape[1:]
    next_value, next_advantage = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    due, known = np.zeros(shape, np.float32), np.zeros(shape, bool)
    found, there = np.zeros_like(values), np.zeros(values.shape, bool)
    for step in reversed(range(steps)):
        ended = over[step]
        next_value[ended] = next_advantage[ended] = 0
        due[ended], known[ended] = rewards[step][ended], True
        seat = seats[step]
        delta = due[rows, seat] + next_value[rows, seat] - values[step]
        there[step] = known[rows, seat]
        found[step] = np.where(there[step], delta + LAMBDA * next_advantage[rows, seat], 0)
        next_value[rows, seat], next_advantage[rows, seat] = values[step], found[step]
        due[rows, seat], known[rows, seat] = 0, True
    return found, there


def learn(updates: int, seed: int, tell=print, games: int = GAMES, steps: int = STEPS) -> Net:
    """Self-play and an update, this many times; each time the steps of learning become smaller."""
    rng = np.random.default_rng(seed)
    of_players = tables()
    board = batch.stack([of_players[game % len(of_players)] for game in range(games)])
    net = new_net(batch.feature_count(board.shape), batch.action_count(board.shape), rng)
    adam = Adam(net)
    table = pure.init(board, games, rng, np)
    rows = np.arange(games)
    begun, decisions, ended = time.process_time(), 0, 0
    for update in range(updates):
        kept = []
        for _ in range(steps):
            seen = pure.observe(board, table, np)
            if not decisions and not kept:
                net["mean"], net["scale"] = seen.mean(axis=0), 1 / (seen.std(axis=0) + 1)
            mask, seat = table.legal_action_mask, table.current_player
            logits, value, _ = forward(net, seen)
            policy = chances(logits, mask)
            lots = rng.random((games, 1), dtype=np.float32)
            # Past the sum by rounding, or at 0.0, there may be an illegal action: take a legal one.
            action = (policy.cumsum(axis=1) < lots).sum(axis=1).clip(max=mask.shape[1] - 1)
            action = np.where(mask[rows, action], action, mask.argmax(axis=1)).astype(np.int32)
            table = pure.step_and_reset(board, table, action, rng, np)
            chance = policy[rows, action]
            kept.append((seen, mask, action, chance, value, seat, table.rewards, table.terminated))
        stacked = map(np.stack, zip(*kept, strict=True))
        seen, mask, action, chance, value, seat, rewards, over = stacked
        advantage, there = advantages(seat, value, rewards, over)
        goal = (advantage + value)[there]
        own = advantage[there]
        own = (own - own.mean()) / (own.std() + 1e-8)
        whole = (seen[there], mask[there], action[there], chance[there], own, goal)
        left = max(0.1, 1 - update / updates)
        for _ in range(EPOCHS):
            for some in np.array_split(rng.permutation(len(goal)), MINIBATCHES):
                adam.update(net, gradient(net, *(part[some] for part in whole)), RATE * left)
        decisions += games * steps
        ended += int(over.sum())
        spent = time.process_time() - begun
        tell(f"{spent:5.0f} s  {decisions:,} decisions  {ended:,} games")
    return net


def gradient(
    net: Net,
    seen: np.ndarray,
    mask: np.ndarray,
    action: np.ndarray,
    before: np.ndarray,
    advantage: np.ndarray,
    goal: np.ndarray,
) -> Net:
    """Of PPO's clipped loss, the squared error of the value, and the entropy."""
    logits, value, layers = forward(net, seen)
    policy = chances(logits, mask)
    rows = np.arange(len(goal))
    ratio = policy[rows, action] / before
    clipped = ((advantage > 0) & (ratio > 1 + CLIP)) | ((advantage < 0) & (ratio < 1 - CLIP))
    push = np.where(clipped, 0, advantage * ratio)[:, None]
    chosen = np.zeros_like(policy)
    chosen[rows, action] = 1
    of_logits = push * (policy - chosen)
    logs = np.log(policy + 1e-9)
    entropy = -(policy * logs).sum(axis=1, keepdims=True)
    of_logits += ENTROPY * policy * (logs + entropy)
    of_value = 2 * VALUE * (value - goal)[:, None]
    out = np.concatenate([of_logits, of_value], axis=1).astype(np.float32) / len(goal)
    return backward(net, layers, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1869)
    parser.add_argument("--out", type=Path, default=NET)
    given = parser.parse_args()
    np.savez_compressed(given.out, **learn(given.updates, given.seed))


if __name__ == "__main__":
    main()
