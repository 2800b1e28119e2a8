"""The routes of recorded games: look at one, and play on from any of its positions."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response
from litestar.params import JSONBody

from lastspike import protocol as p
from lastspike.rules.records.record import read_record
from lastspike.server.http.routing import post
from lastspike.server.http.services import FromServices
from lastspike.server.live.table import now_ms
from lastspike.server.records.importing import play_on, steps_of
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict
from lastspike.server.table.state import TableState
from lastspike.server.table.text import clean_name
from lastspike.server.table.views import Viewer, game_view, steps_for, table_info, you_info

from .pages import page_version
from .tables import CreateToken, check_token, made, maker, new_seed, new_table_id, store


@post("/api/records/play-on", summary="Play on from a position", tags=["records"])
async def play_on_from(
    request: Request[Any, Any, Any],
    services: FromServices,
    data: JSONBody[p.PlayOn],
    given: CreateToken = "",
) -> Response[p.TableMade]:
    """A new table, at which the game goes on at once. Its tiles lie as they lay in the record."""
    check_token(services, given)
    name = clean_name(data.name)
    commands.check_level(data.level, services.player_pool.levels())
    record = await asyncio.to_thread(read_record, data.record)
    person, secret = await maker(services, request, name)
    draft = await asyncio.to_thread(
        play_on, record, data.turns, data.seat, person.id, name, data.level, new_seed()
    )
    table_id = new_table_id()
    await store(services, table_id, draft, public=False)
    return made(services, table_id, person.id, secret)


@post("/api/records", summary="Look at a recorded game", tags=["records"], status_code=200)
async def look_at_record(data: JSONBody[dict[str, Any]]) -> p.Welcome:
    """A finished game, checked and told as to somebody who watches; nothing of it is stored."""
    return await asyncio.to_thread(_told_record, data)


def _told_record(raw: dict[str, Any]) -> p.Welcome:
    record = read_record(raw)
    if not record.game.over:
        raise Conflict("this game is not over; only finished games can be looked at")
    state = TableState("")
    steps = steps_of(record, now_ms())
    for step in steps:
        state.apply(step)
    return p.Welcome(
        protocol=p.PROTOCOL,
        version=page_version(),
        now=now_ms(),
        you=you_info(state, None),
        table=table_info(state),
        steps=steps_for(state, steps, Viewer()),
        looking=None,
        view=game_view(state, None),
        clock=None,
    )
