"""How a game ended: why, who won, and everybody's place (E2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .board import Seat
from .table import NOBODY, Table

Reason = Literal["last spike", "last player", "no tiles left"]


class Outcome(NamedTuple):
    """`ranks` and `cash` are by seat; equal players share a rank (1, 1, 3). `land` is the total
    price of the cards held, which breaks ties."""

    reason: Reason
    winners: tuple[Seat, ...]
    ranks: tuple[int, ...]
    cash: tuple[int, ...]
    land: tuple[int, ...]
    last_spike: Seat | None
    bankrupt: tuple[Seat, ...]


def outcome(table: Table) -> Outcome | None:
    """The outcome of a finished game; None while it is still being played."""
    if table.phase != "over":
        return None
    land = land_prices(table)
    seats = range(table.setup.players)
    standing = [_standing(table, seat, land[seat]) for seat in seats]
    ranks = tuple(1 + sum(other > own for other in standing) for own in standing)
    return Outcome(
        reason=_reason(table),
        winners=tuple(seat for seat in seats if ranks[seat] == 1),
        ranks=ranks,
        cash=tuple(table.cash),
        land=land,
        last_spike=None if table.last_spike == NOBODY else table.last_spike,
        bankrupt=table.bankrupt,
    )


def win_share(winners: Sequence[Seat], seat: Seat) -> float:
    """E2: each of k winners has 1/k of the win, everybody else nothing."""
    return 1 / len(winners) if seat in winners else 0.0


def land_prices(table: Table) -> tuple[int, ...]:
    """E2: the total price of the land each seat holds."""
    totals = [0] * table.setup.players
    for card, holder in enumerate(table.land):
        if holder >= 0:
            totals[holder] += table.board.prices[card]
    return tuple(totals)


def _standing(table: Table, seat: Seat, land: int) -> tuple[int, int, int]:
    """Greater is better: players still in by cash, then land; bankrupts by when they went out."""
    if table.in_game(seat):
        return 1, table.cash[seat], land
    return 0, table.bankrupt.index(seat), 0


def _reason(table: Table) -> Reason:
    if table.last_spike != NOBODY:
        return "last spike"
    return "last player" if len(table.bankrupt) == table.setup.players - 1 else "no tiles left"
