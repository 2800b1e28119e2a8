"""The cookie that says who a browser is."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.datastructures import Cookie

from lastspike.server.config.settings import Config
from lastspike.server.people.sessions import COOKIE, SESSION_MS


def without_cookie(response: Response[Any], config: Config) -> Response[Any]:
    """The response, which makes this device forget who it was."""
    response.delete_cookie(COOKIE, path=config.sub_path or "/")
    return response


def with_cookie(response: Response[Any], secret: str | None, config: Config) -> Response[Any]:
    """The response with the person's secret, if there is a new one. Scripts can't read
    the cookie, and other sites can't send it."""
    if secret is None:
        return response
    response.set_cookie(
        Cookie(
            key=COOKIE,
            value=secret,
            path=config.sub_path or "/",
            max_age=SESSION_MS // 1000,
            httponly=True,
            secure=config.secure,
            samesite="strict",
        )
    )
    return response
