"""Small matches, and results made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from lastspike.lab.arena.match import Deal, Result, Settings
from lastspike.rules.editions.shipped import shipped


def settings(*names: str, **more: Any) -> Settings:
    """A small match between these, four to a game."""
    return Settings(
        **{
            "names": names,
            "players": 4,
            "deals": 3,
            "seed": "arena",
            "edition": shipped(),
            **more,
        }
    )


def result(ranks: Sequence[int], line_up: Sequence[int], **more: Any) -> Result:
    """A game that ended in these ranks."""
    return Result(
        **{
            "line_up": tuple(line_up),
            "first": 0,
            "turns": 40,
            "reason": "last spike",
            "ranks": tuple(ranks),
            "cash": tuple(10_000 * (9 - rank) for rank in ranks),
            "bankrupt": (),
            "last_spike": 0,
            "faults": (),
            "own_turns": (10,) * len(line_up),
            **more,
        }
    )


def deal(number: int, *games: Result, players: int = 2) -> Deal:
    return Deal(number, games, tuple(Counter() for _ in range(players)))


def without_times(deals: Sequence[Deal]) -> list[tuple[int, tuple[Result, ...]]]:
    """What must be the same at every run."""
    return [(deal.number, deal.games) for deal in deals]
