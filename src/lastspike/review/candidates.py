"""The turns that a review looks at: the few that seem best beforehand, and the one played.

Where Tycoon has a net it says what every turn is worth; its word is as good as many playouts.
Elsewhere they are the turns that Speculator would look at, in Surveyor's order.
"""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.bots.speculator import PRIOR_WORLDS, TURNS, turns_worth_a_look
from lastspike.bots.tycoon.player import turns_by_net
from lastspike.rules.moves import Move
from lastspike.rules.view import View

from .legal_turns import effect_of

NET_WORLDS = 30.0
"""What the net thinks of a turn counts like so many worlds in which it was borne out."""


class Candidate:
    """A turn that is looked at, what was thought of it beforehand, and how it did."""

    def __init__(self, moves: Sequence[Move], thought: float, trust: float) -> None:
        self.moves = list(moves)
        self.thought = thought
        self.trust = trust
        self.worlds = 0
        self.points = 0.0

    @property
    def estimate(self) -> float:
        """The mean of what it scored and what was thought, which counts less the more worlds."""
        return (self.points + self.trust * self.thought) / (self.worlds + self.trust)


def candidates_for(view: View, played: Sequence[Move]) -> tuple[Candidate, list[Candidate]]:
    """The turn that was played, and the others; none of them comes to the same as that."""
    known = _by_net(view) or _by_surveyor(view)
    effect = effect_of(view, played)
    own = Candidate(played, _thought_of(played, known), known[0].trust)
    others = [other for other in known[:TURNS] if effect_of(view, other.moves) != effect]
    return own, others


def _by_net(view: View) -> list[Candidate]:
    return [Candidate(moves, worth, NET_WORLDS) for moves, worth in turns_by_net(view) or []]


def _by_surveyor(view: View) -> list[Candidate]:
    return [Candidate(c.moves, c.prior, PRIOR_WORLDS) for c in turns_worth_a_look(view)]


def _thought_of(played: Sequence[Move], known: Sequence[Candidate]) -> float:
    """What was thought of the turn with this tile and purchase, whatever it sells; of the least of
    all if it is not among them."""
    wanted = _but_sales(played)
    same = (candidate for candidate in known if _but_sales(candidate.moves) == wanted)
    return next(same, known[-1]).thought


def _but_sales(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.kind != "sell"]
