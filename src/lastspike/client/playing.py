"""Plays a whole game through a table: all seats of mine, each turn composed with previews."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lastspike.protocol import Previewed

from .errors import RefusedError
from .table import Table

Choose = Callable[[Mapping[str, Any], Sequence[str], Previewed | None], str]
"""Of the view, the moves that may come next and what those before would bring (None for the first
of a turn), the next move."""


def choose_first(_view: Mapping[str, Any], legal: Sequence[str], _preview: Previewed | None) -> str:
    """Whatever comes first: the simplest player there is."""
    return legal[0]


async def play_to_end(
    table: Table, choose: Choose = choose_first, *, patience: float | None = None
) -> None:
    """Play until the game is over or the table closed. What others do may take `patience` seconds
    a turn, for ever by default."""
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
            # It was made on another device, or by a computer while the line was lost.


async def play_turn(table: Table, choose: Choose = choose_first) -> int:
    """Make the turn that a seat of mine has now; returns the number of its step."""
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
