"""What everybody at a table is called in a sentence: computers have names too, the page's own."""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.server.table.state import SeatState

COMPUTER_NAMES = (
    ("Otto", "Hugo", "Amos"),
    ("Mabel", "Edna", "Nell"),
    ("Jules", "Silas", "Émile"),
    ("Flora", "Ada", "Inês"),
    ("Theo", "Rufus", "Kenji"),
    ("Rosa", "Hazel", "Hana"),
)
"""For each seat one, and others for where a person has it already. As in `web/js/people.js`."""


def names_of(seats: Sequence[SeatState]) -> list[str]:
    """No computer bears a person's name."""
    taken = {(seat.name or "").casefold() for seat in seats}
    return [
        seat.name or next((each for each in names if each.casefold() not in taken), "")
        for seat, names in zip(seats, COMPUTER_NAMES, strict=False)
    ]
