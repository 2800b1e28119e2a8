"""Records for publication: games in which everyone agrees, without names, table or time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from lastspike.server.storage import Storage
from lastspike.server.table.records import anonymous_record
from lastspike.server.table.state import TableState

from .exporting import AT_ONCE
from .listing import UnreadableLog, state_from


async def publishable(
    storage: Storage, table_ids: Sequence[str]
) -> AsyncIterator[dict[str, Any] | UnreadableLog | None]:
    """The anonymous records of these tables, in order; None for a game that may not be published,
    and the error of an unreadable log. Whether a person agrees is asked once, at the beginning."""
    agreed = await storage.persons.publishing()
    for begin in range(0, len(table_ids), AT_ONCE):
        logs = await storage.logs.logs(table_ids[begin : begin + AT_ONCE])
        for table_id, rows in logs.items():
            try:
                state = state_from(table_id, rows)
            except UnreadableLog as error:
                yield error
            else:
                yield anonymous_record(state) if may_be_published(state, agreed) else None


def may_be_published(state: TableState, agreed: Collection[str]) -> bool:
    """Whether the game is over and all its people agree.

    People who share a device play as one person, and only one of them can have agreed. A game that
    continues a recorded one has moves of people who are not at this table.
    """
    if state.status != "over" or state.game is None or state.played_on:
        return False
    people = [seat.person for seat in state.seats if seat.level is None]
    return len(set(people)) == len(people) and all(person in agreed for person in people)
