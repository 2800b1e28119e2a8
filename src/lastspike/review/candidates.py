"""The candidate turns of a review: the most promising ones, and the one played.

Tycoon's net ranks the turns where there is one; its value is as good as many playouts. Otherwise
the candidates are Speculator's, in Surveyor's order.
"""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.bots.speculator import PRIOR_WORLDS, TURNS, turns_worth_a_look
from lastspike.bots.tycoon.player import turns_by_net
from lastspike.rules.moves import Move
from lastspike.rules.view import View

from .legal_turns import effect_of

NET_WORLDS = 30.0
"""The net's value of a turn weighs as much as this number of worlds."""


class Candidate:
    """A turn, its prior value with the prior's weight in worlds, and its playout results."""

    def __init__(self, moves: Sequence[Move], prior: float, trust: float) -> None:
        self.moves = list(moves)
        self.prior = prior
        self.trust = trust
        self.worlds = 0
        self.points = 0.0

    @property
    def estimate(self) -> float:
        """The mean of the results and the prior."""
        return (self.points + self.trust * self.prior) / (self.worlds + self.trust)


def candidates_for(view: View, played: Sequence[Move]) -> tuple[Candidate, list[Candidate]]:
    """The turn that was played, and the others whose effect differs from it."""
    known = _by_net(view) or _by_surveyor(view)
    effect = effect_of(view, played)
    own = Candidate(played, _prior_of(played, known), known[0].trust)
    others = [other for other in known[:TURNS] if effect_of(view, other.moves) != effect]
    return own, others


def _by_net(view: View) -> list[Candidate]:
    return [Candidate(moves, worth, NET_WORLDS) for moves, worth in turns_by_net(view) or []]


def _by_surveyor(view: View) -> list[Candidate]:
    return [Candidate(c.moves, c.prior, PRIOR_WORLDS) for c in turns_worth_a_look(view)]


def _prior_of(played: Sequence[Move], known: Sequence[Candidate]) -> float:
    """The prior of the turn with this tile and purchase, whatever it sells; the lowest prior if
    there is none."""
    wanted = _without_sales(played)
    same = (candidate for candidate in known if _without_sales(candidate.moves) == wanted)
    return next(same, known[-1]).prior


def _without_sales(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.kind != "sell"]
