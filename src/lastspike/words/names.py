"""Names of the players in a sentence: a person's own, or one for a computer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

COMPUTER_NAMES = (
    ("Otto", "Hugo", "Amos"),
    ("Mabel", "Edna", "Nell"),
    ("Jules", "Silas", "Émile"),
    ("Flora", "Ada", "Inês"),
    ("Theo", "Rufus", "Kenji"),
    ("Rosa", "Hazel", "Hana"),
)
"""By seat: the first name that no person at the table has. Same as in `web/js/game/players.js`."""


class Named(Protocol):
    """A seat; `name` is None if a computer plays it."""

    @property
    def name(self) -> str | None: ...


def names_of(seats: Sequence[Named]) -> list[str]:
    """The name of each seat; no computer gets a person's name."""
    taken = {(seat.name or "").casefold() for seat in seats}
    return [
        seat.name or next((each for each in names if each.casefold() not in taken), "")
        for seat, names in zip(seats, COMPUTER_NAMES, strict=False)
    ]
