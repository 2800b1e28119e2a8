"""The trace of a game: what lies open after the deal and after each move, an object each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lastspike.rules.game import Game
from lastspike.rules.position import Position, legal_moves
from lastspike.rules.view import table_to_json


def trace(game: Game) -> Iterator[dict[str, Any]]:
    """Replay a game and tell its open table and legal moves from the deal on."""
    again = game.again()
    yield _line(None, None, again.position)
    for move in game.moves:
        seat = again.turn
        again.play(move)
        yield _line(move.text, seat, again.position)


def _line(move: str | None, seat: int | None, position: Position) -> dict[str, Any]:
    legal = [move.text for move in legal_moves(position)]
    return {"move": move, "seat": seat, **table_to_json(position.table), "legal": legal}
