"""The exact part of a review: where everybody's money came from and went, turn by turn.

A card's share of a payout is what it added: the amount for so many cards less the amount for one
card fewer, the cards taken in the order in which the player got them. So the first card of a city
earns what one card is paid, the second what two are paid beyond that, and all shares together are
the payout, to the dollar. It tells what buying that card brought, here and in a study
(`study/holdings.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from lastspike.rules.board import Board, Seat
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    GrantTaken,
    LandBought,
    LandSold,
    LastSpike,
    Payout,
    TrackLaid,
)
from lastspike.rules.outcome import land_prices
from lastspike.rules.table import Table

from .turns import PlayedGame

Fate = Literal["kept", "sold", "lost"]


class Standing(msgspec.Struct, frozen=True):
    """After a turn (0: after the deal), by seat. `wealth` is cash plus the price of the land held:
    what breaks ties (E2); a free grant has no price."""

    turn: int
    cash: tuple[int, ...]
    wealth: tuple[int, ...]


class Account(msgspec.Struct, frozen=True):
    """All that a seat took in and paid: `start + payouts + bonus + sales - tiles - land - lost` is
    `cash`, what it had at the end. `lost` is what a bankruptcy took."""

    start: int
    payouts: int
    bonus: int
    sales: int
    tiles: int
    land: int
    lost: int
    cash: int


class Paid(msgspec.Struct, frozen=True):
    """P1: what a seat was paid, in which turn, for its land in a city at the end of a route."""

    turn: int
    seat: Seat
    route: str
    city: str
    cards: int
    amount: int


class Holding(msgspec.Struct, frozen=True):
    """A card from when a seat got it until it went: `cost` was paid for it, 0 for a free grant;
    `earned` are its shares of payouts; `fetched` is what its sale brought.

    A card that was sold and bought again is two holdings. `until` is the turn in which it was sold,
    or lost by bankruptcy, and None if it was kept."""

    card: str
    seat: Seat
    since: int
    cost: int
    earned: int
    fetched: int
    fate: Fate
    until: int | None

    @property
    def profit(self) -> int:
        return self.earned + self.fetched - self.cost


class Facts(msgspec.Struct, frozen=True):
    standings: tuple[Standing, ...]
    accounts: tuple[Account, ...]
    payouts: tuple[Paid, ...]
    holdings: tuple[Holding, ...]


def facts_of(played: PlayedGame) -> Facts:
    setup = played.game.setup
    books = _Books(setup.board, setup.players)
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
        holdings=tuple(books.holdings()),
    )


def payouts_by(
    payouts: Iterable[Paid], thing: Literal["route", "city"], players: int
) -> dict[str, tuple[int, ...]]:
    """What each seat was paid by each route, or by each city, those first that paid first."""
    sums: dict[str, list[int]] = {}
    for paid in payouts:
        name = paid.route if thing == "route" else paid.city
        sums.setdefault(name, [0] * players)[paid.seat] += paid.amount
    return {name: tuple(amounts) for name, amounts in sums.items()}


def _standing(turn: int, table: Table) -> Standing:
    land = land_prices(table)
    wealth = tuple(cash + price for cash, price in zip(table.cash, land, strict=True))
    return Standing(turn, tuple(table.cash), wealth)


class _Card:
    """A card that somebody holds, while the books are written."""

    def __init__(self, card: str, seat: Seat, since: int, cost: int) -> None:
        self.card, self.seat, self.since, self.cost = card, seat, since, cost
        self.earned = self.fetched = 0
        self.fate: Fate = "kept"
        self.until: int | None = None


class _Books:
    """Takes the events of a game in order."""

    def __init__(self, board: Board, players: int) -> None:
        self.board = board
        self.paid: list[Paid] = []
        self._sums = [
            dict.fromkeys(("payouts", "bonus", "sales", "tiles", "land", "lost"), 0)
            for _ in range(players)
        ]
        self._cards: list[_Card] = []

    def enter(self, turn: int, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case TrackLaid(seat, _, cost):
                    self._sums[seat]["tiles"] += cost
                case GrantTaken(seat, city):
                    self._cards.append(_Card(f"{city}0", seat, turn, 0))
                case LastSpike(seat, _, bonus):
                    self._sums[seat]["bonus"] += bonus
                case Payout():
                    self._pay_out(turn, event)
                case LandBought(seat, city, rank, price):
                    self._sums[seat]["land"] += price
                    self._cards.append(_Card(f"{city}{rank}", seat, turn, price))
                case LandSold(seat, city, rank, amount):
                    self._sums[seat]["sales"] += amount
                    (card,) = [c for c in self._held(seat) if c.card == f"{city}{rank}"]
                    card.fetched, card.fate, card.until = amount, "sold", turn
                case Bankruptcy(seat, cash):
                    self._sums[seat]["lost"] += cash or 0
                    for card in self._held(seat):
                        card.fate, card.until = "lost", turn
                case _:
                    pass

    def account(self, seat: Seat, start: int) -> Account:
        sums = self._sums[seat]
        took_in = start + sums["payouts"] + sums["bonus"] + sums["sales"]
        cash = took_in - sums["tiles"] - sums["land"] - sums["lost"]
        return Account(start=start, cash=cash, **sums)

    def holdings(self) -> list[Holding]:
        return [
            Holding(c.card, c.seat, c.since, c.cost, c.earned, c.fetched, c.fate, c.until)
            for c in self._cards
        ]

    def _held(self, seat: Seat) -> list[_Card]:
        """The seat's cards, in the order in which it got them."""
        return [card for card in self._cards if card.seat == seat and card.until is None]

    def _pay_out(self, turn: int, event: Payout) -> None:
        self.paid.append(Paid(turn, event.seat, event.route, event.city, event.cards, event.amount))
        self._sums[event.seat]["payouts"] += event.amount
        amounts = self.board.payouts[self.board.city_of[event.city]]
        of_city = [card for card in self._held(event.seat) if card.card[:-1] == event.city]
        for count, card in enumerate(of_city, 1):
            card.earned += amounts[count] - amounts[count - 1]
