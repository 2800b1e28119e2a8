"""The routes for whoever runs the server, and the page that says that it runs."""

from __future__ import annotations

from litestar import MediaType, Response

from lastspike import __version__

from . import metrics
from . import protocol as p
from .routing import get
from .schema import socket_schema_text
from .services import FromServices


@get("/healthz", summary="Whether this worker can do its work", tags=["operations"])
async def healthz(services: FromServices) -> p.Health:
    """Answers 200 only if the database does."""
    await services.storage.ping()
    return p.Health("ok", __version__)


@get("/metrics", include_in_schema=False)
async def metrics_text(services: FromServices) -> Response[bytes]:
    metrics.TABLES.set(len(services.hall.live))
    return Response(metrics.render(), media_type=metrics.CONTENT_TYPE)


@get(
    "/schema/socket.json",
    include_in_schema=False,
    media_type="application/schema+json",
    sync_to_thread=False,
)
def socket_schema() -> str:
    """What OpenAPI can't say: the messages of the socket."""
    return socket_schema_text()


@get("/", include_in_schema=False)
async def front() -> Response[str]:
    """Until there is a page to play on, how to play and where the protocol is."""
    return Response(_FRONT, media_type=MediaType.HTML)


_FRONT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The Last Spike</title>
<h1>The Last Spike</h1>
<p>This server is running. The page to play on is not part of this version yet.</p>
<p>To play now, in a terminal: <code>lastspike play --terminal</code></p>
<p>To write a client: <a href="schema/openapi.json">the routes</a>, and docs/protocol.md.</p>
</html>
"""
