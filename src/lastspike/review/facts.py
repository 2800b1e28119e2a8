"""The exact part of a review: every player's income and spending, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from lastspike.rules.board import Seat
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    LandBought,
    LandSold,
    LastSpike,
    Payout,
    TrackLaid,
)
from lastspike.rules.outcome import land_prices
from lastspike.rules.records.holdings import Holding, holdings
from lastspike.rules.records.turns import GameTurns
from lastspike.rules.table import Table


class Standing(msgspec.Struct, frozen=True):
    """Money by seat after a turn (0: after the deal). `wealth` is cash plus the price of the land
    held, which breaks ties (E2); a free grant has no price."""

    turn: int
    cash: tuple[int, ...]
    wealth: tuple[int, ...]


class Account(msgspec.Struct, frozen=True):
    """A seat's totals. `cash`, at the end, is `start + payouts + bonus + sales - tiles - land -
    lost`; `lost` is what a bankruptcy took."""

    start: int
    payouts: int
    bonus: int
    sales: int
    tiles: int
    land: int
    lost: int
    cash: int


class Paid(msgspec.Struct, frozen=True):
    """P1: a payout to a seat for its land in a city at the end of a finished route."""

    turn: int
    seat: Seat
    route: str
    city: str
    cards: int
    amount: int


class Facts(msgspec.Struct, frozen=True):
    standings: tuple[Standing, ...]
    accounts: tuple[Account, ...]
    payouts: tuple[Paid, ...]
    holdings: tuple[Holding, ...]


def facts_of(played: GameTurns) -> Facts:
    setup = played.game.setup
    books = _Books(setup.players)
    books.enter(0, played.dealt)
    standings = [_standing(0, played.start.table)]
    for turn in played.turns:
        books.enter(turn.number, turn.events)
        standings.append(_standing(turn.number, turn.after.table))
    start = setup.edition.starting_cash[setup.players]
    return Facts(
        standings=tuple(standings),
        accounts=tuple(books.account(seat, start) for seat in range(setup.players)),
        payouts=tuple(books.paid),
        holdings=tuple(holdings(played.game.history, setup.board)),
    )


def payouts_by(
    payouts: Iterable[Paid], thing: Literal["route", "city"], players: int
) -> dict[str, tuple[int, ...]]:
    """By route or city, in order of first payout: what each seat was paid."""
    sums: dict[str, list[int]] = {}
    for paid in payouts:
        name = paid.route if thing == "route" else paid.city
        sums.setdefault(name, [0] * players)[paid.seat] += paid.amount
    return {name: tuple(amounts) for name, amounts in sums.items()}


def _standing(turn: int, table: Table) -> Standing:
    land = land_prices(table)
    wealth = tuple(cash + price for cash, price in zip(table.cash, land, strict=True))
    return Standing(turn, tuple(table.cash), wealth)


class _Books:
    """Sums up a game's events."""

    def __init__(self, players: int) -> None:
        self.paid: list[Paid] = []
        self._sums = [
            dict.fromkeys(("payouts", "bonus", "sales", "tiles", "land", "lost"), 0)
            for _ in range(players)
        ]

    def enter(self, turn: int, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case TrackLaid(seat, _, cost):
                    self._sums[seat]["tiles"] += cost
                case LastSpike(seat, _, bonus):
                    self._sums[seat]["bonus"] += bonus
                case Payout(seat, route, city, cards, amount):
                    self.paid.append(Paid(turn, seat, route, city, cards, amount))
                    self._sums[seat]["payouts"] += amount
                case LandBought(seat, _, _, price):
                    self._sums[seat]["land"] += price
                case LandSold(seat, _, _, amount):
                    self._sums[seat]["sales"] += amount
                case Bankruptcy(seat, cash):
                    self._sums[seat]["lost"] += cash or 0
                case _:
                    pass

    def account(self, seat: Seat, start: int) -> Account:
        sums = self._sums[seat]
        took_in = start + sums["payouts"] + sums["bonus"] + sums["sales"]
        cash = took_in - sums["tiles"] - sums["land"] - sums["lost"]
        return Account(start=start, cash=cash, **sums)
