"""Other people's game engines, each playing one random game, for bench/engine.py to stand beside.

A peer that is not installed is simply not available; `pip install -e '.[bench]'` brings them all.
Each is used as its own documentation shows, in its quickest ordinary form, and builds whatever can
outlive a game (environments, loaded games, players) once. What is counted is what players do: the
cards that OpenSpiel has dealt as chance moves are not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Peer(Protocol):
    """An engine that can play a whole game by itself."""

    @property
    def name(self) -> str:
        """The engine and the game it plays, for the table."""

    @property
    def includes(self) -> str:
        """What a game includes beside moves chosen at random, for the table."""

    def available(self) -> bool:
        """Whether the package is installed and loads. Loads it, so that no game pays for that."""

    def play(self, rng: random.Random) -> int:
        """Play one random game to its end and return the number of moves."""


def pick(moves: Sequence[T], rng: random.Random) -> T:
    """One of `moves`, each as likely as the other; the cheapest way, for our engine and theirs."""
    return moves[int(rng.random() * len(moves))]


class PythonChess:
    """Chess. Ends as the rules end it by themselves, five repetitions and 75 moves included."""

    name = "python-chess"
    includes = "checks, endings"

    def available(self) -> bool:
        return _loads("chess")

    def play(self, rng: random.Random) -> int:
        board = self._chess.Board()
        count = 0
        while True:
            moves = list(board.legal_moves)
            # The same endings as is_game_over(), which would generate the legal moves again:
            # a sixth of the time saved, so this is the stricter comparison.
            if (
                not moves
                or board.is_insufficient_material()
                or board.halfmove_clock >= 150
                or board.is_fivefold_repetition()
            ):
                return count
            board.push(pick(moves, rng))
            count += 1

    @cached_property
    def _chess(self) -> Any:
        return import_module("chess")


class OpenSpielHearts:
    """Hearts for four, a C++ engine stepped from Python, its chance nodes too.

    Each card that is dealt is drawn from the chance outcomes with their weights, as for any game,
    or from the legal actions: in hearts they are equally likely, and that is quicker.
    """

    def __init__(self, *, by_weight: bool = True, observed: bool = False) -> None:
        self._by_weight = by_weight
        self._observed = observed

    @property
    def name(self) -> str:
        if self._observed:
            return "OpenSpiel hearts, observed"
        return "OpenSpiel hearts" if self._by_weight else "OpenSpiel hearts, unweighted"

    @property
    def includes(self) -> str:
        chance = "the deal by chance outcomes" if self._by_weight else "the deal by legal actions"
        seen = ", an information tensor and a mask a move" if self._observed else ""
        return f"checks, {chance}{seen}"

    def available(self) -> bool:
        return _loads("pyspiel")

    def play(self, rng: random.Random) -> int:
        state = self._game.new_initial_state()
        count = 0
        while not state.is_terminal():
            if state.is_chance_node() and self._by_weight:
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            elif state.is_chance_node():
                state.apply_action(pick(state.legal_actions(), rng))
            else:
                if self._observed:
                    state.information_state_tensor()
                    state.legal_actions_mask()
                state.apply_action(pick(state.legal_actions(), rng))
                count += 1
        return count

    @cached_property
    def _game(self) -> Any:
        return import_module("pyspiel").load_game("hearts")


class RLCardUno:
    """UNO for two, through the environment that agents are trained on."""

    name = "RLCard uno"
    includes = "checks, an observation a move, the whole record"

    def available(self) -> bool:
        return _loads("rlcard")

    def play(self, rng: random.Random) -> int:
        env = self._env
        env.seed(rng.getrandbits(31))
        state, _ = env.reset()
        count = 0
        while not env.is_over():
            state, _ = env.step(pick(list(state["legal_actions"]), rng))
            count += 1
        return count

    @cached_property
    def _env(self) -> Any:
        return import_module("rlcard").make("uno")


class Catanatron:
    """Catan for four of its own random players, stopped by itself after 1,000 turns.

    It rolls its dice with Python's global generator, which it seeds from the number given here.
    """

    name = "Catanatron"
    includes = "checks, the whole record, its own players"

    def available(self) -> bool:
        return _loads("catanatron")

    def play(self, rng: random.Random) -> int:
        game = self._catanatron.Game(self._players, seed=1 + rng.getrandbits(31))
        game.play()
        return len(game.state.actions)

    @cached_property
    def _catanatron(self) -> Any:
        return import_module("catanatron")

    @cached_property
    def _players(self) -> list[Any]:
        return [self._catanatron.RandomPlayer(color) for color in self._catanatron.Color]


PEERS: tuple[Peer, ...] = (
    PythonChess(),
    OpenSpielHearts(),
    OpenSpielHearts(by_weight=False),
    OpenSpielHearts(by_weight=False, observed=True),
    RLCardUno(),
    Catanatron(),
)


def _loads(module: str) -> bool:
    try:
        import_module(module)
    except ImportError:
        return False
    return True
