"""Surveyor's evaluation: scores for each lay, purchase and sale, based on the outlook.

It uses only the open table and the mover's hand, and is fast enough for playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.rules.board import NO_CITY, City, Space
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.moves import Move
from lastspike.rules.outcome import land_prices
from lastspike.rules.steps.laying import laying_cost
from lastspike.rules.steps.payouts import shares
from lastspike.rules.table import BANK, Table

from .outlook import Outlook

DECISIVE = 1e9
"""Added for a winning last spike, subtracted for a losing one: outweighs everything else."""

Scored = tuple[float, Move]
"""A move and its value to the mover, roughly in dollars."""


class Weights(NamedTuple):
    """The weight of each term, tuned in matches between Surveyors and against Clerks.

    rival       per dollar paid to an opponent, relative to a dollar paid to the mover
    cost        per dollar paid for a tile; low, because most tiles must be laid eventually
    grant       per dollar that a free grant is expected to bring
    spend       per dollar spent on land
    reserve     the cash to keep after buying
    short       per dollar below the reserve
    bonus       per dollar of the bonus, if the mover could drive the last spike next
    threat      the same, if an opponent could
    """

    rival: float = 0.8
    cost: float = 0.2
    grant: float = 1.1
    spend: float = 1.1
    reserve: float = 9000.0
    short: float = 0.9
    bonus: float = 0.5
    threat: float = 0.4


USUAL = Weights()


def judge(
    table: Table, hand: Sequence[Space], legal: Sequence[Move], weights: Weights = USUAL
) -> list[Scored]:
    """The value of each of these moves to the mover, who holds this hand."""
    if table.phase == "lay":
        return score_lays(table, hand, legal, weights)
    if table.phase == "buy":
        return score_purchases(table, legal, weights)
    return score_sales(table, legal)


def score_lays(
    table: Table, hand: Sequence[Space], legal: Sequence[Move], weights: Weights = USUAL
) -> list[Scored]:
    """The value of laying each of these tiles, including the best purchase after it."""
    board = table.board
    outlook = Outlook(table)
    missing, chance, far = outlook.missing, outlook.chance, outlook.far
    chances = outlook.ways.chances
    stake = outlook.stakes(weights.rival)
    nearer = outlook.chances_at(max(far - 1, 1))
    shift = sum([(new - old) * paid for new, old, paid in zip(nearer, chance, stake, strict=True)])
    purchase = max(0.0, best_purchase(outlook, weights))
    scored: list[Scored] = []
    for move in legal:
        space = move.space
        route = space // SPACES_A_ROUTE
        tiles = missing[route]
        if tiles == 1 and board.joined(table.finished | 1 << route):
            scored.append((if_it_ends(table, space), move))
            continue
        score = -weights.cost * laying_cost(table, space)
        after = chances[tiles - 1]
        if board.bit[space] & outlook.shortest:
            score += shift + (after[far - 1] - nearer[route]) * stake[route]
            if far == 2:
                score += _bonus_in_reach(outlook, hand, space, weights)
        else:
            score += (after[far] - chance[route]) * stake[route]
        city = board.beside[space]
        if city != NO_CITY and table.land[city * CARDS_A_CITY] == BANK:
            score += weights.grant * board.payouts[city][1] * outlook.payments[city]
        else:
            score += purchase
        scored.append((score, move))
    return scored


def score_purchases(table: Table, legal: Sequence[Move], weights: Weights = USUAL) -> list[Scored]:
    """The value of buying in each of these cities; 0 for buying nothing."""
    outlook = Outlook(table)
    cash = table.cash[table.turn]
    return [
        (0.0 if move.kind == "pass" else worth_buying(outlook, move.city, cash, weights), move)
        for move in legal
    ]


def score_sales(table: Table, legal: Sequence[Move]) -> list[Scored]:
    """Sales scored by expected loss per dollar still needed; the smallest loss scores best."""
    outlook = Outlook(table)
    board = table.board
    short = laying_cost(table, table.chosen) - table.cash[table.turn]
    scored = []
    for move in legal:
        held = outlook.held[move.city]
        payouts = board.payouts[move.city]
        lost = (payouts[held] - payouts[held - 1]) * outlook.payments[move.city]
        fetched = board.fetches[move.city * CARDS_A_CITY + move.rank]
        scored.append((-(lost - 0.5 * fetched) / min(fetched, short), move))
    return scored


def best_purchase(outlook: Outlook, weights: Weights) -> float:
    """The value of the best purchase; negative if none is worth its price."""
    table = outlook.table
    cash = table.cash[table.turn]
    best = -DECISIVE
    for city, price in enumerate(table.market):
        if price <= cash:
            worth = worth_buying(outlook, city, cash, weights)
            if worth > best:
                best = worth
    return best


def worth_buying(outlook: Outlook, city: City, cash: int, weights: Weights) -> float:
    """The expected payouts of one more card of a city, minus its weighted price."""
    table = outlook.table
    price = table.market[city]
    held = outlook.held[city]
    payouts = table.board.payouts[city]
    worth = (payouts[held + 1] - payouts[held]) * outlook.payments[city] - weights.spend * price
    missing = weights.reserve - (cash - price)
    return worth - weights.short * missing if missing > 0 else worth


def if_it_ends(table: Table, space: Space) -> float:
    """The value of a last spike on this space: the mover's lead over the best opponent, plus
    DECISIVE for a win, alone or shared (E2), or minus DECISIVE for a loss."""
    seat = table.turn
    final = table.cash.copy()
    final[seat] += table.board.edition.last_spike_bonus - laying_cost(table, space)
    for paid_to, _, _, amount in shares(table, space // SPACES_A_ROUTE):
        final[paid_to] += amount
    rivals = [other for other in range(len(final)) if other != seat and table.in_game(other)]
    ahead = final[seat] - max(final[other] for other in rivals)
    if ahead == 0:
        land = land_prices(table)
        wins = all(land[seat] >= land[other] for other in rivals if final[other] == final[seat])
    else:
        wins = ahead > 0
    return ahead + (DECISIVE if wins else -DECISIVE)


def _bonus_in_reach(
    outlook: Outlook, hand: Sequence[Space], space: Space, weights: Weights
) -> float:
    """One tile would then be missing: positive if the mover holds every such tile."""
    table = outlook.table
    board = table.board
    track = table.track | board.bit[space]
    bonus = board.edition.last_spike_bonus
    for mask in outlook.ways.masks:
        gap = mask & ~track
        if gap.bit_count() == 1 and not any(board.bit[tile] == gap for tile in hand):
            return -weights.threat * bonus
    return weights.bonus * bonus
