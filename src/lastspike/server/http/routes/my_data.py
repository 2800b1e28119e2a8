"""The routes of what is mine: my games so far, and my data to take away."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, Response

from lastspike import protocol as p
from lastspike.server.http.routing import get
from lastspike.server.http.services import FromServices
from lastspike.server.people.history import data_of, history_of

AnyRequest = Request[Any, Any, Any]

EXPORT = "lastspike-data.json"
"""What the file is called that browsers save."""


class Mine(Controller):
    path = "/api"
    tags = ("persons",)

    @get("/me/history", summary="My finished games, the newest first")
    async def history(self, request: AnyRequest, services: FromServices) -> p.History:
        person = await services.persons.known(request)
        if person is None:
            return p.History(None, [], {})
        async with services.reading_back:
            return await history_of(services.storage, person)

    @get("/me/export", summary="All that this server has of me")
    async def export(self, request: AnyRequest, services: FromServices) -> Response[p.MyData]:
        person = await services.persons.required(request)
        async with services.reading_back:
            data = await data_of(services.storage, person)
        named = {"content-disposition": f'attachment; filename="{EXPORT}"'}
        return Response(data, headers={**named, "cache-control": "no-store"})
