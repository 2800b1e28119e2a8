"""Plays a whole game at a table, in all of my seats, composing each turn with previews."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lastspike.protocol import Previewed

from .errors import RefusedError
from .table import Table

Choose = Callable[[Mapping[str, Any], Sequence[str], Previewed | None], str]
"""Chooses the next move from the view, the legal moves, and the preview of the turn's moves so far
(None for the first)."""


def choose_first(_view: Mapping[str, Any], legal: Sequence[str], _preview: Previewed | None) -> str:
    """Take the first legal move: the simplest player."""
    return legal[0]


async def play_to_end(
    table: Table, choose: Choose = choose_first, *, patience: float | None = None
) -> None:
    """Play until the game is over or the table is closed. Wait up to `patience` seconds for other
    players' turns, forever by default."""
    while True:
        await table.until(lambda table: table.over or table.my_turn, patience)
        if table.over:
            return
        number = table.turn_number
        try:
            await play_turn(table, choose)
        except RefusedError:
            if table.turn_number == number and table.my_turn:
                raise
            # Another device or a stand-in made the turn.


async def play_turn(table: Table, choose: Choose = choose_first) -> int:
    """Make the current turn of a seat of mine; returns the number of its step."""
    if table.looking != table.to_move:
        await table.look(table.to_move)
    view = table.view
    assert view is not None
    number, legal = table.turn_number, view["legal"]
    moves: list[str] = []
    preview: Previewed | None = None
    while legal:
        moves.append(choose(view, legal, preview))
        preview = await table.preview(moves)
        legal = () if preview.turn_over else preview.legal
    return await table.turn(moves, number)
