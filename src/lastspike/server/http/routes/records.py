"""The routes of recorded games: look at one, and play on from any of its positions."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response
from litestar.params import JSONBody

from lastspike import protocol as p
from lastspike.rules.records.record import read_record
from lastspike.server.http.new_table import (
    CreateToken,
    check_token,
    store_table,
    table_made,
    table_maker,
)
from lastspike.server.http.page.files import page_version
from lastspike.server.http.routing import post
from lastspike.server.http.services import FromServices
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed, new_table_id
from lastspike.server.table.records import log_of, play_on
from lastspike.server.table.state import replay
from lastspike.server.table.text import clean_name
from lastspike.server.table.views import Viewer, steps_for, welcome, you_info


@post("/api/records/play-on", summary="Play on from a position", tags=["records"])
async def play_on_from(
    request: Request[Any, Any, Any],
    services: FromServices,
    data: JSONBody[p.PlayOn],
    given: CreateToken = "",
) -> Response[p.TableMade]:
    """A new table at which the game goes on at once, with the tiles of the record."""
    check_token(services, given)
    name = clean_name(data.name)
    commands.check_level(data.level, services.player_pool.levels())
    record = await asyncio.to_thread(read_record, data.record)
    person, secret = await table_maker(services, request, name)
    draft = await asyncio.to_thread(
        play_on, record, data.turns, data.seat, person.id, name, data.level, new_seed()
    )
    table_id = new_table_id()
    await store_table(services, table_id, draft, public=False)
    return table_made(services, table_id, person.id, secret)


@post("/api/records", summary="Look at a recorded game", tags=["records"], status_code=200)
async def look_at_record(data: JSONBody[dict[str, Any]]) -> p.Welcome:
    """A finished game, checked and shown as to a spectator; nothing of it is stored."""
    return await asyncio.to_thread(_replayed, data)


def _replayed(raw: dict[str, Any]) -> p.Welcome:
    record = read_record(raw)
    if not record.game.over:
        raise Conflict("this game isn’t over yet; only finished games can be viewed")
    steps = log_of(record, now_ms())
    state = replay("", steps)
    viewer = Viewer()
    told = steps_for(state, steps, viewer)
    return welcome(state, told, viewer, you_info(state, None), page_version())
