"""The game itself: editions, the open table, hidden hands, moves, play, views, shuffle, records.

Standard library only, and no input or output beyond reading an edition or a record. What most
users need can be imported from here; each module's own names stay there.
"""

from .editions.edition import Edition
from .editions.shipped import from_toml, shipped, shipped_ids
from .errors import (
    EditionError,
    IllegalMove,
    LastSpikeError,
    MoveError,
    PositionError,
    RecordError,
    UnknownMove,
    WrongType,
)
from .events import Event
from .game import Game
from .moves import Move
from .outcome import Outcome, outcome
from .position import Position, advance, legal_moves, play, start
from .records.notation import from_text, to_text
from .records.record import Record, Shuffle, read_record, read_records, to_record
from .records.shuffle import Stream, deal, seed_of_series, seed_of_text
from .table import Options, Setup, Table, setup
from .view import Preview, View, preview, resample, view_of

__all__ = [
    "Edition",
    "EditionError",
    "Event",
    "Game",
    "IllegalMove",
    "LastSpikeError",
    "Move",
    "MoveError",
    "Options",
    "Outcome",
    "Position",
    "PositionError",
    "Preview",
    "Record",
    "RecordError",
    "Setup",
    "Shuffle",
    "Stream",
    "Table",
    "UnknownMove",
    "View",
    "WrongType",
    "advance",
    "deal",
    "from_text",
    "from_toml",
    "legal_moves",
    "outcome",
    "play",
    "preview",
    "read_record",
    "read_records",
    "resample",
    "seed_of_series",
    "seed_of_text",
    "setup",
    "shipped",
    "shipped_ids",
    "start",
    "to_record",
    "to_text",
    "view_of",
]
