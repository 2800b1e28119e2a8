"""The value of a position to a seat: the chance to win, plus a little for the lead."""

from __future__ import annotations

from lastspike.batch import NONE, Board, State, outcome
from lastspike.batch.arrays import Array, ArrayModule, as_array

FULL_LEAD = 50.0
"""The final lead, in thousands and either sign, at which its value is capped."""

LEAD_SHARE = 0.05
"""The value of a capped lead; a win is 1. It matters in games that are nearly decided."""


def worth(chance: Array, lead: Array) -> Array:
    return as_array(chance + LEAD_SHARE * lead)


def exact(board: Board, state: State, xp: ArrayModule) -> tuple[Array, Array]:
    """[games, seats] twice, for finished games: each seat's share of the win, and its lead."""
    winners = outcome(board, state, xp).winners.astype(xp.float32)
    shares = winners / winners.sum(axis=1)[:, None]
    in_game = state.bankrupt == NONE
    leads = []
    for seat in range(state.seats):
        others = [other for other in range(state.seats) if other != seat]
        best = xp.where(in_game, state.cash, 0)[:, others].max(axis=1)
        leads.append((state.cash[:, seat] - best)[:, None] / FULL_LEAD)
    capped = xp.minimum(xp.maximum(xp.concatenate(leads, axis=1), -1.0), 1.0)
    return as_array(shares), capped.astype(xp.float32)
