"""Judges a turn by what its player knew: the view at that time.

Each world resamples what the player could not see, and all candidates are played out in the same
worlds. The best other turn is chosen in some worlds, by its prior and its results; its lead over
the played turn is measured in new worlds. Measuring in the same worlds would favour the luckiest
candidate, and every turn would seem to lose something.
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
    """The verdict on a turn; moves are texts.

    forced    all legal turns had the same effect
    computer  the best turn by prior and results
    other     the best turn except the one played; the one played if there is no other candidate
    lead      the difference in win share between `other` and the played turn, with its error
    closely   whether the turn was judged closely
    loss      the lead if it is significant, else None. Also None for a turn judged briefly: with
              many turns and few worlds, some would be blamed by chance
    reasons   the reasons for `other`
    """

    forced: bool
    computer: tuple[str, ...]
    other: tuple[str, ...]
    lead: Estimate
    closely: bool
    loss: Estimate | None
    reasons: tuple[Reason, ...]


class TurnJudge:
    """Judges one turn from its player's view at its start. Each stage has its own worlds."""

    def __init__(self, view: View, played: tuple[Move, ...], seed: str) -> None:
        self.view = view
        self.seed = seed
        self.forced = is_forced(view)
        self._played = Candidate(played, 0.0, 0.0)
        self._others: list[Candidate] = []
        if not self.forced:
            self._played, self._others = candidates_for(view, played)

    def choose(self, stage: str, worlds: int) -> None:
        """Play all candidates out in `worlds` more worlds."""
        rng = Random(f"{self.seed}/{stage}")
        for _ in range(worlds):
            world, fortune = resample(self.view, rng), new_fortune(rng)
            for candidate in (self._played, *self._others):
                _play_in(world, fortune, candidate)

    @property
    def candidates(self) -> int:
        """The number of candidates, including the turn played."""
        return 1 + len(self._others)

    @property
    def swing(self) -> float:
        """How much better the best other turn seems; used only to pick turns to judge closely."""
        if not self._others:
            return -math.inf
        return _best(self._others).estimate - self._played.estimate

    def judge(self, stage: str, worlds: int, closely: bool) -> Judgement:
        """The lead of the best other turn over the one played, in `worlds` new worlds."""
        if not self._others:
            return self._no_alternative()
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

    def _no_alternative(self) -> Judgement:
        moves = _texts(self._played)
        reasons = () if self.forced else reasons_for(self.view, self._played.moves)
        return Judgement(self.forced, moves, moves, Estimate(0.0, 0.0), False, None, reasons)


def reasons_for(view: View, moves: list[Move]) -> tuple[Reason, ...]:
    """The reasons for a turn, without `WinsNow` for a last spike that loses."""
    found = explain(view, moves)
    return tuple(r for r in found if not (isinstance(r, WinsNow) and r.ahead < 0))


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
