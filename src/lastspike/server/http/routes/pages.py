"""The page: its files, its words in each language, and the editions that it draws."""

from __future__ import annotations

import gzip
import hashlib
import io
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import segno
from litestar import MediaType, Request, Response
from litestar.params import FromPath

from lastspike import __version__
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.server.http.language import language_for
from lastspike.server.http.routing import get
from lastspike.server.http.services import FromServices, Services
from lastspike.server.table.errors import NotFound
from lastspike.words.language import LANGUAGES, page_messages

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
FOR_EVER = "public, max-age=31536000, immutable"
"""For addresses that carry the page's version: what they name never changes."""
ASK_AGAIN = "no-cache"


class File(NamedTuple):
    media_type: str
    plain: bytes
    packed: bytes


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
    """One page for every screen; which one it shows, it reads from its address."""
    language = language_for(request.headers.get("accept-language"))
    text = (
        (_folder() / "index.html")
        .read_text("utf-8")
        .replace("{base}", f"{services.config.sub_path}/")
        .replace("{version}", page_version())
        .replace("{language}", language)
    )
    return Response(text, headers={"cache-control": ASK_AGAIN, "vary": "accept-language"})


@get("/web/{version:str}/{path:path}", include_in_schema=False)
async def web_file(
    request: Request[Any, Any, Any], version: FromPath[str], path: FromPath[str]
) -> Response[bytes]:
    """Styles, modules and pictures; under an older version's address the newer file, unkept."""
    file = _files().get(path.lstrip("/"))
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


@get("/api/words/{language:str}", summary="The page's words in a language", tags=["page"])
async def words(language: FromPath[str]) -> Response[dict[str, Any]]:
    """A text for each English message; a list of forms where there are several."""
    if language not in LANGUAGES:
        raise NotFound("there is nothing here")
    return Response(page_messages(language), headers={"cache-control": ASK_AGAIN})


@get("/api/editions/{edition_id:str}", summary="The figures of an edition", tags=["page"])
async def edition(edition_id: FromPath[str]) -> Response[dict[str, Any]]:
    if edition_id not in shipped_ids():
        raise NotFound("there is no such edition")
    return Response(shipped(edition_id).to_figures(), headers={"cache-control": ASK_AGAIN})


@get(
    "/api/tables/{table_id:str}/qr",
    summary="A table's link to scan",
    tags=["page"],
    media_type="image/svg+xml",
)
async def qr(
    request: Request[Any, Any, Any], services: FromServices, table_id: FromPath[str]
) -> Response[bytes]:
    """The same address that the page shows, as a picture."""
    table = await services.registry.table(table_id)
    return Response(picture_of(address(request, services, f"table/{table.state.id}")))


def address(request: Request[Any, Any, Any], services: Services, path: str) -> str:
    """Where a screen of the page is, as who asks has reached the server."""
    config = services.config
    origin = config.origin or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    return f"{origin}{config.sub_path}/{path}"


def picture_of(address: str) -> bytes:
    """A QR code, as SVG."""
    picture = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(picture, kind="svg", border=3, dark="#2a1d10", light="#fffaf0", svgclass=None)
    return picture.getvalue()


def _folder() -> Path:
    return Path(str(resources.files("lastspike.web")))


@cache
def _files() -> dict[str, File]:
    """Every file of the page by its path, plain and packed: small enough to keep in memory."""
    found = {}
    for path in sorted(_folder().rglob("*")):
        media_type = TYPES.get(path.suffix)
        if media_type is not None:
            plain = path.read_bytes()
            name = path.relative_to(_folder()).as_posix()
            found[name] = File(media_type, plain, gzip.compress(plain, 9, mtime=0))
    return found


@cache
def page_version() -> str:
    """Changes with anything that the browser gets, so that an old page knows that it is one."""
    digest = hashlib.sha256(__version__.encode())
    digest.update((_folder() / "index.html").read_bytes())
    for name, file in _files().items():
        digest.update(name.encode() + file.plain)
    for language in LANGUAGES:
        digest.update(msgspec.json.encode(page_messages(language)))
    return f"{__version__}-{digest.hexdigest()[:8]}"
