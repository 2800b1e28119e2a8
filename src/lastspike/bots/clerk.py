"""Clerk: lays the tile that pays most now and buys the best payout per dollar."""

from __future__ import annotations

from lastspike.rules.board import NO_CITY
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.moves import Move
from lastspike.rules.steps.laying import laying_cost
from lastspike.rules.steps.payouts import shares
from lastspike.rules.table import BANK, Table
from lastspike.rules.view import View

from .player import ComputerPlayer


class Clerk(ComputerPlayer):
    """Greedy: ignores later turns and the opponents' holdings."""

    level = "clerk"

    def choose(self, view: View) -> Move:
        legal = view.legal_moves
        table = view.table
        worth = {"lay": cash_at_once, "buy": pay_for_price, "raise": cheap_to_lose}[table.phase]
        # Ties are broken at random.
        return max(legal, key=lambda move: (worth(table, move), self.random.random()))


def cash_at_once(table: Table, lay: Move) -> float:
    """The tile's gain this turn: payouts and bonus minus cost. A free grant counts as one payout
    of its city."""
    board = table.board
    space = lay.space
    gain = -laying_cost(table, space)
    route = space // SPACES_A_ROUTE
    if (table.track | board.bit[space]) & board.route_mask[route] == board.route_mask[route]:
        gain += sum(paid for seat, _, _, paid in shares(table, route) if seat == table.turn)
        if board.joined(table.finished | 1 << route):
            gain += board.edition.last_spike_bonus
    city = board.beside[space]
    if city != NO_CITY and table.land[city * CARDS_A_CITY] == BANK:
        gain += board.payouts[city][1]
    return gain


def pay_for_price(table: Table, purchase: Move) -> float:
    """The card's payouts if all open routes are finished, per dollar of its price. Passing scores
    1, so a card that can't earn its price is not bought."""
    if purchase.kind == "pass":
        return 1.0
    board = table.board
    city = purchase.city
    routes = (board.routes_of_city[city] & ~table.finished).bit_count()
    held = table.cards_of(city).count(table.turn)
    more = board.payouts[city][held + 1] - board.payouts[city][held]
    return more * routes / table.market[city]


def cheap_to_lose(table: Table, sale: Move) -> float:
    """Sell the cheapest card first."""
    return -table.board.prices[sale.city * CARDS_A_CITY + sale.rank]
