"""Reasons: why a computer player chooses what it does, as facts for any language."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.rules.board import Seat


class OnlyMove(NamedTuple):
    """There was nothing to choose."""


class WinsNow(NamedTuple):
    """The last spike, and nobody has more. `ahead` of the best opponent by so much."""

    ahead: int


class WouldLose(NamedTuple):
    """Driving the last spike now would leave `seat` ahead by so much, so it is put off."""

    tile: str
    seat: Seat
    behind: int


class PaidNow(NamedTuple):
    """Finishing the route pays so much at once, and the others together so much."""

    route: str
    mine: int
    others: int


class FreeGrant(NamedTuple):
    """The city's free grant, and what it is expected to bring."""

    city: str
    expected: int


class RouteLikelier(NamedTuple):
    """The tile raises the chance, in percent, that a route in which I have land is finished."""

    route: str
    before: int
    after: int


class Cheapest(NamedTuple):
    """It costs less than any other tile that can be laid."""

    cost: int


class GoodLand(NamedTuple):
    """The card costs `price` and is expected to be paid `expected`."""

    city: str
    price: int
    expected: int


class DeniesLand(NamedTuple):
    """An opponent has more land there, and could have paid for this card."""

    city: str
    seat: Seat


class KeepsCash(NamedTuple):
    """Nothing is bought: nothing is worth its price, or the cash is needed for tiles."""

    cash: int


class MoneyLeft(NamedTuple):
    """What is left after the turn."""

    cash: int


class SellsLeast(NamedTuple):
    """Of what the bank buys this card is worth least: it is expected to be paid so much."""

    card: str
    expected: int


class WantsTheEnd(NamedTuple):
    """I am ahead, and the tile brings the last spike nearer: so many are missing then."""

    far: int


class FearsTheEnd(NamedTuple):
    """I am not ahead, and another tile would bring the last spike nearer: so many are missing."""

    far: int


class KeepsSpike(NamedTuple):
    """The last spike is one tile away, and the tile is kept: nobody else can drive it."""

    tile: str


class WinChance(NamedTuple):
    """So often, in percent, this should win; the next best so often."""

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
