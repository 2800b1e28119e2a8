"""The routes for operators."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from litestar import MediaType, Request, Response

from lastspike import protocol as p
from lastspike.languages import LANGUAGES, tag_of
from lastspike.release import full_version
from lastspike.server.http.routing import get
from lastspike.server.http.security import through_proxy
from lastspike.server.http.services import FromServices
from lastspike.server.monitoring import metrics
from lastspike.server.table.errors import NotFound

from .socket_schema import socket_schema_text

_NOT_TO_INDEX = ("/admin", "/api/", "/history", "/record", "/review", "/table/", "/verify")
_SECURITY_TEXT_LASTS = timedelta(days=180)
"""It says so itself, and is written when it is asked for."""


@get("/healthz", summary="Whether this worker can do its work", tags=["operations"])
async def healthz(services: FromServices) -> p.Health:
    """Answers 200 only if the database does."""
    await services.storage.ping()
    return p.Health("ok", full_version())


@get("/api/about", summary="Who runs this server", tags=["operations"], sync_to_thread=False)
def about(services: FromServices) -> p.AboutServer:
    config = services.config
    return p.AboutServer(config.name, config.privacy, config.imprint, config.contact)


@get("/robots.txt", include_in_schema=False, media_type=MediaType.TEXT, sync_to_thread=False)
def robots(services: FromServices) -> str:
    """Search engines may show the home page, the rules and the lesson. Tables are for those who
    were invited."""
    closed = "".join(f"Disallow: {services.config.sub_path}{path}\n" for path in _NOT_TO_INDEX)
    return f"User-agent: *\n{closed}"


@get(
    "/.well-known/security.txt",
    include_in_schema=False,
    media_type=MediaType.TEXT,
    sync_to_thread=False,
)
def security_text(services: FromServices) -> str:
    """How to report a vulnerability (RFC 9116), if the settings say how to reach the operator."""
    contact = services.config.contact
    if contact is None:
        raise NotFound("there is nothing here")
    if "://" not in contact:
        contact = f"mailto:{contact}"
    expires = (datetime.now(UTC) + _SECURITY_TEXT_LASTS).replace(microsecond=0)
    lines = [f"Contact: {contact}", f"Expires: {expires.isoformat().replace('+00:00', 'Z')}"]
    lines.append("Preferred-Languages: " + ", ".join(tag_of(code) for code in LANGUAGES))
    if services.config.base_url is not None:
        lines.append(f"Canonical: {services.config.base_url}/.well-known/security.txt")
    return "\n".join(lines) + "\n"


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
