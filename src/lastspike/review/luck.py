"""Luck and play of every player, and the turns that decided the game.

Both come from the win chances (`chances.py`), where every change has one cause. So for every player
the fair share, the deal, the draws and the play add up to the result.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from lastspike.rules.board import Seat
from lastspike.rules.records.turns import Turn

from .chances import Shares, WinChances
from .estimates import Estimate, estimate

DECIDING = 3
"""How many deciding turns a review lists."""


class Luck(msgspec.Struct, frozen=True):
    """The parts of a seat's result, in win chance: `fair`, `deal`, `draws`, `own_play` and
    `others_play` add up to it.

    fair         1 / number of players
    deal         the dealt hands, and who goes first
    draws        all tiles drawn, and remixes after bankruptcies
    own_draws    the part of `draws` from the seat's own draws
    luck         deal and draws together
    own_play     the seat's moves compared with the noisy `policy.py`: careful play is above 0
    others_play  the opponents' moves, likewise
    result       1 for a win, a fraction for a shared one
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
    """A turn that changed the win chances a lot.

    moved     the total chance moved between players: half the sum of all absolute changes
    error     the largest standard error of a seat's change
    by_play   the part moved by the moves, and `by_luck` by the draw; they may oppose each other,
              so their sum can exceed `moved`
    change    by seat
    """

    turn: int
    seat: Seat
    moved: float
    error: float
    by_play: float
    by_luck: float
    change: tuple[float, ...]


def luck_of(chances: WinChances, turns: Iterable[Turn], seat: Seat) -> Luck:
    """Changes are summed world by world, so that errors correlated across turns are included."""
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
    """The turns that moved the most chance, largest first."""
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
