"""The cookie that says who a browser is."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.datastructures import Cookie

from lastspike.server.config.settings import Config
from lastspike.server.people.sessions import COOKIE, HOST_COOKIE, SESSION_MS


def without_cookie(response: Response[Any], config: Config) -> Response[Any]:
    """The response, which makes this device forget who it was."""
    _forget(response, COOKIE, config)
    if config.secure:
        _forget(response, HOST_COOKIE, config)
    return response


def with_cookie(response: Response[Any], secret: str | None, config: Config) -> Response[Any]:
    """The response with the person's secret, if there is a new one. Scripts can't read
    the cookie, and other sites can't send it. Over https no other host can set it, either."""
    if secret is None:
        return response
    name = HOST_COOKIE if config.host_cookie else COOKIE
    _set(response, name, secret, config, SESSION_MS // 1000)
    if config.host_cookie:
        _forget(response, COOKIE, config)
    return response


def _forget(response: Response[Any], name: str, config: Config) -> None:
    _set(response, name, "", config, 0)


def _set(response: Response[Any], name: str, value: str, config: Config, max_age: int) -> None:
    response.set_cookie(
        Cookie(
            key=name,
            value=value,
            path="/" if name == HOST_COOKIE else config.sub_path or "/",
            max_age=max_age,
            httponly=True,
            secure=config.secure,
            samesite="strict",
        )
    )
