"""A person's finished games, replayed from the logs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lastspike import protocol as p
from lastspike.rules.events import Payout
from lastspike.server.storage.rows import PersonRow, Row, TableRow, to_step
from lastspike.server.table.state import TableState, replay

if TYPE_CHECKING:
    from lastspike.server.storage import Storage

MOST_GAMES = 200
AT_ONCE = 20
"""Logs read and replayed together, which takes about fifty milliseconds."""

T = TypeVar("T")


class Past(NamedTuple):
    """A finished game, and the names of the cities that paid, by code and language."""

    game: p.PastGame
    cities: dict[str, dict[str, str]]


async def history_of(storage: Storage, person: PersonRow) -> p.History:
    rows = await storage.logs.tables_of(person.id, MOST_GAMES, "over")
    found = [past async for past in replayed(storage, rows, lambda s: past_game(s, person.id))]
    return history(person, found, await storage.persons.publishes_since(person.id))


def history(person: PersonRow, found: list[Past], since: int | None = None) -> p.History:
    """The history of a person with these games. `since` is when they agreed to publication."""
    found = sorted(found, key=lambda past: -past.game.ended)
    cities: dict[str, dict[str, str]] = {}
    for past in found:
        for code, names in past.cities.items():
            cities.setdefault(code, names)
    me = p.Me(person.id, person.name)
    return p.History(me, [past.game for past in found], cities, since)


async def replayed(
    storage: Storage, rows: Sequence[TableRow], pick: Callable[[TableState], T | None]
) -> AsyncIterator[T]:
    """The results of `pick` for each table, except None; unreadable logs are skipped. A thread
    replays `AT_ONCE` logs at a time, so that the event loop stays free."""
    for start in range(0, len(rows), AT_ONCE):
        logs = await storage.logs.logs([row.id for row in rows[start : start + AT_ONCE]])
        for state in await asyncio.to_thread(_replay, logs):
            if (picked := pick(state)) is not None:
                yield picked


def _replay(logs: dict[str, list[Row]]) -> list[TableState]:
    found = []
    for table_id, rows in logs.items():
        # The list of tables shows the host what is wrong with a log.
        with suppress(Exception):
            if rows:
                found.append(replay(table_id, map(to_step, rows)))
    return found


def past_game(state: TableState, person: str) -> Past | None:
    """The game as the person's history has it; None if there was none, or it isn't over."""
    outcome = None if state.game is None else state.game.outcome
    if outcome is None:
        return None
    mine = state.seats_of(person)
    paid: Counter[str] = Counter()
    for event in state.playing.history:
        if isinstance(event, Payout) and event.seat in mine:
            paid[event.city] += event.amount
    edition = state.setup.edition
    game = p.PastGame(
        table=state.id,
        created=state.created,
        ended=state.ended,
        edition=edition.id,
        turns=state.turn - 1,
        seats=[
            p.PastSeat(seat.name, seat.level, outcome.ranks[number], cash, seat.for_good)
            for number, (seat, cash) in enumerate(zip(state.seats, outcome.cash, strict=True))
        ],
        mine=mine,
        winners=list(outcome.winners),
        last_spike=outcome.last_spike,
        paid=dict(paid),
        teaching=state.setup.options.hands == "open",
        played_on=state.played_on,
        left=bool(mine) and all(state.seats[seat].for_good for seat in mine),
    )
    named = {city.code: city for city in edition.cities}
    return Past(game, {code: {"en": named[code].name, **named[code].names} for code in paid})
