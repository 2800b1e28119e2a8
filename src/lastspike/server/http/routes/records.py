"""The routes of recorded games: look at one, and play on from any of its positions."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response
from litestar.params import JSONBody

from lastspike import protocol as p
from lastspike.server.http.limits.rate_limits import caller_key
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
from lastspike.server.table.randomness import new_seed, new_table_id
from lastspike.server.table.records import seated
from lastspike.server.table.text import clean_name


@post("/api/records/play-on", summary="Play on from a position", tags=["records"])
async def play_on_from(
    request: Request[Any, Any, Any],
    services: FromServices,
    data: JSONBody[p.PlayOn],
    given: CreateToken = "",
) -> Response[p.TableMade]:
    """A new table at which the game goes on at once, with the tiles of the record."""
    check_token(services, given)
    await services.admit(request, "imports")
    name = clean_name(data.name)
    commands.check_level(data.level, services.player_pool.levels())
    asked = (data.record, data.turns, data.seat, name, data.level, new_seed())
    draft = await services.reader.ask(caller_key(request.scope), "played_on", *asked)
    person, secret = await table_maker(services, request, name)
    draft = seated(draft, person.id)
    table_id = new_table_id()
    await store_table(services, table_id, draft, public=False)
    return table_made(services, table_id, person.id, secret)


@post("/api/records", summary="Look at a recorded game", tags=["records"], status_code=200)
async def look_at_record(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[dict[str, Any]]
) -> Response[p.Welcome]:
    """A finished game, checked and shown as to a spectator; nothing of it is stored."""
    await services.admit(request, "imports")
    asked = (data, page_version())
    found = await services.reader.ask(caller_key(request.scope), "looked_at", *asked)
    return Response(found, media_type=MediaType.JSON)
