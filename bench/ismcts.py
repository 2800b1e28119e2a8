"""OpenSpiel's ISMCTS in the benchmark of `docs/benchmark.md`.

    python bench/ismcts.py --simulations 20 [--opponent surveyor] [--players 2] [--deals 10]

It plays the same deals from the same seats as `lastspike benchmark`, with the deal and every draw
taken from there. The bot gets OpenSpiel's state of the game and looks at its own information state
only: it resamples what it can't see, and plays each sample out at random. Prints its share of the
wins with a 95% interval, and its CPU time per move.
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from rich.console import Console
from rich.progress import track

from lastspike.bots.levels import make_player
from lastspike.lab.arena.match import player_seed
from lastspike.lab.arena.statistics import share_interval
from lastspike.lab.benchmark.protocol import DEALS, Row
from lastspike.lab.research.openspiel import NAME
from lastspike.rules import Event, Game, Stream, seed_of_series, setup, shipped
from lastspike.rules.events import TileDrawn
from lastspike.rules.outcome import win_share

UCT = 1.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=20, help="for each move")
    parser.add_argument("--opponent", choices=list(DEALS), default="surveyor")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=10)
    given = parser.parse_args()
    row = Row(given.opponent, given.players, min(given.deals, DEALS[given.opponent]))
    shares: list[float] = []
    seconds: list[float] = []
    watched = Console(stderr=True)
    deals = track(range(row.deals), "Playing", console=watched, disable=not watched.is_terminal)
    for deal in deals:
        games = [play(row, deal, seat, given.simulations, seconds) for seat in range(row.players)]
        shares.append(fmean(games))
    found = share_interval(shares)
    print(
        f"ISMCTS, {given.simulations} simulations, among {row.opponent}s, {row.players} players: "
        f"{found.mean:.1%} ({found.low:.1%} - {found.high:.1%}), fair {1 / row.players:.1%}, "
        f"{row.deals} deals, {fmean(seconds):.2f} s a move"
    )


def play(row: Row, deal: int, own: int, simulations: int, seconds: list[float]) -> float:
    """The bot's share of the win in one game, from this seat."""
    game = Game.shuffled(setup(shipped(), row.players), Stream(seed_of_series(row.seed, deal)))
    opened = pyspiel.load_game(NAME, {"players": row.players})
    luck = np.random.RandomState(random.Random(f"{row.seed}/{deal}/{own}").getrandbits(32))
    bot = ISMCTSBot(
        opened,
        RandomRolloutEvaluator(random_state=luck),
        uct_c=UCT,
        max_simulations=simulations,
        random_state=luck,
    )
    others = {
        seat: make_player(row.opponent, player_seed(row.seed, deal, own, seat))
        for seat in range(row.players)
        if seat != own
    }
    state = dealt(opened, game)
    while (turn := game.turn) is not None:
        if turn == own:
            begun = process_time()
            chosen = [game.setup.board.parse(state.action_to_string(turn, bot.step(state)))]
            seconds.append(process_time() - begun)
        else:
            chosen = others[turn].turn(game.view(turn))
        for move in chosen:
            state.apply_action(opened.encoder.action(move))
            follow(state, game, game.play(move))
    ended = game.outcome
    assert ended is not None
    return win_share(ended.winners, own)


def dealt(opened: Any, game: Game) -> Any:
    """OpenSpiel's state after the deal of the game."""
    state = opened.new_initial_state()
    state.apply_action(game.deal.first)
    for tile in (*game.deal.aside, *(tile for hand in game.deal.hands for tile in hand)):
        state.apply_action(tile)
    return state


def follow(state: Any, game: Game, events: list[Event]) -> None:
    """Draw in OpenSpiel what was drawn in the game."""
    for event in events:
        if isinstance(event, TileDrawn):
            assert event.tile is not None
            state.apply_action(game.setup.board.space_of[event.tile])


if __name__ == "__main__":
    main()
