"""Judging a turn by what its player knew: the view then, and nothing else.

What the player could not see is dealt anew for every world, as Speculator does it, and all turns
that are looked at (`candidates.py`) are played out in the same worlds. The best of the others is
chosen, by what was thought of it beforehand and Speculator's measure of how it did, in some worlds;
by how much it wins more often than the one played is found out in new worlds. In the same ones the
best would be the luckiest as well, and every turn would seem to have lost something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import msgspec

from lastspike.bots.explain.explainer import explain
from lastspike.bots.explain.reasons import Reason, WinsNow
from lastspike.bots.speculator import MARGIN, MARGIN_SHARE, result_for
from lastspike.rules.moves import Move
from lastspike.rules.position import Position
from lastspike.rules.view import View, resample

from .candidates import Candidate, candidates_for
from .estimates import Estimate, estimate
from .legal_turns import is_forced
from .policy import Fortune, new_fortune, play_on


class Judgement(msgspec.Struct, frozen=True):
    """What was found out about a turn; moves by their texts.

    forced    there was nothing to choose: all legal turns came to the same
    computer  what seems best, beforehand and in the worlds that were for choosing
    other     the best turn but the one played; that one, if nothing else was worth a look
    lead      by how much more often `other` wins than what was played, and the error of that
    closely   whether it is among the turns that were looked at closely
    loss      the lead, if the turn lost that much for certain. None if it is less than twice its
              error, or if the turn was only screened: of so many turns with so few worlds each,
              one would be blamed by luck
    reasons   what speaks for `other`
    """

    forced: bool
    computer: tuple[str, ...]
    other: tuple[str, ...]
    lead: Estimate
    closely: bool
    loss: Estimate | None
    reasons: tuple[Reason, ...]


class TurnJudge:
    """Judges one turn, from the player's view of its beginning. Each stage has its own worlds."""

    def __init__(self, view: View, played: tuple[Move, ...], seed: str) -> None:
        self.view = view
        self.seed = seed
        self.forced = is_forced(view)
        self._played = Candidate(played, 0.0, 0.0)
        self._others: list[Candidate] = []
        if not self.forced:
            self._played, self._others = candidates_for(view, played)

    def choose(self, stage: str, worlds: int) -> None:
        """Learn which of the other turns is best, and how it compares, in so many worlds more."""
        rng = Random(f"{self.seed}/{stage}")
        for _ in range(worlds):
            world, fortune = resample(self.view, rng), new_fortune(rng)
            for candidate in (self._played, *self._others):
                _play_in(world, fortune, candidate)

    @property
    def candidates(self) -> int:
        """How many turns are looked at, the one played included."""
        return 1 + len(self._others)

    @property
    def swing(self) -> float:
        """How much better the best other turn seems, from what `choose` learnt and what was thought
        beforehand. It tells where to look closely, and is told to nobody."""
        if not self._others:
            return -math.inf
        return _best(self._others).estimate - self._played.estimate

    def judge(self, stage: str, worlds: int, closely: bool) -> Judgement:
        """The lead of the best other turn over the one played, in so many new worlds."""
        if not self._others:
            return self._nothing_else()
        other = _best(self._others)
        rng = Random(f"{self.seed}/{stage}")
        leads = []
        for _ in range(worlds):
            world, fortune = resample(self.view, rng), new_fortune(rng)
            won, _ = _end_of(world, fortune, other)
            played, _ = _end_of(world, fortune, self._played)
            leads.append(won - played)
        lead = estimate(leads)
        return Judgement(
            forced=False,
            computer=_texts(_best([self._played, *self._others])),
            other=_texts(other),
            lead=lead,
            closely=closely,
            loss=lead if closely and lead.clear else None,
            reasons=reasons_for(self.view, other.moves),
        )

    def _nothing_else(self) -> Judgement:
        moves = _texts(self._played)
        reasons = () if self.forced else reasons_for(self.view, self._played.moves)
        return Judgement(self.forced, moves, moves, Estimate(0.0, 0.0), False, None, reasons)


def reasons_for(view: View, moves: list[Move]) -> tuple[Reason, ...]:
    """What speaks for a turn. A last spike that loses, the best there was, is no win."""
    told = explain(view, moves)
    return tuple(r for r in told if not (isinstance(r, WinsNow) and r.ahead < 0))


def _best(candidates: Sequence[Candidate]) -> Candidate:
    return max(candidates, key=lambda candidate: candidate.estimate)


def _texts(candidate: Candidate) -> tuple[str, ...]:
    return tuple(move.text for move in candidate.moves)


def _play_in(world: Position, fortune: Fortune, candidate: Candidate) -> None:
    won, ahead = _end_of(world, fortune, candidate)
    candidate.worlds += 1
    candidate.points += won + MARGIN_SHARE * max(-1.0, min(1.0, ahead / MARGIN))


def _end_of(world: Position, fortune: Fortune, candidate: Candidate) -> tuple[float, int]:
    final = play_on(world.copy(), fortune, candidate.moves)
    return result_for(final, world.table.turn)
