"""Finds the reasons for a turn: its gains now, its expected gains, what it avoids."""

from __future__ import annotations

from collections.abc import Iterator

from lastspike.bots.judgement import if_it_ends
from lastspike.bots.outlook import Outlook, shortest_ways
from lastspike.rules import events
from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import SPACES_A_ROUTE
from lastspike.rules.moves import Move
from lastspike.rules.steps.laying import laying_cost
from lastspike.rules.table import Table
from lastspike.rules.view import Preview, View, preview, table_with_cash

from . import reasons
from .reasons import Reason

IMPORTANCE = (
    reasons.WinsNow,
    reasons.KeepsSpike,
    reasons.WouldLose,
    reasons.OnlyMove,
    reasons.PaidNow,
    reasons.FreeGrant,
    reasons.GoodLand,
    reasons.DeniesLand,
    reasons.SellsLeast,
    reasons.RouteLikelier,
    reasons.WantsTheEnd,
    reasons.FearsTheEnd,
    reasons.Cheapest,
    reasons.KeepsCash,
    reasons.MoneyLeft,
)
"""Most important first."""

SOON = 4
"""The end matters when the last spike is at most this many tiles away."""


def explain(view: View, moves: list[Move]) -> tuple[Reason, ...]:
    """The reasons for these moves of the viewer, most important first."""
    table = table_with_cash(view)
    ahead = preview(view._replace(table=table), moves)
    found: list[Reason] = []
    if table.phase == "lay":
        found += _of_the_tile(view, table, moves[0], ahead)
    found += _of_the_land(table, ahead)
    if ahead.table.phase != "over":
        if table.phase == "lay":
            found += _of_the_end(view, table, moves[0], ahead.table)
        found.append(reasons.MoneyLeft(ahead.table.cash[table.turn]))
    return tuple(sorted(found, key=lambda reason: IMPORTANCE.index(type(reason))))


def _of_the_tile(view: View, table: Table, lay: Move, ahead: Preview) -> Iterator[Reason]:
    legal = view.legal_moves
    seat = table.turn
    for event in ahead.events:
        if isinstance(event, events.LastSpike):
            yield reasons.WinsNow(_lead(ahead.table, seat))
            return
    if len(legal) == 1:
        yield reasons.OnlyMove()
    for other in legal:
        if other != lay and _is_last_spike(table, other) and if_it_ends(table, other.space) < 0:
            yield _would_lose(view, table, other)
    outlook = Outlook(table)
    later = Outlook(_laid(table, lay))
    for event in ahead.events:
        match event:
            case events.GrantTaken():
                city = table.board.city_of[event.city]
                worth = table.board.payouts[city][1] * outlook.payments[city]
                yield reasons.FreeGrant(event.city, _rounded(worth))
            case events.RouteFinished():
                paid = [e for e in ahead.events if isinstance(e, events.Payout)]
                mine = sum(e.amount for e in paid if e.seat == seat)
                yield reasons.PaidNow(event.route, mine, sum(e.amount for e in paid) - mine)
            case events.TrackLaid():
                route = lay.space // SPACES_A_ROUTE
                first, second = table.board.ends[route]
                before, after = outlook.chance[route], later.chance[route]
                if outlook.held[first] + outlook.held[second] and before < after < 1:
                    letter = table.board.letters[route]
                    yield reasons.RouteLikelier(letter, round(100 * before), round(100 * after))
                elif all(event.cost < cost for cost in _other_costs(table, legal, lay)):
                    yield reasons.Cheapest(event.cost)


def _of_the_land(table: Table, ahead: Preview) -> Iterator[Reason]:
    board, seat = table.board, table.turn
    outlook = Outlook(ahead.table) if ahead.table.phase != "over" else Outlook(table)
    for event in ahead.events:
        match event:
            case events.LandSold():
                city = board.city_of[event.city]
                worth = board.payouts[city][1] * outlook.payments[city]
                yield reasons.SellsLeast(f"{event.city}{event.rank}", _rounded(worth))
            case events.LandBought():
                city = board.city_of[event.city]
                holders = ahead.table.cards_of(city)
                held = holders.count(seat)
                more = board.payouts[city][held] - board.payouts[city][held - 1]
                expected = _rounded(more * outlook.payments[city])
                yield reasons.GoodLand(event.city, event.price, expected)
                rivals = [
                    holder
                    for holder in {*holders}
                    if holder >= 0
                    and holders.count(holder) > held
                    and table.cash[holder] >= event.price
                ]
                if rivals and outlook.payments[city]:
                    yield reasons.DeniesLand(event.city, max(rivals, key=holders.count))
            case events.NothingBought():
                yield reasons.KeepsCash(ahead.table.cash[seat])


def _of_the_end(view: View, table: Table, lay: Move, later: Table) -> Iterator[Reason]:
    """How the tile affects the last spike, if that is near. Who leads is told from the cash after
    the turn, when its payouts and purchases are made."""
    board = table.board
    after = _laid(table, lay)
    far = Outlook(after).far
    kept = [tile for tile in view.hand if tile != lay.space]
    gaps = [board.spaces_in(way & ~after.track) for way in shortest_ways(after)]
    if far == 1 and all(gap[0] in kept for gap in gaps):
        yield reasons.KeepsSpike(board.codes[gaps[0][0]])
        return
    before = Outlook(table).far
    if before > SOON:
        return
    if far < before:
        if _lead(later, table.turn) > 0:
            yield reasons.WantsTheEnd(far)
    elif _lead(later, table.turn) <= 0 and any(
        Outlook(_laid(table, other)).far < before for other in view.legal_moves
    ):
        yield reasons.FearsTheEnd(far)


def _would_lose(view: View, table: Table, spike: Move) -> Reason:
    final = preview(view._replace(table=table), [spike]).table
    seat = table.turn
    rivals = [other for other in range(len(final.cash)) if other != seat]
    best = max(rivals, key=lambda other: final.cash[other])
    return reasons.WouldLose(spike.text, best, max(final.cash[best] - final.cash[seat], 0))


def _is_last_spike(table: Table, lay: Move) -> bool:
    route = lay.space // SPACES_A_ROUTE
    mask = table.board.route_mask[route]
    full = (table.track | table.board.bit[lay.space]) & mask == mask
    return full and table.board.joined(table.finished | 1 << route)


def _laid(table: Table, lay: Move) -> Table:
    after = table.copy()
    after.track |= table.board.bit[lay.space]
    return after


def _other_costs(table: Table, legal: list[Move], lay: Move) -> list[int]:
    """The costs of the other legal tiles; [0] if there are none: an only move isn't cheapest."""
    others = [laying_cost(table, move.space) for move in legal if move != lay]
    return others or [0]


def _lead(table: Table, seat: Seat) -> int:
    """The seat's cash minus the richest opponent's."""
    return table.cash[seat] - max(c for other, c in enumerate(table.cash) if other != seat)


def _rounded(amount: float) -> int:
    """Round an expectation to whole thousands; more digits would suggest false precision."""
    return round(amount / 1000) * 1000
