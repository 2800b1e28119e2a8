"""The game for OpenSpiel: `pyspiel.load_game("python_lastspike")`, once this module is imported.

Chance is explicit (see `chance_tree.py`), information states have perfect recall, and the return is
the share of the win, which adds up to one. Parameters: `players`, `edition` (the id of a shipped
one) and the options of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from lastspike.batch.arrays import Array
from lastspike.rules.board import Seat
from lastspike.rules.editions.figures import FEWEST_PLAYERS, MOST_PLAYERS
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.outcome import outcome, win_share
from lastspike.rules.position import Position
from lastspike.rules.records.notation import to_text
from lastspike.rules.table import OPTION_VALUES, read_options

from .chance_tree import TreeNode
from .deals import setup_of
from .encoding import Encoder
from .information_state import information_state, observation_text, private_text
from .optional_libraries import missing
from .resampled_history import resampled_chances

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise missing("open_spiel") from error

NAME = "python_lastspike"

DEFAULTS: dict[str, Any] = {
    "players": 4,
    "edition": DEFAULT_EDITION,
    **{name: values[0] for name, values in OPTION_VALUES.items()},
}

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="The Last Spike",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=FEWEST_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=DEFAULTS,
)


class LastSpikeGame(pyspiel.Game):  # type: ignore[misc] # of a library without types
    """The game for a number of players, an edition and options."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        setup = setup_of(chosen["edition"], chosen["players"], read_options(chosen))
        encoder = Encoder(setup)
        tiles = len(setup.board.codes)
        super().__init__(
            GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=encoder.actions,
                max_chance_outcomes=max(tiles, setup.players),
                num_players=setup.players,
                min_utility=0.0,
                max_utility=1.0,
                utility_sum=1.0,
                # Each tile is laid once, each turn buys once, and what is sold was bought.
                max_game_length=3 * tiles,
            ),
            chosen,
        )
        self.setup = setup
        self.encoder = encoder

    def new_initial_state(self) -> LastSpikeState:
        return LastSpikeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The first player, every tile once, and again those that bankrupts return."""
        setup = self.setup
        again = setup.players * (setup.edition.hand_size + 1)
        return 1 + len(setup.board.codes) + again

    def make_py_observer(
        self, kind: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        return Observer(self.encoder, kind, params)


class LastSpikeState(pyspiel.State):  # type: ignore[misc] # of a library without types
    """The state of a game, all of it in the immutable `node`."""

    def __init__(self, game: LastSpikeGame) -> None:
        super().__init__(game)
        self.node = TreeNode(game.setup)

    def current_player(self) -> int:
        if self.node.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.node.by_chance:
            return int(pyspiel.PlayerId.CHANCE)
        assert self.node.position is not None
        return self.node.position.table.turn

    def is_terminal(self) -> bool:
        return self.node.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        possible = self.node.possible
        return [(brought, 1 / len(possible)) for brought in possible]

    def returns(self) -> list[float]:
        """Each seat's share of the win; 0 before the end."""
        seats = range(self.node.setup.players)
        position = self.node.position
        ended = outcome(position.table) if position else None
        return [win_share(ended.winners, seat) if ended else 0.0 for seat in seats]

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> LastSpikeState:
        """A state with the same information state for the player, reached by a legal history; see
        `resampled_history.py`. Only for decision nodes."""
        if self.node.by_chance or self.node.over:
            raise ValueError("nobody is to move")
        chances = iter(resampled_chances(self.node, player, Random(sampler())))
        other: LastSpikeState = self.get_game().new_initial_state()
        for step in self.full_history():
            by_chance = step.player == pyspiel.PlayerId.CHANCE
            other.apply_action(next(chances) if by_chance else step.action)
        return other

    def __str__(self) -> str:
        """The whole state, including hidden information, for debugging."""
        node = self.node
        if node.position is None:
            return f"dealing {' '.join(map(self._dealt, range(len(node.chances))))}".strip()
        drawing = " drawing" if node.by_chance else ""
        return f"{to_text(node.position)}{drawing}"

    def _legal_actions(self, _player: Seat) -> list[int]:
        encoder: Encoder = self.get_game().encoder
        assert self.node.position is not None
        return encoder.legal(self.node.position)

    def _apply_action(self, action: int) -> None:
        if self.node.by_chance:
            self.node = self.node.after_chance(action)
        else:
            self.node = self.node.after_move(self.get_game().encoder.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(self.get_game().encoder.move(action))
        if not self.node.chances:
            return f"first {action}"
        return f"draw {self.node.setup.board.codes[action]}"

    def _dealt(self, place: int) -> str:
        brought = self.node.chances[place]
        return self.node.setup.board.codes[brought] if place else f"first {brought}"


class Observer:
    """Observations as a tensor in the layout of `docs/batch.md` and as text: a player's view, the
    public part, or the player's private part. With perfect recall, text only."""

    def __init__(self, encoder: Encoder, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observation has no parameters: {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("no observation holds what is each player's own")
        self._public = bool(kind.public_info)
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(kind.perfect_recall)
        if not self._public and (self._recall or not self._own):
            raise ValueError(
                "without what is public, an observation is what is the player's own now"
            )
        self._encoder = encoder
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if not self._recall:
            self._name_parts()

    def set_from(self, state: LastSpikeState, player: Seat) -> None:
        """Fill the tensor; all zeros during the deal."""
        if self.tensor is None:
            return
        position = state.node.position
        if position is None:
            self.tensor[:] = 0
        elif self._public:
            self.tensor[:] = self._encoder.observation(position, player if self._own else None)
        else:
            self._set_own(position, player)

    def string_from(self, state: LastSpikeState, player: Seat) -> str:
        if not self._public:
            return private_text(state.node, player)
        viewer = player if self._own else None
        return (information_state if self._recall else observation_text)(state.node, viewer)

    def _set_own(self, position: Position, player: Seat) -> None:
        """Fill in the private parts; the first seat of an observation is the viewer's."""
        seen = self._encoder.parts([position], [player])
        own = {"hand": seen.hands[0, 0], "cash": seen.cash[0, 0]}
        for name, part in self.dict.items():
            part[:] = own[name]

    def _name_parts(self) -> None:
        """Make `dict` hold the named parts of the tensor, as views of it."""
        shapes = self._encoder.part_shapes if self._public else self._own_shapes()
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        begin = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            self.dict[name] = self.tensor[begin : begin + size].reshape(shape)
            begin += size

    def _own_shapes(self) -> dict[str, tuple[int, ...]]:
        """The private parts: hand and cash, if hidden from others."""
        options = self._encoder.setup.options
        shapes: dict[str, tuple[int, ...]] = {}
        if options.hands == "hidden":
            shapes["hand"] = (self._encoder.shape.spaces,)
        if options.cash == "hidden":
            shapes["cash"] = (1,)
        return shapes


pyspiel.register_game(GAME_TYPE, LastSpikeGame)
