"""The routes of the page: its files and a table's QR code."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response
from litestar.params import FromPath

from lastspike.server.http.language import language_for
from lastspike.server.http.links import page_address, qr_code
from lastspike.server.http.page.files import ASK_AGAIN, FOR_EVER, files, page_in, page_version
from lastspike.server.http.routing import get
from lastspike.server.http.services import FromServices
from lastspike.server.table.errors import NotFound


@get(
    [
        "/",
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
        "/verify",
        "/verify/{table_id:str}",
    ],
    include_in_schema=False,
    media_type=MediaType.HTML,
)
async def page(request: Request[Any, Any, Any], services: FromServices) -> Response[str]:
    """One page for every screen; its address says which one to show."""
    language = language_for(request.headers.get("accept-language"))
    text = page_in(language).replace("{base}", f"{services.config.sub_path}/")
    return Response(text, headers={"cache-control": ASK_AGAIN, "vary": "accept-language"})


@get("/web/{version:str}/{path:path}", include_in_schema=False)
async def web_file(
    request: Request[Any, Any, Any], version: FromPath[str], path: FromPath[str]
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


@get(
    "/api/tables/{table_id:str}/qr",
    summary="A table's link to scan",
    tags=["page"],
    media_type="image/svg+xml",
)
async def qr(
    request: Request[Any, Any, Any], services: FromServices, table_id: FromPath[str]
) -> Response[bytes]:
    """The table's address as a QR code."""
    table = await services.registry.table(table_id)
    return Response(qr_code(page_address(request, services.config, f"table/{table.state.id}")))
