"""Events: what happened, in the words of the rulebook, and who may see it.

Events carry codes and amounts, so they read without a board: `TrackLaid(2, "A1", 1000, False)`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, get_args

from .board import Seat
from .table import Options


class FirstPlayer(NamedTuple):
    """S2. `drawn` is the tile that each seat drew, if the deal says so; the tiles went back."""

    seat: Seat
    drawn: tuple[str, ...] = ()


class TileChosen(NamedTuple):
    """F1: the tile is chosen and land must be sold to pay for it."""

    seat: Seat
    tile: str
    cost: int


class LandSold(NamedTuple):
    seat: Seat
    city: str
    rank: int
    amount: int


class TrackLaid(NamedTuple):
    """T1. `cost` is what was paid, doubled if `double`."""

    seat: Seat
    tile: str
    cost: int
    double: bool


class GrantTaken(NamedTuple):
    """L7: the city's free grant."""

    seat: Seat
    city: str


class LastSpike(NamedTuple):
    """E1, with the bonus."""

    seat: Seat
    tile: str
    bonus: int


class RouteFinished(NamedTuple):
    """P1: the route's fourth space has track."""

    seat: Seat
    route: str


class Payout(NamedTuple):
    """P1: what one holder collects for one city."""

    seat: Seat
    route: str
    city: str
    cards: int
    amount: int


class LandBought(NamedTuple):
    seat: Seat
    city: str
    rank: int
    price: int


class NothingBought(NamedTuple):
    """T3: the player could have bought land, but didn't."""

    seat: Seat


class TileDrawn(NamedTuple):
    """T4, T5. `tile` is None for those who may not see it."""

    seat: Seat
    tile: str | None


class TurnSkipped(NamedTuple):
    """T5: no tile in the hand and none in the pool."""

    seat: Seat


class Bankruptcy(NamedTuple):
    """K1. `cash` is what went to the bank, None for those who may not see it; `land` what went
    back, `grants` what left the game, `tiles` how many tiles the hand gave to the pool."""

    seat: Seat
    cash: int | None
    land: tuple[str, ...]
    grants: tuple[str, ...]
    tiles: int


class PoolMixed(NamedTuple):
    """K1: the pool was mixed again; `tiles` is how many it has."""

    tiles: int


class GameOver(NamedTuple):
    """E1-E3, K2: why the game ended, who won, and everybody's cash and rank."""

    reason: str
    winners: tuple[Seat, ...]
    ranks: tuple[int, ...]
    cash: tuple[int, ...]


Event = (
    FirstPlayer
    | TileChosen
    | LandSold
    | TrackLaid
    | GrantTaken
    | LastSpike
    | RouteFinished
    | Payout
    | LandBought
    | NothingBought
    | TileDrawn
    | TurnSkipped
    | Bankruptcy
    | PoolMixed
    | GameOver
)


KINDS: dict[type, str] = {
    event: re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower() for event in get_args(Event)
}
"""The name of each kind of event in messages: `TrackLaid` is `track_laid`."""


PARTLY_HIDDEN = frozenset({TileDrawn, Bankruptcy})
"""The kinds of event of which some seats may not see all."""


def as_seen_by(event: Event, seat: Seat | None, options: Options) -> Event:
    """The event with what this seat (None: a spectator) may not see taken out."""
    if isinstance(event, TileDrawn) and event.seat != seat and options.hands == "hidden":
        return TileDrawn(event.seat, None)
    if isinstance(event, Bankruptcy) and event.seat != seat and options.cash == "hidden":
        return event._replace(cash=None)
    return event


def money(event: Event) -> int:
    """What the event put into its seat's purse, negative for what it took out."""
    match event:
        case TrackLaid():
            return -event.cost
        case LandBought():
            return -event.price
        case LandSold() | Payout():
            return event.amount
        case LastSpike():
            return event.bonus
        case Bankruptcy():
            return -(event.cash or 0)
        case _:
            return 0


def to_json(event: Event) -> dict[str, Any]:
    """The event as JSON takes it, its kind first."""
    return {"event": KINDS[type(event)], **event._asdict()}
