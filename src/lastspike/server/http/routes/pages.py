"""The routes of the page: its files and a table's QR code."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import FromPath

from lastspike import protocol as p
from lastspike.server.http.language import language_for
from lastspike.server.http.links import page_address, qr_code
from lastspike.server.http.page.files import ASK_AGAIN, FOR_EVER, files, page_in, page_version
from lastspike.server.http.problems import http_problem
from lastspike.server.http.routing import get
from lastspike.server.http.services import FromServices, Services
from lastspike.server.table.errors import NotFound

AnyRequest = Request[Any, Any, Any]

_TABLE = re.compile(r"/table/[\w-]{22}", re.ASCII)
_NO_PAGES = ("/api/", "/web/", "/schema")
"""Below these are answers for programs, and files."""


@get(
    [
        "/",
        "/about",
        "/admin",
        "/alerts",
        "/table/{table_id:str}",
        "/edition",
        "/edition/{edition_id:str}",
        "/history",
        "/learn",
        "/lesson",
        "/record",
        "/review",
        "/review/{table_id:str}",
        "/rules",
        "/rules/{edition_id:str}",
        "/unsubscribe/{token:str}",
        "/verify",
        "/verify/{table_id:str}",
    ],
    include_in_schema=False,
    media_type=MediaType.HTML,
)
async def page(request: AnyRequest, services: FromServices) -> Response[str]:
    """One page for every screen; its address says which one to show."""
    path = request.scope["path"].rstrip("/")
    if path.startswith("/table/") and not _TABLE.fullmatch(path):
        raise NotFoundException
    return _page(request, services)


def unknown_address(services: Services) -> Callable[[AnyRequest, HTTPException], Response[Any]]:
    """The handler of unknown addresses. A browser that opens one gets the page, which says so and
    offers a way on; a program gets a problem as JSON."""

    def answer(request: AnyRequest, error: HTTPException) -> Response[Any]:
        wants_page = "text/html" in request.headers.get("accept", "")
        if wants_page and not request.scope["path"].startswith(_NO_PAGES):
            return _page(request, services, status=404)
        return http_problem(request, error)

    return answer


def _page(request: AnyRequest, services: Services, status: int = 200) -> Response[str]:
    language, config = language_for(request.headers.get("accept-language")), services.config
    # Known from the start, so that nothing moves when the screen is drawn.
    screen = "table" if request.scope["path"].startswith("/table/") else "home"
    about = any((config.privacy, config.imprint, config.contact))
    site = p.Site(config.name, about, services.announcements.now)
    told = html.escape(msgspec.json.encode(site).decode())
    page = page_in(language).replace("{base}", f"{config.sub_path}/").replace("{screen}", screen)
    return Response(
        page.replace("{site}", told),
        status_code=status,
        media_type=MediaType.HTML,
        headers={"cache-control": ASK_AGAIN, "vary": "accept-language"},
    )


@get("/web/{version:str}/{path:path}", include_in_schema=False)
async def web_file(
    request: AnyRequest, version: FromPath[str], path: FromPath[str]
) -> Response[bytes]:
    """Styles, modules and pictures; an older version's address gets the present file, uncached."""
    file = files().get(path.lstrip("/"))
    if file is None:
        raise NotFound("there is nothing here")
    headers = {
        "cache-control": FOR_EVER if version == page_version() else "no-store",
        "vary": "accept-encoding",
    }
    body = file.plain
    if len(file.packed) < len(file.plain) and "gzip" in request.headers.get("accept-encoding", ""):
        body = file.packed
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=file.media_type, headers=headers)


@get("/worker.js", include_in_schema=False)
async def worker() -> Response[bytes]:
    """The service worker. It is served beside the page and not with its files, because it works
    for what is below its own address."""
    file = files()["js/worker/push.js"]
    return Response(file.plain, media_type=file.media_type, headers={"cache-control": ASK_AGAIN})


@get(
    "/api/tables/{table_id:str}/qr",
    summary="A table's link to scan",
    tags=["page"],
    media_type="image/svg+xml",
)
async def qr(
    request: AnyRequest, services: FromServices, table_id: FromPath[str]
) -> Response[bytes]:
    """The table's address as a QR code."""
    table = await services.registry.table(table_id)
    return Response(qr_code(page_address(request, services.config, f"table/{table.state.id}")))
