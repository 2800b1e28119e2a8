"""The Gymnasium environment: the agent has one seat, computer players the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from lastspike._moved import renamed
from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.levels import LEVELS, check_players, make_player
from lastspike.bots.player import ComputerPlayer
from lastspike.lab.arena.game_runner import Fault, Seated, check_seats
from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError, MoveError
from lastspike.rules.game import Game
from lastspike.rules.outcome import win_share

from .deals import Chosen, Deals, setup_of
from .encoding import Encoder
from .environments.registration import ID as ID
from .environments.registration import register
from .observations import (
    ILLEGAL_REWARD,
    AgentObservation,
    observation_of,
    observation_space_of,
    table_text,
)
from .optional_libraries import missing

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium") from error

MOST_DEALS = 1000
"""After this many deals in which the seat is out before its first move, `reset` raises."""

Action: TypeAlias = np.int64 | int


class LastSpikeEnv(gymnasium.Env[AgentObservation, Action]):
    """One step is one move; a turn may take several. Opponents move in between.

    `opponents` are names of computer players, who take the other seats in turn. The only reward is
    the seat's share of the win; a bankruptcy ends the episode without one. An illegal action ends
    the episode, and `info["illegal"]` names the rule. `info["faults"]` lists opponents' faults.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        players: int = 4,
        seat: Seat = 0,
        opponents: Sequence[str] = ("clerk",),
        edition: str | Edition = DEFAULT_EDITION,
        options: Chosen | None = None,
        render_mode: str | None = None,
    ) -> None:
        setup = setup_of(edition, players, options)
        if not 0 <= seat < players:
            raise LastSpikeError("no such seat: {seat}", seat=seat)
        self.encoder = Encoder(setup)
        self.observation_space = observation_space_of(self.encoder)
        self.action_space = spaces.Discrete(self.encoder.actions)
        self.render_mode = render_mode
        self.seat = seat
        others = [other for other in range(players) if other != seat]
        names = [opponents] if isinstance(opponents, str) else list(opponents)
        if not names:
            raise ValueError("opponents: name one or more computer players")
        check_seats(names, len(others))
        check_players(names)  # fail on an unknown name now, not during a game
        self._names = {other: names[place % len(names)] for place, other in enumerate(others)}
        self._others: dict[Seat, Seated | ComputerPlayer] = {}
        self._deals = Deals(setup)
        self._game: Game | None = None
        self._over = True

    @property
    def game(self) -> Game:
        """The game itself, including hidden information; not for agents."""
        if self._game is None:
            raise RuntimeError("reset() comes first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[AgentObservation, dict[str, Any]]:
        """A new game, up to the seat's first move; a seed gives the deal of `simulate`."""
        super().reset(seed=seed, options=options)
        for _ in range(MOST_DEALS):
            self._begin(self._deals.next(seed))
            self._over = self._out()
            if not self._over:
                return self._seen(), self._info()
            seed = None
        raise LastSpikeError(
            "in {edition} seat {seat} never gets to move",
            edition=self.game.setup.edition.id,
            seat=self.seat,
        )

    def step(self, action: Action) -> tuple[AgentObservation, float, bool, bool, dict[str, Any]]:
        """The seat's move, then the opponents' until the seat's next one."""
        if self._over:
            raise RuntimeError("the episode is over: reset() comes first")
        try:
            self.game.play(self.encoder.move(int(action)))
        except MoveError as error:
            self._over = True
            return self._seen(), ILLEGAL_REWARD, True, False, self._info(illegal=str(error))
        self._let_others_move()
        self._over = self._out()
        ended = self.game.outcome
        reward = win_share(ended.winners, self.seat) if ended else 0.0
        return self._seen(), reward, self._over, False, self._info()

    def render(self) -> str | None:
        """The open table as a line of text."""
        return table_text(self.game.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End whatever the computer players have started."""
        while self._others:
            self._others.popitem()[1].close()

    def _begin(self, game: Game) -> None:
        self.close()
        self._game = game
        for seat, name in self._names.items():
            seed = self._deals.player_seed(seat)
            # The built-in players make no faults, and are quicker without a guard.
            self._others[seat] = make_player(name, seed) if name in LEVELS else Seated(name, seed)
        self._let_others_move()

    def _let_others_move(self) -> None:
        """Let the opponents move until the seat's turn, or until it is out."""
        game = self.game
        while not self._out() and (turn := game.turn) is not None and turn != self.seat:
            other = self._others[turn]
            if isinstance(other, Greenhorn):  # it needs no view, which takes most of the time
                game.play(other.random.choice(game.legal_moves))
                continue
            for move in other.turn(game.view(turn)):
                game.play(move)

    def _out(self) -> bool:
        return self.game.over or not self.game.position.table.in_game(self.seat)

    def _info(self, **more: Any) -> dict[str, Any]:
        faults = [
            Fault(seat, what)
            for seat, other in self._others.items()
            if isinstance(other, Seated)
            for what in other.faults
        ]
        return {**more, **({"faults": faults} if faults else {})}

    def _seen(self) -> AgentObservation:
        return observation_of(self.encoder, self.game.position, self.seat)


register()
__getattr__ = renamed(__name__, OneSeat="LastSpikeEnv")
