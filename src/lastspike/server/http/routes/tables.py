"""The routes of tables: make, find, join, lead and leave them. Playing goes through the socket."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Annotated, Any

from litestar import Controller, Request, Response
from litestar.params import FromPath, HeaderParameter, JSONBody

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.shuffle import SECRET_BYTES
from lastspike.server.http.routing import get, patch, post, put
from lastspike.server.http.services import FromServices, Services
from lastspike.server.live.table import Decide, LiveTable, now_ms, to_append
from lastspike.server.people.sessions import with_cookie
from lastspike.server.storage import PersonRow, TableRow
from lastspike.server.table import commands
from lastspike.server.table.errors import NotAllowed, NotFound, TooMany
from lastspike.server.table.log_events import Step
from lastspike.server.table.text import clean_name
from lastspike.server.table.views import finished_record, table_info

AnyRequest = Request[Any, Any, Any]

ME = "me"
MOST_LISTED = 100


async def listed(
    services: Services, rows: Iterable[TableRow], person: str | None
) -> list[p.TableListed]:
    """A list of tables, but for those that were deleted while it was made."""
    found = []
    for row in rows:
        with suppress(NotFound):
            found.append(await _line(services, row.id, person))
    return found


async def _line(services: Services, table_id: str, person: str | None) -> p.TableListed:
    table = await services.registry.table(table_id)
    state = table.state
    mine = state.seats_of(person)
    due = state.to_move()
    return p.TableListed(
        table=table_id,
        status=state.status,
        players=[seat.name or seat.level for seat in state.seats],
        settings=state.settings,
        created=state.created,
        turn=state.turn,
        mine=mine,
        my_turn=due is not None and due in mine and state.seats[due].computer is None,
    )


async def store(services: Services, table_id: str, draft: commands.Draft, public: bool) -> None:
    """Store a new table; it is durable on return."""
    step = Step(1, now_ms(), draft.events, draft.secrets)
    await services.storage.create_table(to_append(table_id, step, draft), public)


CreateToken = Annotated[
    str,
    HeaderParameter(
        name="X-Create-Token", description="Where the host asks for one before tables are made"
    ),
]


def new_table_id() -> str:
    return secrets.token_urlsafe(16)


def new_seed() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def check_token(services: Services, given: str) -> None:
    token = services.config.create_token
    if token is not None and not secrets.compare_digest(given.encode(), token.encode()):
        raise NotAllowed("this server makes tables only for those who have its token")


async def maker(services: Services, request: AnyRequest, name: str) -> tuple[PersonRow, str | None]:
    """Who makes a table, unless they have made too many; if they are new, with their secret."""
    person, secret = await services.person_for(request, name)
    wait = services.limits.tables.take(person.id)
    if wait:
        raise TooMany("you have made many tables; wait {seconds} s", seconds=wait)
    return person, secret


def made(
    services: Services, table_id: str, person: str, secret: str | None
) -> Response[p.TableMade]:
    response = Response(p.TableMade(table_id, person), status_code=201)
    return response if secret is None else with_cookie(response, secret, services.config)


class Tables(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @get("/", summary="Public tables that wait or play")
    async def public(self, services: FromServices) -> p.Tables:
        if not services.config.public_list:
            raise NotFound("this server keeps no public list of tables")
        rows = await services.storage.listed_tables(MOST_LISTED)
        return p.Tables(await listed(services, rows, None))

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
        person, secret = await maker(services, request, name)
        draft = await asyncio.to_thread(
            commands.create, person.id, levels, mine, data.settings, new_seed()
        )
        table_id = new_table_id()
        await store(services, table_id, draft, data.settings.public)
        return made(services, table_id, person.id, secret)

    @get("/{table_id:str}", summary="What everybody may know of a table")
    async def show(self, services: FromServices, table_id: FromPath[str]) -> p.TableInfo:
        return table_info((await _newest(services, table_id)).state)

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
        return response if secret is None else with_cookie(response, secret, services.config)

    @put("/{table_id:str}/seats/{seat:int}", summary="Host: a computer player, or none, for a seat")
    async def set_seat(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        seat: FromPath[int],
        data: JSONBody[p.SetSeat],
    ) -> p.Done:
        known = services.player_pool.levels()
        return await _act(
            request,
            services,
            table_id,
            lambda who: lambda state: commands.set_seat(state, who, seat, data.level, known),
        )

    @patch("/{table_id:str}/settings", summary="Host: change the settings")
    async def settings(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.ChangeSettings],
    ) -> p.Done:
        known = services.player_pool.levels()
        return await _act(
            request,
            services,
            table_id,
            lambda who: lambda state: commands.change_settings(state, who, data.settings, known),
        )

    @post("/{table_id:str}/leave", summary="Leave, for good or until I return", status_code=200)
    async def leave(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.Leave],
    ) -> p.Done:
        seed = new_seed()
        return await _act(
            request,
            services,
            table_id,
            lambda who: lambda state: commands.leave(state, who, data.for_good, seed),
        )

    @post("/{table_id:str}/return", summary="Take my seats back from the computer", status_code=200)
    async def come_back(
        self, request: AnyRequest, services: FromServices, table_id: FromPath[str]
    ) -> p.Done:
        return await _act(
            request, services, table_id, lambda who: lambda state: commands.come_back(state, who)
        )

    @post("/{table_id:str}/hand-over", summary="Host: a computer for one away", status_code=200)
    async def hand_over(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.HandOver],
    ) -> p.Done:
        table = await services.registry.table(table_id)
        seats = table.state.seats
        absent = seats[data.seat].person if data.seat < len(seats) else None
        away = await services.presence.away_since(table, absent) if absent else None
        return await _act(
            request,
            services,
            table_id,
            lambda who: lambda state: commands.hand_over(state, who, data.seat, away, now_ms()),
        )

    @post(
        "/{table_id:str}/remove", summary="Host: remove somebody before the start", status_code=200
    )
    async def remove(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.AboutPerson],
    ) -> p.Done:
        return await _act(
            request,
            services,
            table_id,
            lambda who: lambda state: commands.remove(state, who, data.person),
        )

    @post("/{table_id:str}/mute", summary="Host: let somebody write no more", status_code=200)
    async def mute(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.AboutPerson],
    ) -> p.Done:
        return await _act(
            request,
            services,
            table_id,
            lambda who: lambda state: commands.mute(state, who, data.person, data.undo),
        )

    @post("/{table_id:str}/hide", summary="Don't show me what this person writes", status_code=200)
    async def hide(
        self,
        request: AnyRequest,
        services: FromServices,
        table_id: FromPath[str],
        data: JSONBody[p.AboutPerson],
    ) -> p.Done:
        person = await services.persons.required(request)
        table = await services.registry.table(table_id)
        await services.storage.hide_chat(person.id, table_id, data.person, data.undo)
        hidden = frozenset(await services.storage.hidden_chat(person.id, table_id))
        for connection in table.connections.values():
            if connection.person == person.id:
                connection.hidden = hidden
        return p.Done(0)

    @post("/{table_id:str}/close", summary="Host: close the table", status_code=200)
    async def close(
        self, request: AnyRequest, services: FromServices, table_id: FromPath[str]
    ) -> p.Done:
        return await _act(
            request, services, table_id, lambda who: lambda state: commands.close(state, who)
        )

    @post("/{table_id:str}/rematch", summary="The same again, at a new table", status_code=200)
    async def rematch(
        self, request: AnyRequest, services: FromServices, table_id: FromPath[str]
    ) -> p.Rematch:
        person = await services.persons.required(request)
        table = await services.registry.table(table_id)
        offered = new_table_id()
        await table.act(lambda state: commands.offer_rematch(state, person.id, offered))
        new = table.state.rematch
        assert new is not None
        await _make_rematch(services, table, person.id, new)
        return p.Rematch(new)

    @get(
        "/{table_id:str}/record",
        summary="The record of a finished game",
        media_type="application/json",
    )
    async def record(self, services: FromServices, table_id: FromPath[str]) -> dict[str, Any]:
        return finished_record((await _newest(services, table_id)).state)


def _own_seats(data: p.CreateTable, name: str) -> dict[int, str]:
    """The names for the seats of who makes the table: their own, or one for each."""
    mine = [seat for seat, who in enumerate(data.seats) if who == ME]
    names: dict[int, str] = {}
    for seat in mine:
        given = data.names.get(str(seat))
        wanted = clean_name(given) if given else name
        unlike, number = wanted, 2
        while unlike in names.values():
            unlike, number = f"{wanted} {number}", number + 1
        names[seat] = unlike
    return names


async def _newest(services: Services, table_id: str) -> LiveTable:
    """The table with all its steps: who asks may know more than the news have brought here."""
    table = await services.registry.table(table_id)
    if services.storage.shared:
        await table.catch_up()
    return table


async def _act(
    request: AnyRequest,
    services: Services,
    table_id: str,
    decide_for: Callable[[str], Decide],
) -> p.Done:
    """Do what the person who asks decides, at a table."""
    person = await services.persons.required(request)
    table = await services.registry.table(table_id)
    return p.Done(await table.act(decide_for(person.id)))


async def _make_rematch(services: Services, old: LiveTable, host: str, table_id: str) -> None:
    """The offer stands in the old table's log; should its maker have died, anybody makes it."""
    if await services.storage.table(table_id) is not None:
        return
    draft = commands.rematch_of(old.state, host, new_seed())
    try:
        await store(services, table_id, draft, old.state.settings.public)
    except LastSpikeError:
        if await services.storage.table(table_id) is None:
            raise  # and not because somebody else who asked was quicker
