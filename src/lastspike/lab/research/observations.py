"""Agents' observations in Gymnasium's spaces, with their legal-action masks."""

from __future__ import annotations

from typing import Any, TypeAlias

from lastspike.rules.board import Seat
from lastspike.rules.position import Position

from .encoding import Encoder
from .optional_libraries import missing

try:
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium") from error

AgentObservation: TypeAlias = dict[str, Any]
"""Two arrays, `observation` and `action_mask`; learning libraries expect these names."""

ILLEGAL_REWARD = -1.0
"""The reward of an illegal action. It ends the game, except in a bare `LastSpikeAEC`."""


def observation_space_of(encoder: Encoder) -> spaces.Space[AgentObservation]:
    """The space of `observation_of`, with finite bounds: -1 means not for sale or hidden."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, encoder.largest, (encoder.features,), np.float32),
            "action_mask": spaces.Box(0, 1, (encoder.actions,), np.int8),
        }
    )


def observation_of(encoder: Encoder, position: Position, seat: Seat) -> AgentObservation:
    """A seat's observation of a position, and its legal actions."""
    return {
        "observation": encoder.observation(position, seat),
        "action_mask": encoder.mask(position, seat),
    }


def table_text(position: Position) -> str:
    """The open table as a line of text, without hidden information."""
    table = position.table
    board = table.board
    hidden_cash = table.setup.options.cash == "hidden" and table.phase != "over"
    cash = "hidden" if hidden_cash else " ".join(f"${cash:,}" for cash in table.cash)
    track = " ".join(board.codes[space] for space in board.spaces_in(table.track)) or "none"
    turn = "over" if table.phase == "over" else f"seat {table.turn} to {table.phase}"
    return f"{turn} | cash {cash} | track {track}"
