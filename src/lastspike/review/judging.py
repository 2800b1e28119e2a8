"""Judges a turn by what its player knew, with the judge that gives the hints.

The hint is asked again, as the player could have asked it. New worlds then show how much more often
its turn wins than the one that was played. The hint's own worlds don't count: in them, its turn is
the luckiest, and every other turn would seem to lose something. A player who followed the hint is
compared with its second choice.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from lastspike.bots.explain.explainer import explain
from lastspike.bots.explain.reasons import Reason, WinsNow
from lastspike.bots.player import HINT, Judge
from lastspike.rules.moves import Move
from lastspike.rules.view import View, without_others_cash

from .estimates import Estimate, estimate
from .judges import Judges, tycoons
from .legal_turns import effect_of

LEAST_LOSS = 0.02
"""Smaller losses are not reported: the judge's own errors are of that size."""


class Judgement(msgspec.Struct, frozen=True):
    """The verdict on a turn; moves are texts.

    forced    all legal turns had the same effect
    computer  the hint
    hinted    whether the turn that was played is the hint
    other     the hint; its second choice if the hint was played; the turn played if there is none
    lead      how much more often `other` wins than the turn played, with its error
    loss      the lead if it is significant, else None
    reasons   the reasons for `other`
    """

    forced: bool
    computer: tuple[str, ...]
    hinted: bool
    other: tuple[str, ...]
    lead: Estimate
    loss: Estimate | None
    reasons: tuple[Reason, ...]


def forced(played: Sequence[Move]) -> Judgement:
    """The verdict on a turn without a choice."""
    moves = _texts(played)
    return Judgement(True, moves, False, moves, Estimate(0.0, 0.0), None, ())


def judge(
    view: View,
    played: Sequence[Move],
    seed: str,
    asked: int,
    worlds: int,
    judges: Judges | None = None,
) -> Judgement:
    """Judge a free turn from its player's view at its start, in `worlds` new worlds; the hint is
    asked with `asked` worlds. Tycoons judge unless others are given."""
    judges = judges or tycoons()
    ranked = _ranked(judges, view, asked)
    told = without_others_cash(view)
    hint = ranked[0] if told is view else _ranked(judges, told, asked)[0]
    effect = effect_of(view, played)
    other = next((moves for moves in ranked if effect_of(view, moves) != effect), list(played))
    lead = _lead(judges.make(seed, worlds), view, other, played, worlds)
    clear = lead.clear and lead.mean >= LEAST_LOSS
    return Judgement(
        forced=False,
        computer=_texts(hint),
        hinted=effect_of(view, hint) == effect,
        other=_texts(other),
        lead=lead,
        loss=lead if clear else None,
        reasons=reasons_for(view, other),
    )


def _ranked(judges: Judges, view: View, worlds: int) -> list[list[Move]]:
    return [moves for moves, _ in judges.make(HINT, worlds).ranked(view)]


def _lead(
    judge_of_both: Judge, view: View, other: Sequence[Move], played: Sequence[Move], worlds: int
) -> Estimate:
    if other == list(played):
        return Estimate(0.0, 0.0)
    found = judge_of_both.chances(view, [other, played], worlds)
    leads = [one - two for one, two in found]
    return estimate(leads) if len(leads) > 1 else Estimate(leads[0], 0.0)


def _texts(moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(move.text for move in moves)


def reasons_for(view: View, moves: list[Move]) -> tuple[Reason, ...]:
    """The reasons for a turn, without `WinsNow` for a last spike that loses."""
    found = explain(view, moves)
    return tuple(r for r in found if not (isinstance(r, WinsNow) and r.ahead < 0))
