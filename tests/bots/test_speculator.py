"""Speculator: in which worlds it tries its turns."""

from __future__ import annotations

import pytest

from lastspike.bots import speculator
from lastspike.bots.speculator import Candidate, Speculator
from lastspike.rules.position import Position

from .helpers import one_view


def test_every_world_is_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each world is one of its own, and all turns that are still looked at are tried in it."""
    worlds: list[tuple[tuple[int, ...], ...]] = []

    def play_in(world: Position, candidate: Candidate, mixing: int) -> None:
        worlds.append(tuple(tuple(sorted(hand)) for hand in world.hidden.hands))
        candidate.worlds += 1

    monkeypatch.setattr(speculator, "_play_in", play_in)
    game, seat = one_view()
    Speculator("seed", playouts=40).turn(game.view(seat))
    assert len(worlds) > 30
    assert len(set(worlds)) >= 10
    assert all(worlds.count(world) >= 2 for world in worlds)
