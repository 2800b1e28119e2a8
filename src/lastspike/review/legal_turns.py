"""All legal whole turns, and which of them have the same effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lastspike.rules.moves import Move
from lastspike.rules.view import View, preview

Effect = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Track, land and cash after a turn; the order of sales does not matter."""


def effect_of(view: View, moves: Sequence[Move]) -> Effect:
    table = preview(view, moves).table
    return table.track, tuple(table.land), tuple(table.cash)


def is_forced(view: View) -> bool:
    """Whether all legal turns have the same effect."""
    effects = set()
    for moves in legal_turns(view):
        effects.add(effect_of(view, moves))
        if len(effects) > 1:
            return False
    return True


def legal_turns(view: View, begun: tuple[Move, ...] = ()) -> Iterator[tuple[Move, ...]]:
    """Every legal way to play the viewer's turn."""
    ahead = preview(view, begun)
    if ahead.turn_over:
        yield begun
        return
    for move in ahead.legal_moves:
        yield from legal_turns(view, (*begun, move))
