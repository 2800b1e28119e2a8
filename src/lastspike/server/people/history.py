"""What was: a person's finished games, and all that the server has of them.

Every log is read anew, some at a time in a thread, so that nobody waits meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lastspike import protocol as p
from lastspike.rules.events import Payout
from lastspike.server.live.table import now_ms, to_step
from lastspike.server.table import log_events as e
from lastspike.server.table.state import TableState
from lastspike.server.table.views import finished_record

if TYPE_CHECKING:
    from lastspike.server.storage import PersonRow, Row, Storage, TableRow

MOST_GAMES = 200
AT_ONCE = 20
"""So many logs are read and replayed together: some fifty milliseconds."""

T = TypeVar("T")


class _Past(NamedTuple):
    game: p.PastGame
    cities: dict[str, dict[str, str]]


async def history_of(storage: Storage, person: PersonRow) -> p.History:
    rows = await storage.tables_of(person.id, MOST_GAMES, "over")
    found = [past async for past in _each(storage, rows, lambda read: _past(read, person.id))]
    found.sort(key=lambda past: -past.game.ended)
    cities: dict[str, dict[str, str]] = {}
    for past in found:
        for code, names in past.cities.items():
            cities.setdefault(code, names)
    me = p.Me(person.id, person.name)
    return p.History(me, [past.game for past in found], cities)


async def data_of(storage: Storage, person: PersonRow) -> p.MyData:
    papers = await storage.papers_of(person.id)
    hooks = await storage.webhooks_of_person(person.id)
    rows = await storage.tables_of(person.id, None)
    tables = [told async for told in _each(storage, rows, lambda read: _mine(read, person.id))]
    said = [
        (told.table_id, told.row.at, event)
        for told in await storage.steps_about(person.id)
        for event in to_step(told.row).events
    ]
    return p.MyData(
        made=now_ms(),
        person=p.MyPerson(person.id, person.name, papers.created_at),
        devices=[p.MyDevice(*device) for device in papers.devices],
        webhooks=[
            p.MyWebhook(hook.id, hook.url, hook.form, hook.table_id, hook.language)
            for hook in hooks
        ],
        hidden=[p.Hiding(*hiding) for hiding in papers.hidden],
        tables=[table for table, _ in tables],
        names=[
            p.MyName(table, at, taken.seat, taken.name)
            for table, at, taken in said
            if isinstance(taken, e.SeatTaken) and taken.person == person.id
        ],
        chat=[
            p.MyLine(table, at, line.channel, line.name, line.text)
            for table, at, line in said
            if isinstance(line, e.Said) and line.person == person.id
        ],
        records=[record for _, record in tables if record is not None],
    )


async def _each(
    storage: Storage, rows: Sequence[TableRow], tell: Callable[[_Read], T | None]
) -> AsyncIterator[T]:
    """What is told of each table; one whose log can't be read is left out."""
    for start in range(0, len(rows), AT_ONCE):
        logs = await storage.logs([row.id for row in rows[start : start + AT_ONCE]])
        for read in await asyncio.to_thread(_read, logs):
            if (told := tell(read)) is not None:
                yield told


class _Read(NamedTuple):
    """A table, and when its game ended."""

    state: TableState
    ended: int


def _read(logs: dict[str, list[Row]]) -> list[_Read]:
    found = []
    for table_id, rows in logs.items():
        state, ended = TableState(table_id), 0
        try:
            for row in rows:
                state.apply(to_step(row))
                if state.status == "over" and not ended:
                    ended = row.at
        except Exception:  # whatever is wrong with one log; the host sees it in the list of tables
            continue
        if rows:
            found.append(_Read(state, ended))
    return found


def _past(read: _Read, person: str) -> _Past | None:
    state = read.state
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
        ended=read.ended,
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
    return _Past(game, {code: {"en": named[code].name, **named[code].names} for code in paid})


def _mine(read: _Read, person: str) -> tuple[p.MyTable, dict[str, Any] | None]:
    state = read.state
    seats = state.seats_of(person)
    told = p.MyTable(state.id, state.status, state.created, state.host == person, seats)
    return told, finished_record(state) if state.status == "over" and seats else None
