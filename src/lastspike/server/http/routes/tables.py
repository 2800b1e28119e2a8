"""The routes of tables: make, find, join, lead and leave them. Playing goes through the socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Controller, Request, Response
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.http.cookies import with_cookie
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.new_table import (
    CreateToken,
    check_token,
    count_table,
    store_table,
    table_made,
    table_maker,
)
from lastspike.server.http.reports import store_report
from lastspike.server.http.routing import get, patch, post, put
from lastspike.server.http.services import FromServices, Services
from lastspike.server.live.table import LiveTable
from lastspike.server.table import commands
from lastspike.server.table.clocks.commands import nudge
from lastspike.server.table.errors import Conflict, NotFound
from lastspike.server.table.log_events import Draft
from lastspike.server.table.look_alikes import unique_name
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed, new_table_id
from lastspike.server.table.records import finished_record
from lastspike.server.table.state import edition_of
from lastspike.server.table.text import clean_name
from lastspike.server.table.views import table_info

AnyRequest = Request[Any, Any, Any]

ME = "me"
MOST_LISTED = 100
MOST_HIDDEN = 200
"""People whose chat somebody hides at a table: more than can write there, in most games."""


class AtTable:
    """A person who asks for something at a table."""

    def __init__(self, person: str, table: LiveTable) -> None:
        self.person = person
        self.table = table

    async def act(self, command: Callable[..., Draft | None], *given: object) -> p.Done:
        """Run a command of this person."""
        return p.Done(await self.table.act(lambda state: command(state, self.person, *given)))


async def at_table(request: AnyRequest, services: FromServices, table_id: FromPath[str]) -> AtTable:
    person = await services.sessions.required(request)
    return AtTable(person.id, await services.registry.table(table_id))


FromAtTable = NamedDependency[AtTable]


class Tables(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @get("/", summary="Public tables that wait or play")
    async def public(self, services: FromServices) -> p.Tables:
        if not services.config.public_list:
            raise NotFound("this server has no public list of tables")
        rows = await services.storage.logs.listed_tables(MOST_LISTED)
        return p.Tables(await services.registry.listed((row.id for row in rows), None))

    @post("/", summary="Make a table")
    async def create(
        self,
        request: AnyRequest,
        services: FromServices,
        data: JSONBody[p.CreateTable],
        given: CreateToken = "",
    ) -> Response[p.TableMade]:
        check_token(services, given)
        name = clean_name(data.name)
        mine = _own_seats(data, name)
        levels = [None if seat == ME else seat for seat in data.seats]
        known = services.player_pool.levels()
        for level in [*levels, data.settings.stand_in]:
            commands.check_level(level, known)
        person, secret = await table_maker(services, request, name)
        draft = await asyncio.to_thread(
            commands.create, person.id, levels, mine, data.settings, new_seed()
        )
        table_id = new_table_id()
        await store_table(services, table_id, draft, data.settings.public)
        return table_made(services, table_id, person.id, secret)

    @get("/{table_id:str}", summary="What everybody may know of a table")
    async def show(self, services: FromServices, table_id: FromPath[str]) -> p.TableInfo:
        return table_info((await services.registry.newest(table_id)).state)

    @post("/{table_id:str}/seats", summary="Take a seat", status_code=200)
    async def take_seat(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.TakeSeat],
    ) -> Response[p.Done]:
        name = clean_name(data.name)
        table = await services.registry.table(table_id)
        person, secret = await services.person_for(request, name)
        number = await table.act(
            lambda state: commands.take_seat(state, person.id, name, data.seat)
        )
        response = Response(p.Done(number))
        return with_cookie(response, secret, services.config)

    @put("/{table_id:str}/seats/{seat:int}", summary="Host: a computer player, or none, for a seat")
    async def set_seat(
        self,
        at: FromAtTable,
        services: FromServices,
        seat: FromPath[int],
        data: JSONBody[p.SetSeat],
    ) -> p.Done:
        return await at.act(commands.set_seat, seat, data.level, services.player_pool.levels())

    @patch("/{table_id:str}/settings", summary="Host: change the settings")
    async def settings(
        self, at: FromAtTable, services: FromServices, data: JSONBody[p.ChangeSettings]
    ) -> p.Done:
        commands.may_change_settings(at.table.state, at.person, data.settings)
        await asyncio.to_thread(edition_of, data.settings)  # it is kept for the command
        levels = services.player_pool.levels()
        return await at.act(commands.change_settings, data.settings, levels)

    @post("/{table_id:str}/leave", summary="Leave, for good or until I return", status_code=200)
    async def leave(self, at: FromAtTable, data: JSONBody[p.Leave]) -> p.Done:
        return await at.act(commands.leave, data.for_good, new_seed())

    @post("/{table_id:str}/return", summary="Take my seats back from the computer", status_code=200)
    async def come_back(self, at: FromAtTable) -> p.Done:
        return await at.act(commands.come_back)

    @post("/{table_id:str}/hand-over", summary="Host: a computer for one away", status_code=200)
    async def hand_over(
        self, at: FromAtTable, services: FromServices, data: JSONBody[p.HandOver]
    ) -> p.Done:
        seats = at.table.state.seats
        absent = seats[data.seat].person if data.seat < len(seats) else None
        away = await services.presence.away_since(at.table, absent) if absent else None
        return await at.act(commands.hand_over, data.seat, away, now_ms())

    @post(
        "/{table_id:str}/remove", summary="Host: remove somebody, or let them back", status_code=200
    )
    async def remove(self, at: FromAtTable, data: JSONBody[p.AboutPerson]) -> p.Done:
        return await at.act(commands.remove, data.person, data.undo)

    @post("/{table_id:str}/mute", summary="Host: let somebody write no more", status_code=200)
    async def mute(self, at: FromAtTable, data: JSONBody[p.AboutPerson]) -> p.Done:
        return await at.act(commands.mute, data.person, data.undo)

    @post("/{table_id:str}/hide", summary="Don't show me what this person writes", status_code=200)
    async def hide(
        self, at: FromAtTable, services: FromServices, data: JSONBody[p.AboutPerson]
    ) -> p.Done:
        table_id, hidden_chat = at.table.state.id, services.storage.hidden_chat
        known = await hidden_chat.of(at.person, table_id)
        if not data.undo and len(known) >= MOST_HIDDEN:
            raise Conflict("you’ve hidden too many people at this table")
        await hidden_chat.hide(at.person, table_id, data.person, data.undo)
        hidden = frozenset(known - {data.person} if data.undo else known | {data.person})
        for connection in at.table.connections.values():
            if connection.person == at.person:
                connection.hidden = hidden
        return p.Done(0)

    @post("/{table_id:str}/report", summary="Tell the operator about somebody", status_code=200)
    async def report(
        self,
        request: AnyRequest,
        at: FromAtTable,
        services: FromServices,
        data: JSONBody[p.NewReport],
    ) -> p.Done:
        await store_report(services, at.table, at.person, caller_key(request.scope), data)
        return p.Done(0)

    @post("/{table_id:str}/close", summary="Host: close the table", status_code=200)
    async def close(self, at: FromAtTable) -> p.Done:
        return await at.act(commands.close)

    @post("/{table_id:str}/nudge", summary="Remind the person whose turn it is", status_code=200)
    async def nudge(self, at: FromAtTable, services: FromServices) -> p.Done:
        seat = at.table.state.to_move()
        person = None if seat is None else at.table.state.seats[seat].person
        away = await services.presence.away_since(at.table, person) if person else None
        return await at.act(nudge, away, now_ms())

    @post("/{table_id:str}/agree-to-end", summary="End the game, if all agree", status_code=200)
    async def agree_to_end(self, at: FromAtTable, data: JSONBody[p.AgreeToEnd]) -> p.Done:
        return await at.act(commands.agree_to_end, data.undo)

    @post("/{table_id:str}/rematch", summary="The same again, at a new table", status_code=200)
    async def rematch(self, at: FromAtTable, services: FromServices) -> p.Rematch:
        commands.may_rematch(at.table.state, at.person)
        if at.table.state.rematch is None:  # otherwise somebody has made it
            count_table(services, at.person)
        await at.act(commands.offer_rematch, new_table_id())
        new = at.table.state.rematch
        assert new is not None
        await _make_rematch(services, at.table, at.person, new)
        return p.Rematch(new)

    @get(
        "/{table_id:str}/record",
        summary="The record of a finished game",
        media_type="application/json",
    )
    async def record(self, services: FromServices, table_id: FromPath[str]) -> dict[str, Any]:
        return finished_record((await services.registry.newest(table_id)).state)


def _own_seats(data: p.CreateTable, name: str) -> dict[int, str]:
    """The names for the host's own seats: theirs, or one for each."""
    mine = [seat for seat, who in enumerate(data.seats) if who == ME]
    names: dict[int, str] = {}
    for seat in mine:
        given = data.names.get(str(seat))
        names[seat] = unique_name(clean_name(given) if given else name, names.values())
    return names


async def _make_rematch(services: Services, old: LiveTable, host: str, table_id: str) -> None:
    """The offer is in the old table's log; if the worker that made it died, any other makes the
    table."""
    if await services.storage.logs.table(table_id) is not None:
        return
    draft = commands.rematch_of(old.state, host, new_seed())
    try:
        await store_table(services, table_id, draft, old.state.settings.public)
    except LastSpikeError:
        if await services.storage.logs.table(table_id) is None:
            raise  # otherwise somebody else made it first
