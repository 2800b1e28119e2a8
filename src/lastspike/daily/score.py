"""The luck-free score of a daily game: how well its person played, whatever they were dealt.

Every turn is compared with the turn that Surveyor would have made in its place. The judge behind
hints and reviews, Tycoon, plays both on in the same worlds: hidden hands and draws as they might
have been, given what the player knew. The difference is what the turn changed in the chance to win;
the sum over all turns is the score, in points of a hundredth. Playing like Surveyor scores 0.

Neither the deal nor any draw enters, nor what the others really held.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import fmean

import msgspec

from lastspike.bots.levels import judge_of_turns, make_player
from lastspike.lab.arena.statistics import student
from lastspike.review.legal_turns import effect_of
from lastspike.rules.board import Seat
from lastspike.rules.game import Game
from lastspike.rules.outcome import win_share
from lastspike.rules.records.turns import turns_of

from .deal import SEAT, STAND_IN

REFERENCE = STAND_IN
"""Whose turns every turn is compared with; so turns that a computer makes for a person count 0."""
GROUPS, WORLDS = 6, 8
"""A turn is judged in so many groups of worlds. The worlds of a group are drawn together and depend
on each other, above all late in a game; groups don't, so the interval comes from their means."""


class Points(msgspec.Struct, frozen=True):
    """A score in points, hundredths of a win, and half the width of its 95% interval."""

    points: float
    margin: float


class TurnPoints(msgspec.Struct, frozen=True):
    """What one turn gained or cost, compared with Surveyor's. `turn` counts all players' turns,
    from 1."""

    turn: int
    points: float
    margin: float


class Score(msgspec.Struct, frozen=True):
    """The score of a seat in a game, and its turns; those with the effect of Surveyor's have 0
    points. `share` is its share of the win."""

    score: Points
    turns: list[TurnPoints]
    share: float
    rank: int
    cash: int

    @property
    def costliest(self) -> TurnPoints | None:
        """The turn that cost most, if any clearly cost something."""
        worst = min(self.turns, key=lambda turn: turn.points, default=None)
        return worst if worst is not None and worst.points + worst.margin < 0 else None


def score_game(game: Game, seed: str, worlds: int = WORLDS, seat: Seat = SEAT) -> Score:
    """The score of a seat in a finished game. The seed is for the worlds; the same turn after the
    same moves gets the same points with the same seed."""
    ended = game.outcome
    assert ended is not None
    judge = judge_of_turns(seed)
    reference = make_player(REFERENCE, seed)
    turns: list[TurnPoints] = []
    for turn in turns_of(game).turns:
        if turn.seat == seat:
            view = turn.view
            expected = reference.turn(view)
            points = Points(0.0, 0.0)
            if effect_of(view, turn.moves) != effect_of(view, expected):
                means = []
                for group in range(GROUPS):
                    judge.random = Random(f"{seed}/{turn.number}/{group}")
                    found = judge.chances(view, [list(turn.moves), expected], worlds)
                    means.append(100 * fmean(played - other for played, other in found))
                points = mean_points(means)
            turns.append(TurnPoints(turn.number, points.points, points.margin))
    return Score(
        score=_summed(turns),
        turns=turns,
        share=win_share(ended.winners, seat),
        rank=ended.ranks[seat],
        cash=game.position.table.cash[seat],
    )


def mean_points(scores: Sequence[float]) -> Points:
    """The mean of several days' scores with its interval by Student's t, from the spread of the
    days. A single day shows no spread: its margin is infinite."""
    mean = math.fsum(scores) / len(scores)
    if len(scores) < 2:
        return Points(mean, math.inf)
    variance = math.fsum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
    return Points(mean, student(len(scores) - 1) * math.sqrt(variance / len(scores)))


def _summed(turns: Sequence[TurnPoints]) -> Points:
    """Every turn has worlds of its own, so their errors are independent: variances add up, with
    the degrees of freedom of Welch and Satterthwaite."""
    variances = [(turn.margin / student(GROUPS - 1)) ** 2 for turn in turns]
    variance = math.fsum(variances)
    margin = 0.0
    if variance:
        freedom = variance**2 / math.fsum(each**2 / (GROUPS - 1) for each in variances)
        margin = student(int(freedom + 1e-9)) * math.sqrt(variance)
    return Points(math.fsum(turn.points for turn in turns), margin)
