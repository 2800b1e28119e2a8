"""The Gymnasium environment of one seat, in many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from lastspike import batch
from lastspike.lab.arena.game_runner import check_seats
from lastspike.lab.research.deals import Chosen, setup_of
from lastspike.lab.research.encoding import Encoder
from lastspike.lab.research.observations import (
    ILLEGAL_REWARD,
    AgentObservation,
    observation_space_of,
)
from lastspike.lab.research.optional_libraries import missing
from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError

from .opponents import Moves, moves_of

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("gymnasium") from error

MOST_DEALS = 1000
"""After this many deals in which the seat is out before its first move, a game is given up."""

Array: TypeAlias = Any


class LastSpikeVectorEnv(VectorEnv[AgentObservation, Array, Array]):
    """`LastSpikeEnv` in many games, on arrays: one step is one move of the seat in each of them.

    The opponents are `greenhorn` and `surveyor`. A game that ends is replaced in the same step:
    what is observed is then the new game, and `infos["final_obs"]` has the last observation of the
    old one. No mask is ever empty. An illegal action ends its game with a reward of -1.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 4,
        seat: Seat = 0,
        opponents: Sequence[str] = ("greenhorn",),
        edition: str | Edition = DEFAULT_EDITION,
        options: Chosen | None = None,
    ) -> None:
        setup = setup_of(edition, players, options)
        if not 0 <= seat < players:
            raise LastSpikeError("no such seat: {seat}", seat=seat)
        self.num_envs = num_envs
        self.seat = seat
        self.encoder = Encoder(setup)
        self.single_observation_space = observation_space_of(self.encoder)
        self.single_action_space = spaces.Discrete(self.encoder.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        names = [opponents] if isinstance(opponents, str) else list(opponents)
        if not names:
            raise ValueError("opponents: name one or more computer players")
        check_seats(names, players - 1)
        others = [other for other in range(players) if other != seat]
        of_seat = {other: names[place % len(names)] for place, other in enumerate(others)}
        self._moves: dict[str, Moves] = {name: moves_of(name, setup) for name in names}
        self._seats = {
            name: [other for other, own in of_seat.items() if own == name] for name in names
        }
        self._state: batch.State | None = None
        self._remix: Array = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[AgentObservation, dict[str, Any]]:
        """New games, up to the seat's first move; the same seed gives the same games."""
        super().reset(seed=seed, options=options)
        self._state, self._remix = self._deal(self.num_envs)
        self._let_others_move(self._state)
        self._replace(self._out(self._state))
        return self._seen(self._games), {}

    def step(self, actions: Array) -> tuple[AgentObservation, Array, Array, Array, dict[str, Any]]:
        """The seat's move in each game, then the opponents' until its next one."""
        board, before = self.encoder.board, self._games
        actions = np.asarray(actions, dtype=np.int32)
        rows = np.arange(self.num_envs)
        legal = batch.legal_actions(board, before, np)
        illegal = ~legal[rows, actions]
        # An illegal action is replaced by a legal one: its game is over anyway.
        played = np.where(illegal, legal.argmax(axis=1), actions)
        self._state = batch.step(board, before, played, self._remix, np)
        self._let_others_move(self._state)
        ended = self._out(self._games) | illegal
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        infos: dict[str, Any] = {}
        if ended.any():
            numbers = np.flatnonzero(ended)
            games = batch.games_of(self._games, numbers)
            won = batch.outcome(board, games, np).winners & games.over[:, None]
            share = won[:, self.seat] / np.maximum(won.sum(axis=1), 1)
            rewards[numbers] = np.where(illegal[numbers], ILLEGAL_REWARD, share)
            infos = self._final(numbers, games)
            self._replace(ended)
        never = np.zeros(self.num_envs, dtype=bool)
        return self._seen(self._games), rewards, ended, never, infos

    @property
    def _games(self) -> batch.State:
        if self._state is None:
            raise RuntimeError("reset() comes first")
        return self._state

    def _seen(self, games: batch.State) -> AgentObservation:
        board = self.encoder.board
        mask = batch.legal_actions(board, games, np)
        mine = (games.turn == self.seat)[:, None]
        # Where it isn't the seat's turn, nothing is legal. No action is played.
        mask = np.where(mask.any(axis=1, keepdims=True) & mine, mask, True)
        seat = np.full(games.games, self.seat)
        return {
            "observation": batch.flat(batch.observe(board, games, seat, np), np),
            "action_mask": mask.astype(np.int8),
        }

    def _final(self, numbers: Array, games: batch.State) -> dict[str, Any]:
        """The last observations of games that ended, as Gymnasium's own vectors give them."""
        seen = self._seen(games)
        final = np.full(self.num_envs, None, dtype=object)
        for place, number in enumerate(numbers):
            final[number] = {name: values[place] for name, values in seen.items()}
        there = np.zeros(self.num_envs, dtype=bool)
        there[numbers] = True
        return {"final_obs": final, "_final_obs": there}

    def _deal(self, games: int) -> tuple[batch.State, Array]:
        board, rng = self.encoder.board, self.np_random
        remix = batch.random_remix(rng, games, board.shape)
        return batch.random_deals(board, games, rng, remix, np), remix

    def _replace(self, over: Array) -> None:
        """New games, up to the seat's first move, for those that are over."""
        for _ in range(MOST_DEALS):
            numbers = np.flatnonzero(over)
            if not len(numbers):
                return
            new, remix = self._deal(len(numbers))
            self._put(numbers, new)
            self._remix[numbers] = remix
            self._let_others_move(self._games)
            over = self._out(self._games)
        raise LastSpikeError(
            "in {edition} seat {seat} never gets to move",
            edition=self.encoder.setup.edition.id,
            seat=self.seat,
        )

    def _let_others_move(self, state: batch.State) -> None:
        """Let the opponents move until the seat's turn, or until it is out."""
        self._state = state
        while True:
            waiting = (self._games.turn != self.seat) & ~self._out(self._games)
            if not waiting.any():
                return
            for name, moves in self._moves.items():
                here = waiting & np.isin(self._games.turn, self._seats[name])
                numbers = np.flatnonzero(here)
                if len(numbers):
                    some = batch.games_of(self._games, numbers)
                    self._put(numbers, moves(some, self._remix[numbers], self.np_random))

    def _put(self, numbers: Array, some: batch.State) -> None:
        """Replace the games of these numbers."""
        arrays = []
        for old, new in zip(self._games, some, strict=True):
            whole = old.copy()
            whole[..., numbers] = new
            arrays.append(whole)
        self._state = batch.State(*arrays)

    def _out(self, state: batch.State) -> Array:
        return state.over | (state.places[self.seat] != batch.NONE)
