"""The routes for operators."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response

from lastspike import protocol as p
from lastspike.release import full_version
from lastspike.server.http.routing import get
from lastspike.server.http.security import through_proxy
from lastspike.server.http.services import FromServices
from lastspike.server.monitoring import metrics
from lastspike.server.table.errors import NotFound

from .socket_schema import socket_schema_text


@get("/healthz", summary="Whether this worker can do its work", tags=["operations"])
async def healthz(services: FromServices) -> p.Health:
    """Answers 200 only if the database does."""
    await services.storage.ping()
    return p.Health("ok", full_version())


@get("/metrics", include_in_schema=False)
async def metrics_text(request: Request[Any, Any, Any], services: FromServices) -> Response[bytes]:
    """Only for direct requests: one that came through a proxy came from outside."""
    if through_proxy(request.headers):
        raise NotFound("there is nothing here")
    metrics.TABLES.set(len(services.registry.live))
    return Response(metrics.render(), media_type=metrics.CONTENT_TYPE)


@get(
    "/schema/socket.json",
    include_in_schema=False,
    media_type="application/schema+json",
    sync_to_thread=False,
)
def socket_schema() -> str:
    """The messages of the socket, which OpenAPI can't describe."""
    return socket_schema_text()
