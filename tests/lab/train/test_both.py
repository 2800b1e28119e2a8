"""Tycoon under `jax.jit`, where its nets learn, sees what it sees in NumPy, where they play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastspike.batch import State, random_deals, random_remix
from lastspike.batch.steps.turn import end_turn
from lastspike.bots.tycoon.lookahead import judged, look, make, worths
from lastspike.bots.tycoon.net_lookup import NetForMap, net_for
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup

from . import needs

pytestmark = needs.JAX

GAMES = 10
EVERY = 3
"""Positions are kept so many turns apart. They lead to thousands, as in a training: what JAX makes
of a sum has depended on how many there are."""


def known(players: int) -> NetForMap:
    """With purses small enough for sales and bankruptcies where the number is odd."""
    raw = shipped().to_figures() | {"id": "other-purses"}
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 14000)
    found = net_for(setup(figures.read(raw) if players % 2 else shipped(), players))
    assert found is not None
    return found


def positions(known: NetForMap) -> State:
    """Of games at random, from the deal to beyond the end."""
    board = known.table.board
    rng = np.random.default_rng(1869)
    remix = random_remix(rng, GAMES, board.shape)
    state = random_deals(board, GAMES, rng, remix, np)
    kept = [state]
    while not state.over.all():
        for _ in range(EVERY):
            seen = look(known.table, state, np)
            lots = np.where(seen.there, rng.random(seen.there.shape), -1)
            after = make(board, state, seen.laid, lots.argmax(axis=1), np)
            state = end_turn(board, after, remix, ~after.over, np)
        kept.append(state)
    return State(*(np.concatenate(values, axis=-1) for values in zip(*kept, strict=True)))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_jax_looks_ahead_as_numpy_does(players: int) -> None:
    import jax
    import jax.numpy as jnp

    table, net = known(players)
    state = positions(NetForMap(table, net))
    assert state.games >= 100
    assert players % 2 == 0 or (state.bankrupt >= 0).any()

    def looked(state: State, xp: Any) -> Any:
        seen = look(table, state, xp)
        verdict = judged(table, net, state, seen, xp)
        return seen, verdict, worths(verdict, seen.there, xp)

    seen, verdict, worth = looked(state, np)
    others = jax.tree.map(np.asarray, jax.jit(lambda given: looked(given, jnp))(state))
    other_seen, other_verdict, other_worth = others
    there = seen.there
    rows = np.flatnonzero(there)
    assert np.array_equal(there, other_seen.there)
    assert np.allclose(seen.told, other_seen.told[rows], atol=1e-5), "NumPy looks at these alone"
    for name, own, other in zip(State._fields, seen.after, other_seen.after, strict=True):
        assert own.dtype == other.dtype, name
        assert np.array_equal(own[..., rows], other[..., rows]), name
    for own, other in zip(verdict, other_verdict, strict=True):
        assert np.allclose(own[there], other[there], atol=1e-4)
    assert np.allclose(worth, other_worth, atol=1e-4)
