"""Making a table: who may, how it is stored, and what the answer is."""

from __future__ import annotations

import math
import secrets
from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import HeaderParameter

from lastspike import protocol as p
from lastspike.server.storage import PersonRow
from lastspike.server.storage.rows import to_append
from lastspike.server.table.errors import NeedsToken, TooMany
from lastspike.server.table.list_entry import index_of
from lastspike.server.table.log_events import Draft
from lastspike.server.table.now import now_ms

from .cookies import with_cookie
from .services import Services


async def store_table(services: Services, table_id: str, draft: Draft, public: bool) -> None:
    """Store a new table; it is durable on return."""
    first = to_append(table_id, draft.step(1, now_ms()), index_of(draft))
    await services.storage.logs.create_table(first, public)


CreateToken = Annotated[
    str,
    HeaderParameter(
        name="X-Create-Token", description="Where the host asks for one before tables are made"
    ),
]


def check_token(services: Services, given: str) -> None:
    token = services.config.create_token
    if token is not None and not secrets.compare_digest(given.encode(), token.encode()):
        raise NeedsToken("you need this server’s token to create a table")


async def table_maker(
    services: Services, request: Request[Any, Any, Any], name: str
) -> tuple[PersonRow, str | None]:
    """The person who makes a table, with a secret if they are new. `TooMany` if they make many."""
    person, secret = await services.person_for(request, name)
    count_table(services, person.id)
    return person, secret


def count_table(services: Services, person: str) -> None:
    """Count one more table of this person. `TooMany` if they make many."""
    wait = services.limits.tables.take(person)
    if wait:
        raise TooMany("you’ve created too many tables; wait {seconds} s", seconds=math.ceil(wait))


def table_made(
    services: Services, table_id: str, person: str, secret: str | None
) -> Response[p.TableMade]:
    response = Response(p.TableMade(table_id, person), status_code=201)
    return with_cookie(response, secret, services.config)
