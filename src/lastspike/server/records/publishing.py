"""Records for publication: games in which everyone agrees, without names, table or time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any, Literal

from lastspike.server.storage import Storage
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import anonymous_record
from lastspike.server.table.state import TableState

from .exporting import AT_ONCE
from .listing import UnreadableLog, state_from

Reason = Literal["no_game", "today", "continued", "consent", "device"]
"""Why a game may not be published: there is none, it is a ranked game of today's deal, it continues
a recorded one, not all its people agree, or several of them share a device."""


async def publishable(
    storage: Storage, table_ids: Sequence[str]
) -> AsyncIterator[dict[str, Any] | UnreadableLog | Reason]:
    """The anonymous records of these tables, in order, or why one may not be published; of an
    unreadable log its error. Whether a person agrees is asked once, at the beginning."""
    agreed = await storage.persons.publishing()
    for begin in range(0, len(table_ids), AT_ONCE):
        logs = await storage.logs.logs(table_ids[begin : begin + AT_ONCE])
        for table_id, rows in logs.items():
            try:
                state = state_from(table_id, rows)
            except UnreadableLog as error:
                yield error
            else:
                reason = why_unpublished(state, agreed, now_ms())
                yield anonymous_record(state) if reason is None else reason


def why_unpublished(state: TableState, agreed: Collection[str], now: int) -> Reason | None:
    """Why the game may not be published; None if it is over and all its people agree.

    A game that continues a recorded one has moves of people who are not at this table. People who
    share a device play as one person, and only one of them can have agreed. The record of a ranked
    daily game has the link of its day, which is secret until the day is over.
    """
    if state.status != "over" or state.game is None:
        return "no_game"
    if state.closed_to(None, now):
        return "today"
    if state.played_on:
        return "continued"
    people = [seat.person for seat in state.seats if seat.level is None]
    if any(person not in agreed for person in people):
        return "consent"
    return "device" if len(set(people)) < len(people) else None
