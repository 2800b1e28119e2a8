"""Route decorators that declare in the OpenAPI how each route refuses."""

from __future__ import annotations

from functools import partial

import litestar
from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Components, SecurityScheme

from lastspike.protocol import Problem
from lastspike.server.people.sessions import COOKIE, HOST_COOKIE

_REFUSALS = {
    400: "It can't be understood, or the rules forbid it",
    403: "This person, page or address may not do it",
    404: "There is no such thing",
    409: "What it was meant for has changed",
    413: "It is too large",
    429: "Too often, or too many; `Retry-After` says how long to wait",
    503: "The database can't be reached just now",
}
_RESPONSES = {
    status: ResponseSpec(Problem, generate_examples=False, description=why)
    for status, why in _REFUSALS.items()
}

get = partial(litestar.get, responses=_RESPONSES)
post = partial(litestar.post, responses=_RESPONSES)
put = partial(litestar.put, responses=_RESPONSES)
patch = partial(litestar.patch, responses=_RESPONSES)
delete = partial(litestar.delete, responses=_RESPONSES)

COMPONENTS = Components(
    security_schemes={
        "person": SecurityScheme(
            type="apiKey",
            security_scheme_in="cookie",
            name=COOKIE,
            description="Given with the first answer to whoever says a name. Over https, at the "
            f"root of a host, it is called {HOST_COOKIE}",
        )
    }
)
SECURITY: list[dict[str, list[str]]] = [{"person": []}, {}]
"""With or without the cookie: some routes are open to anybody."""
