"""The research environments on one core: `python bench/environments.py [--games N]`.

Prints one table: the time of one observation with its mask, and random games a second in each
environment. A game is played to its end by random legal actions, and every figure includes the
observation and the mask of each step, and choosing the action. In Gymnasium the agent has one seat
of four, and Greenhorns have the others. The best of three runs counts, in CPU time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import Any

import gymnasium
import numpy as np

from lastspike import Game, setup, shipped
from lastspike.lab.research.encoding import Encoder
from lastspike.lab.research.gymnasium_env import ID
from lastspike.lab.research.pettingzoo_env import LastSpikeAEC, env

PLAYERS = 4
RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60, help="games of each run")
    games = parser.parse_args().games
    print(f"one observation and mask: {1e6 * best(lambda: observing(games)):.1f} µs")
    for name, play in (
        ("PettingZoo, with its wrappers", lambda: pettingzoo(env(players=PLAYERS), games)),
        ("PettingZoo, LastSpikeAEC alone", lambda: pettingzoo(LastSpikeAEC(PLAYERS), games)),
        ("Gymnasium, one seat of four", lambda: one_seat(games)),
    ):
        print(f"{name}: {1 / best(play):.0f} games a second")


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


if __name__ == "__main__":
    main()
