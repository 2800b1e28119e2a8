"""Clerk: takes what pays at once, and buys what pays best for its price."""

from __future__ import annotations

from lastspike.rules.board import NO_CITY
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.moves import Move
from lastspike.rules.steps.laying import laying_cost
from lastspike.rules.steps.payouts import shares
from lastspike.rules.table import BANK, Table
from lastspike.rules.view import View, legal_in

from .player import ComputerPlayer


class Clerk(ComputerPlayer):
    """Greedy: it does not look beyond this turn, nor at what the others have."""

    level = "clerk"

    def choose(self, view: View) -> Move:
        legal = legal_in(view)
        table = view.table
        worth = {"lay": cash_at_once, "buy": pay_for_price, "raise": cheap_to_lose}[table.phase]
        # Where several are worth the same, which one is left to chance.
        return max(legal, key=lambda move: (worth(table, move), self.random.random()))


def cash_at_once(table: Table, lay: Move) -> float:
    """What the tile brings this turn: payouts and bonus less its cost; a free grant counts as the
    first payout of its city."""
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
    """What one finished route would pay for the card, for each dollar of its price; passing is 1:
    a card that would not earn its price with all routes still open is left alone."""
    if purchase.kind == "pass":
        return 1.0
    board = table.board
    city = purchase.city
    routes = (board.routes_of_city[city] & ~table.finished).bit_count()
    held = table.cards_of(city).count(table.turn)
    more = board.payouts[city][held + 1] - board.payouts[city][held]
    return more * routes / table.market[city]


def cheap_to_lose(table: Table, sale: Move) -> float:
    """The cheapest card goes first."""
    return -table.board.prices[sale.city * CARDS_A_CITY + sale.rank]
