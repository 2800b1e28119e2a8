"""What everybody at a table is called in a sentence: computers have names too, as in the page."""

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
"""One for each seat, and others if a person has it already. As in `web/js/game/players.js`."""


class Named(Protocol):
    """A seat, with the name of the person who has it, if one does."""

    @property
    def name(self) -> str | None: ...


def names_of(seats: Sequence[Named]) -> list[str]:
    """No computer bears a person's name."""
    taken = {(seat.name or "").casefold() for seat in seats}
    return [
        seat.name or next((each for each in names if each.casefold() not in taken), "")
        for seat, names in zip(seats, COMPUTER_NAMES, strict=False)
    ]
