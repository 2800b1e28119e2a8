"""Addresses of the page, and QR codes of them."""

from __future__ import annotations

import io
from typing import Any

import segno
from litestar import Request

from lastspike.server.config.settings import Config


def page_address(request: Request[Any, Any, Any], config: Config, path: str) -> str:
    """Where a screen of the page is, under the address by which the caller reached the server."""
    origin = config.origin or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    return f"{origin}{config.sub_path}/{path}"


def qr_code(address: str) -> bytes:
    """As SVG."""
    picture = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(picture, kind="svg", border=3, dark="#2a1d10", light="#fffaf0", svgclass=None)
    return picture.getvalue()
