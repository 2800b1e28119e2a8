"""Reasons for a computer player's choice, as facts to be worded in any language."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.rules.board import Seat


class OnlyMove(NamedTuple):
    """There is only one legal move."""


class WinsNow(NamedTuple):
    """It is the last spike; `ahead` is the lead over the best opponent, below 0 for a loss."""

    ahead: int


class WouldLose(NamedTuple):
    """Driving the last spike now would leave `seat` ahead by `behind`, so it waits."""

    tile: str
    seat: Seat
    behind: int


class PaidNow(NamedTuple):
    """Finishing the route pays `mine` now, and `others` to the opponents together."""

    route: str
    mine: int
    others: int


class FreeGrant(NamedTuple):
    """The tile brings the city's free grant, with these expected payouts."""

    city: str
    expected: int


class RouteLikelier(NamedTuple):
    """The tile raises the chance, in percent, that a route on which the mover has land finishes."""

    route: str
    before: int
    after: int


class Cheapest(NamedTuple):
    """The tile costs less than any other legal one."""

    cost: int


class GoodLand(NamedTuple):
    """The card costs `price` and its expected payouts are `expected`."""

    city: str
    price: int
    expected: int


class DeniesLand(NamedTuple):
    """An opponent has more land there and could afford this card."""

    city: str
    seat: Seat


class KeepsCash(NamedTuple):
    """Nothing is bought: no card is worth its price, or the cash is needed for tiles."""

    cash: int


class MoneyLeft(NamedTuple):
    """The cash left after the turn."""

    cash: int


class SellsLeast(NamedTuple):
    """The card sold has the smallest expected payouts of those the bank buys."""

    card: str
    expected: int


class WantsTheEnd(NamedTuple):
    """The mover leads, and the tile brings the last spike nearer, to `far` missing tiles."""

    far: int


class FearsTheEnd(NamedTuple):
    """The mover does not lead, and avoids tiles that bring the last spike, `far` away, nearer."""

    far: int


class KeepsSpike(NamedTuple):
    """The last spike is one tile away, and the mover keeps that tile: nobody else can drive it."""

    tile: str


class WinChance(NamedTuple):
    """The turn's estimated chance to win, in percent, and that of the next-best turn."""

    percent: int
    next_best: int


Reason = (
    OnlyMove
    | WinsNow
    | WouldLose
    | PaidNow
    | FreeGrant
    | RouteLikelier
    | Cheapest
    | GoodLand
    | DeniesLand
    | KeepsCash
    | MoneyLeft
    | SellsLeast
    | WantsTheEnd
    | FearsTheEnd
    | KeepsSpike
    | WinChance
)
