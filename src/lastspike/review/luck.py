"""Luck told apart from play, for every player, and the turns that decided the game.

Both are read off the win chances (`chances.py`), where every change has one cause. So for
every player the fair share, the luck of the deal, the draws and the play add up to the result.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from lastspike.rules.board import Seat
from lastspike.rules.records.turns import Turn

from .chances import Shares, WinChances
from .estimates import Estimate, estimate

DECIDING = 3
"""How many turns are said to have decided a game."""


class Luck(msgspec.Struct, frozen=True):
    """What made a seat's result, in winning chance: `fair`, `deal`, `draws`, `own_play` and
    `others_play` add up to it.

    fair         one part of as many as there are players
    deal         the first hands, and who goes first
    draws        all tiles drawn, and the pool mixed after bankruptcies
    own_draws    of these, the tiles that the seat drew itself
    luck         the deal and the draws together
    own_play     the seat's moves, beside those of `policy.py`, which is a little off each time: who
                 chooses with more care than that comes out above 0
    others_play  the others' moves, likewise
    result       1 for a win, a part of it for a shared one
    """

    fair: float
    deal: Estimate
    draws: Estimate
    own_draws: Estimate
    luck: Estimate
    own_play: Estimate
    others_play: Estimate
    result: float


class DecidingTurn(msgspec.Struct, frozen=True):
    """A turn that changed the chances much.

    moved     how much of the chance to win it moved from some players to others: half the sum of
              all changes
    error     the largest standard error of a seat's change
    by_play   how much the moves alone moved, and `by_luck` the draw; both ways may go against each
              other, so they can add up to more than `moved`
    change    each seat's
    """

    turn: int
    seat: Seat
    moved: float
    error: float
    by_play: float
    by_luck: float
    change: tuple[float, ...]


def luck_of(chances: WinChances, turns: Iterable[Turn], seat: Seat) -> Luck:
    """Changes are summed world by world, so that what is wrong alike in all turns shows in the
    errors."""
    first, last = chances.begun[0].ends, chances.begun[-1].ends
    fair = 1 / len(first[0])
    worlds = range(len(first))
    play = {True: [0.0] * len(first), False: [0.0] * len(first)}
    draws = {True: [0.0] * len(first), False: [0.0] * len(first)}
    for place, turn in enumerate(turns):
        own = turn.seat == seat
        before, moved, after = (
            moment.ends
            for moment in (chances.begun[place], chances.moved[place], chances.begun[place + 1])
        )
        for world in worlds:
            play[own][world] += moved[world][seat] - before[world][seat]
            draws[own][world] += after[world][seat] - moved[world][seat]
    deal = [shares[seat] - fair for shares in first]
    drawn = [own + others for own, others in zip(draws[True], draws[False], strict=True)]
    return Luck(
        fair=fair,
        deal=estimate(deal),
        draws=estimate(drawn),
        own_draws=estimate(draws[True]),
        luck=estimate([dealt + tiles for dealt, tiles in zip(deal, drawn, strict=True)]),
        own_play=estimate(play[True]),
        others_play=estimate(play[False]),
        result=last[0][seat],
    )


def deciding_turns(chances: WinChances, turns: Iterable[Turn]) -> tuple[DecidingTurn, ...]:
    """The turns that moved most of the chance to win, the greatest first."""
    found = [_deciding(chances, place, turn) for place, turn in enumerate(turns)]
    found.sort(key=lambda turn: -turn.moved)
    return tuple(turn for turn in found[:DECIDING] if turn.moved > 0)


def _deciding(chances: WinChances, place: int, turn: Turn) -> DecidingTurn:
    before, moved, after = chances.begun[place], chances.moved[place], chances.begun[place + 1]
    seats = range(len(before.chances))
    changes = [
        estimate([b[seat] - a[seat] for a, b in zip(before.ends, after.ends, strict=True)])
        for seat in seats
    ]
    return DecidingTurn(
        turn=turn.number,
        seat=turn.seat,
        moved=_distance(before.chances, after.chances),
        error=max(change.error for change in changes),
        by_play=_distance(before.chances, moved.chances),
        by_luck=_distance(moved.chances, after.chances),
        change=tuple(change.mean for change in changes),
    )


def _distance(one: Shares, other: Shares) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / 2
