"""The Last Spike: a railway game, its rules, players and tables.

Every name of `lastspike.rules` can be imported from here too, and is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._moved import install as _install
from .release import VERSION

if TYPE_CHECKING:
    from .rules import *  # noqa: F403

__version__ = VERSION

_FROM_RULES = frozenset(
    {
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
    }
)

_install()


def __getattr__(name: str) -> Any:
    if name in _FROM_RULES:
        return getattr(import_module("lastspike.rules"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_FROM_RULES})
