"""The PettingZoo environment: every seat is an agent."""

from __future__ import annotations

from typing import Any, TypeAlias

from lastspike._moved import renamed
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.game import Game
from lastspike.rules.outcome import win_share

from .deals import Chosen, Deals, setup_of
from .encoding import Encoder
from .observations import (
    ILLEGAL_REWARD,
    AgentObservation,
    observation_of,
    observation_space_of,
    table_text,
)
from .optional_libraries import missing

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import (
        AssertOutOfBoundsWrapper,
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )
except ImportError as error:
    raise missing("pettingzoo") from error

Agent: TypeAlias = str
Action: TypeAlias = int | None
"""None is the action of an agent that is out."""


def env(**how: Any) -> AECEnv[Agent, AgentObservation, Action]:
    """The environment with PettingZoo's wrappers: an illegal action ends the game for all, and
    misuse raises. Takes the arguments of `LastSpikeAEC`."""
    guarded = TerminateIllegalWrapper(LastSpikeAEC(**how), ILLEGAL_REWARD)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(guarded))


def parallel_env(**how: Any) -> ParallelEnv[Agent, AgentObservation, Action]:
    """The parallel version: only the action of the agent whose turn it is counts."""
    return turn_based_aec_to_parallel(env(**how))


class LastSpikeAEC(AECEnv[Agent, AgentObservation, Action]):  # type: ignore[misc] # PettingZoo has no types
    """Agents are `seat_0` and so on. One step is one move; a turn may take several.

    A bankrupt agent is out at once. The only reward is an agent's share of the win at the end. An
    illegal action raises and changes nothing.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's own way
        "name": "lastspike_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 4,
        edition: str | Edition = DEFAULT_EDITION,
        options: Chosen | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        setup = setup_of(edition, players, options)
        self.encoder = Encoder(setup)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seen = {agent: observation_space_of(self.encoder) for agent in self.possible_agents}
        self._actions = {
            agent: spaces.Discrete(self.encoder.actions) for agent in self.possible_agents
        }
        self._deals = Deals(setup)
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game itself, including hidden information; not for agents."""
        if self._game is None:
            raise RuntimeError("reset() comes first")
        return self._game

    def observation_space(self, agent: Agent) -> spaces.Space[AgentObservation]:
        return self._seen[agent]

    def action_space(self, agent: Agent) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game; with a seed, game 0 of the series of that seed."""
        self._game = self._deals.next(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._out = 0
        self._pass_on()

    def observe(self, agent: Agent) -> AgentObservation:
        """An agent's observation; only the agent to move has legal actions."""
        return observation_of(self.encoder, self.game.position, self._seats[agent])

    def step(self, action: Action) -> None:
        """Make the current agent's move; `IllegalMove` if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is for agents that are out")
        self.game.play(self.encoder.move(action))
        self._pass_on()

    def render(self) -> str | None:
        """The open table as a line of text."""
        return table_text(self.game.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to close."""

    def _pass_on(self) -> None:
        """Update terminations, rewards and the current agent."""
        table = self.game.position.table
        self.agent_selection = self.possible_agents[table.turn]
        out = len(table.bankrupt)
        if out == self._out and table.phase != "over":
            return  # nobody has left, and nobody has won anything
        self._out = out
        ended = self.game.outcome
        for agent in self.agents:
            seat = self._seats[agent]
            self.terminations[agent] = ended is not None or not table.in_game(seat)
            if ended is not None:
                self.rewards[agent] = win_share(ended.winners, seat)
        self._accumulate_rewards()
        self._deads_step_first()


__getattr__ = renamed(__name__, EverySeat="LastSpikeAEC")
