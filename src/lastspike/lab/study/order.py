"""The order of play: what it is worth to be first, second and so on."""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.lab.arena.statistics import Interval, share_interval

from .notes import Note


def wins_in_order(notes: Sequence[Note], players: int) -> tuple[Interval, ...]:
    """The share of the wins of each place in the order of play, the first player's at the front.

    One of k winners has 1/k of a win.
    """
    return tuple(
        share_interval([_share(note, (note.first + place) % players) for note in notes])
        for place in range(players)
    )


def _share(note: Note, seat: int) -> float:
    winners = note.outcome.winners
    return 1 / len(winners) if seat in winners else 0.0
