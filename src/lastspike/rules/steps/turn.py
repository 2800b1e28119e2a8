"""One turn on the open table (T1-T3, T6): the table and the mover's own hand are all it needs,
so it works on a view as well as on the full position. Each phase has one legal and one play
function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastspike.rules.board import NO_SPACE, Space
from lastspike.rules.editions.edition import SPACES_A_ROUTE
from lastspike.rules.errors import IllegalMove
from lastspike.rules.events import Event, GameOver, TileChosen
from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome
from lastspike.rules.table import Phase, Table

from .buying import buy, can_buy, legal_purchases, why_no_purchase
from .laying import lay, laying_cost, legal_lays, why_no_lay
from .payouts import finish_route, is_finished
from .raising import legal_sales, sell, why_no_sale


def why_illegal(table: Table, hand: Sequence[Space], move: Move) -> IllegalMove:
    """The rule that forbids a move which is not legal."""
    if table.phase == "over":
        ended = outcome(table)
        assert ended is not None
        rule = {"last spike": "E1", "last player": "K2", "no tiles left": "E3"}[ended.reason]
        return IllegalMove(rule, "the game is over")
    if move.kind == "lay":
        return why_no_lay(table, hand, move)
    return why_no_sale(table, move) if move.kind == "sell" else why_no_purchase(table, move)


def end_game(table: Table, events: list[Event] | None) -> None:
    """Nothing more is laid, bought or drawn."""
    table.phase = "over"
    if events is not None:
        result = outcome(table)
        assert result is not None
        events.append(GameOver(result.reason, result.winners, result.ranks, result.cash))


def _play_lay(table: Table, move: Move, events: list[Event] | None) -> bool:
    """T1, F1: lay the tile, or choose it and raise the money first."""
    space = move.space
    cost = laying_cost(table, space)
    if cost > table.cash[table.turn]:
        table.phase = "raise"
        table.chosen = space
        if events is not None:
            events.append(TileChosen(table.turn, move.text, cost))
        return False
    return _lay_and_pay_out(table, space, cost, events)


def _play_sale(table: Table, move: Move, events: list[Event] | None) -> bool:
    """F1: sell until the cash covers the cost; then the tile is laid and the turn goes on."""
    sell(table, move, events)
    space = table.chosen
    cost = laying_cost(table, space)
    if cost > table.cash[table.turn]:
        return False
    table.chosen = NO_SPACE
    return _lay_and_pay_out(table, space, cost, events)


def _play_purchase(table: Table, move: Move, events: list[Event] | None) -> bool:
    """T3."""
    buy(table, move, events)
    return True


def _lay_and_pay_out(table: Table, space: Space, cost: int, events: list[Event] | None) -> bool:
    """T1, T2, B2, T6, E1: a turn that brought a free grant, or in which nothing can be bought, is
    over; so is the game with the last spike."""
    grant = lay(table, space, cost, events)
    route = space // SPACES_A_ROUTE
    if is_finished(table, route) and finish_route(table, route, space, events):
        end_game(table, events)
        return True
    if grant or not can_buy(table):
        return True
    table.phase = "buy"
    return False


def _no_moves(_table: Table, _hand: Sequence[Space]) -> list[Move]:
    return []


LEGAL: dict[Phase, Callable[[Table, Sequence[Space]], list[Move]]] = {
    "lay": legal_lays,
    "raise": legal_sales,
    "buy": legal_purchases,
    "over": _no_moves,
}
"""By phase: the legal moves of the player to move, who holds this hand, sorted by text."""

PLAY: dict[Phase, Callable[[Table, Move, list[Event] | None], bool]] = {
    "lay": _play_lay,
    "raise": _play_sale,
    "buy": _play_purchase,
}
"""By phase: play a legal move in place; returns whether the turn is over.

What comes after a turn (drawing, the next player) touches what is hidden and is not done here.
"""
