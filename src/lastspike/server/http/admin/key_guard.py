"""Lets only the holder of the operator's key in, and slows down whoever guesses."""

from __future__ import annotations

import math
from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from lastspike.server.admin.key import is_key
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.services import Services
from lastspike.server.storage.queries.audit import ANYBODY
from lastspike.server.table.errors import NotAllowed, NotFound, TooMany
from lastspike.server.table.now import now_ms

BEARER = "Bearer "


class NeedsKey(NotAllowed):
    """This takes the operator's key."""

    code = "needs_key"


async def operator_only(
    connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler
) -> None:
    """The key comes in a header, which no other site's page can send. A wrong one counts, until
    even the right one has to wait."""
    services: Services = connection.app.state.services
    key_hash = services.config.admin_key_hash
    if key_hash is None:
        raise NotFound("there is nothing here")
    given = connection.headers.get("authorization", "")
    if not given.startswith(BEARER):
        raise NeedsKey("this needs the operator’s key")
    caller = caller_key(connection.scope)
    wrong_keys = services.limits.wrong_keys
    wait = wrong_keys.take(caller)
    if wait:
        raise TooMany("too many wrong keys; wait {seconds} s", seconds=math.ceil(wait))
    if is_key(given.removeprefix(BEARER), key_hash):
        wrong_keys.spend(caller, -1)
        return
    audit = services.storage.audit
    await audit.add(now_ms(), ANYBODY, "operator_key_wrong", address=caller)
    raise NeedsKey("this is not the operator’s key")
