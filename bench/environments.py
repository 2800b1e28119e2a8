"""The research environments on one core: `python bench/environments.py [--games N] [--at-once N]`.

Prints the time of one observation with its mask, and random games a second in each environment.
Actions are chosen at random from those allowed, and every figure includes choosing them. All
environments give an observation and a mask at each step, except the pure one, which gives a mask.
In Gymnasium the agent has one seat of four. The best of three runs counts, in CPU time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import Any

import gymnasium
import numpy as np

from lastspike import Game, batch, setup, shipped
from lastspike.lab.research.encoding import Encoder
from lastspike.lab.research.environments import pure
from lastspike.lab.research.gymnasium_env import ID
from lastspike.lab.research.pettingzoo_env import LastSpikeAEC, env

PLAYERS = 4
RUNS = 3
VECTOR_STEPS = 60
PURE_STEPS = 150
"""Steps that are measured, about two or three games, after as many others: by then the games are
at different stages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60, help="games of each run")
    parser.add_argument("--at-once", type=int, default=1024, help="games in a vector")
    given = parser.parse_args()
    games, at_once = given.games, given.at_once
    print(f"one observation and mask: {1e6 * best(lambda: observing(games)):.1f} µs")
    for name, play in (
        ("PettingZoo, with its wrappers", lambda: pettingzoo(env(players=PLAYERS), games)),
        ("PettingZoo, LastSpikeAEC alone", lambda: pettingzoo(LastSpikeAEC(PLAYERS), games)),
        ("Gymnasium, one seat of four, against Greenhorns", lambda: one_seat(games)),
        (f"make_vec, {at_once:,} games, against Greenhorns", lambda: vector("greenhorn", at_once)),
        (f"make_vec, {at_once:,} games, against Surveyors", lambda: vector("surveyor", at_once)),
        (f"pure functions, {at_once:,} games", lambda: pure_functions(at_once)),
        (f"pure functions, {8 * at_once:,} games", lambda: pure_functions(8 * at_once)),
    ):
        print(f"{name}: {1 / best(play):,.0f} games a second", flush=True)


def best(run: Callable[[], float]) -> float:
    return min(run() for _ in range(RUNS))


def observing(games: int) -> float:
    """Seconds for one observation and mask, legal moves included."""
    rng = np.random.default_rng(7)
    positions = []
    for number in range(games):
        game = Game.new(PLAYERS, f"{number}")
        while not game.over:
            positions.append(game.position.copy())
            game.play(game.legal_moves[rng.integers(len(game.legal_moves))])
    encoder = Encoder(setup(shipped(), PLAYERS))
    began = process_time()
    for position in positions:
        encoder.observation(position, position.table.turn)
        encoder.mask(position, position.table.turn)
    return (process_time() - began) / len(positions)


def pettingzoo(table: Any, games: int) -> float:
    """Seconds for a game."""
    rng = np.random.default_rng(7)
    table.reset(seed=7)
    began = process_time()
    for _ in range(games):
        for _agent in table.agent_iter():
            seen, _, terminated, truncated, _ = table.last()
            over = terminated or truncated
            table.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        table.reset()
    return (process_time() - began) / games


def one_seat(games: int) -> float:
    """Seconds for an episode."""
    rng = np.random.default_rng(7)
    seat: Any = gymnasium.make(ID, players=PLAYERS, opponents=["greenhorn"])
    seen, _ = seat.reset(seed=7)
    began = process_time()
    for _ in range(games):
        over = False
        while not over:
            seen, _, over, _, _ = seat.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        seen, _ = seat.reset()
    return (process_time() - began) / games


def vector(opponent: str, at_once: int) -> float:
    """Seconds for an episode."""
    rng = np.random.default_rng(7)
    games: Any = gymnasium.make_vec(ID, num_envs=at_once, players=PLAYERS, opponents=[opponent])
    seen, _ = games.reset(seed=7)
    ended, began = 0, 0.0
    for step in range(2 * VECTOR_STEPS):
        if step == VECTOR_STEPS:
            ended, began = 0, process_time()
        seen, _, over, _, _ = games.step(batch.random_actions(seen["action_mask"], rng, np))
        ended += int(over.sum())
    return (process_time() - began) / ended


def pure_functions(at_once: int) -> float:
    """Seconds for a game."""
    board = batch.board_of(setup(shipped(), PLAYERS))
    rng = np.random.default_rng(7)
    steps = pure.init(board, at_once, rng, np)
    ended, began = 0, 0.0
    for step in range(2 * PURE_STEPS):
        if step == PURE_STEPS:
            ended, began = 0, process_time()
        action = batch.random_actions(steps.legal_action_mask, rng, np)
        steps = pure.step_and_reset(board, steps, action, rng, np)
        ended += int(steps.terminated.sum())
    return (process_time() - began) / ended


if __name__ == "__main__":
    main()
