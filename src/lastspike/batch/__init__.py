"""The batch engine: the same rules over arrays of games, for NumPy and JAX.

Each module corresponds to the one of its name in `rules`. See `docs/batch.md`.
"""

from .actions import ACTIONS_VERSION, action_count, action_of, move_of
from .board import Board, Shape, board_of, shape_of, stack
from .dealing import from_deals, random_deals
from .exchange import from_positions, remix_in_order, remix_of, to_positions
from .luck import random_actions, random_numbers, random_remix, split
from .observation import OBSERVATION_VERSION, Observation, feature_count, flat, observe
from .outcome import REASONS, Outcome, outcome
from .state import BUY, LAY, NONE, OVER, RAISE, State, hand_of
from .steps.turn import legal_actions, step
from .subset import games_of

__all__ = [
    "ACTIONS_VERSION",
    "BUY",
    "LAY",
    "NONE",
    "OBSERVATION_VERSION",
    "OVER",
    "RAISE",
    "REASONS",
    "Board",
    "Observation",
    "Outcome",
    "Shape",
    "State",
    "action_count",
    "action_of",
    "board_of",
    "feature_count",
    "flat",
    "from_deals",
    "from_positions",
    "games_of",
    "hand_of",
    "legal_actions",
    "move_of",
    "observe",
    "outcome",
    "random_actions",
    "random_deals",
    "random_numbers",
    "random_remix",
    "remix_in_order",
    "remix_of",
    "shape_of",
    "split",
    "stack",
    "step",
    "to_positions",
]
