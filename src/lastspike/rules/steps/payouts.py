"""Payouts (P) and the last spike (E1): what finishing a route brings."""

from __future__ import annotations

from lastspike.rules.board import City, Route, Seat, Space
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.events import Event, LastSpike, Payout, RouteFinished
from lastspike.rules.table import Table, pay

Share = tuple[Seat, City, int, int]
"""What one holder collects for one end city of a route: seat, city, cards held, amount."""


def shares(table: Table, route: Route) -> list[Share]:
    """P1: who would be paid what if the route were finished now."""
    board = table.board
    found: list[Share] = []
    for city in board.ends[route]:
        holders = table.land[city * CARDS_A_CITY : (city + 1) * CARDS_A_CITY]
        for seat in range(table.setup.players):
            cards = holders.count(seat)
            if cards:
                found.append((seat, city, cards, board.payouts[city][cards]))
    return found


def is_finished(table: Table, route: Route) -> bool:
    """P1: whether all four spaces of the route have track."""
    mask = table.board.route_mask[route]
    return table.track & mask == mask


def finish_route(table: Table, route: Route, space: Space, events: list[Event] | None) -> bool:
    """E1, P1, P2: a tile on this space finished the route: the bonus if it is the last spike, then
    the payouts. Returns whether it was."""
    board = table.board
    table.finished |= 1 << route
    last_spike = board.joined(table.finished)
    if last_spike:
        table.last_spike = table.turn
        bonus = board.edition.last_spike_bonus
        pay(table, table.turn, bonus)
        if events is not None:
            events.append(LastSpike(table.turn, board.codes[space], bonus))
    letter = board.letters[route]
    if events is not None:
        events.append(RouteFinished(table.turn, letter))
    for seat, city, cards, amount in shares(table, route):
        pay(table, seat, amount)
        if events is not None:
            events.append(Payout(seat, letter, board.city_codes[city], cards, amount))
    return last_spike
