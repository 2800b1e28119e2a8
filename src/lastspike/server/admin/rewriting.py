"""Changes of what logs already say: a person's name, or the text of a message.

A step tells every viewer and every worker first; then the old text is overwritten.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage, StorageDown
from lastspike.server.storage.rows import to_step
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound


class _Names(NamedTuple):
    """The new names of a person at one table: without a seat, and at each seat."""

    unseated: str
    seats: dict[int, str]

    def at(self, seat: int | None) -> str:
        return self.unseated if seat is None else self.seats.get(seat, self.unseated)


class Rewriting:
    def __init__(self, storage: Storage, registry: TableRegistry) -> None:
        self._storage = storage
        self._registry = registry

    async def rename(self, person: str, name: str) -> None:
        """Give a person another name, at every table that names them or that they watch."""
        data = self._storage.personal_data
        await self._storage.persons.rename(person, name)
        about = set(await data.tables_about(person))
        for table_id, table in self._registry.live.items():
            if any(each.person == person for each in table.connections.values()):
                about.add(table_id)
        names: dict[str, _Names] = {}
        for table_id in sorted(about):
            try:
                table = await self._registry.newest(table_id)
                await table.act(lambda state: commands.rename(state, person, name))
            except StorageDown:
                raise
            except NotFound:  # deleted meanwhile
                continue
            state = table.state
            seats = {seat: state.seats[seat].name or name for seat in state.seats_of(person)}
            names[table_id] = _Names(state.speakers.get(person, name), seats)
        changed = []
        for table_id, row in await data.steps_about(person):
            step = to_step(row)
            known = names.get(table_id, _Names(name, {}))
            events = tuple(_renamed(event, person, known) for event in step.events)
            if events != step.events:
                changed.append((table_id, row.number, e.to_stored(step._replace(events=events))[0]))
        await data.rewrite(changed)
        await data.drop_reviews(sorted(about))
        await data.wipe()

    async def redact(self, table_id: str, number: int) -> str:
        """Remove the message of a step; returns who wrote it. `NotFound` if there is none."""
        table = await self._registry.newest(table_id)
        rows = await self._storage.logs.steps(table_id, number - 1, limit=1)
        step = to_step(rows[0]) if rows and rows[0].number == number else None
        said = [] if step is None else [each for each in step.events if isinstance(each, e.Said)]
        if step is None or not said:
            raise NotFound("there is no such message")
        if any(each.text != e.SAID_NO_MORE for each in said):
            await table.act(lambda _state: commands.redact(number))
            events = tuple(_redacted(event) for event in step.events)
            body = e.to_stored(step._replace(events=events))[0]
            await self._storage.personal_data.rewrite([(table_id, number, body)])
            await self._storage.personal_data.wipe()
        return said[0].person


def _renamed(event: e.AnyLogEvent, person: str, known: _Names) -> e.AnyLogEvent:
    match event:
        case e.SeatTaken(person=named) if named == person:
            return msgspec.structs.replace(event, name=known.at(event.seat))
        case e.Said(person=named) if named == person:
            return msgspec.structs.replace(event, name=known.at(event.seat))
        case e.PersonRenamed(person=named) if named == person:
            return msgspec.structs.replace(event, name=known.unseated, names=known.seats)
    return event


def _redacted(event: e.AnyLogEvent) -> e.AnyLogEvent:
    return (
        msgspec.structs.replace(event, text=e.SAID_NO_MORE) if isinstance(event, e.Said) else event
    )
