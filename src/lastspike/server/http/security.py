"""Security: response headers, and which origins and hosts may send requests."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from functools import cache
from urllib.parse import urlsplit

from lastspike.server.config.settings import Config, origin_of

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",  # which holds ws: and wss: to the same host as well
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_A_YEAR = 31_536_000


def response_headers(config: Config) -> tuple[tuple[bytes, bytes], ...]:
    """The headers of every HTTP response, as ASGI writes them."""
    headers = dict(_HEADERS)
    if config.secure:
        headers["strict-transport-security"] = f"max-age={_A_YEAR}"
    return tuple((name.encode(), value.encode()) for name, value in headers.items())


def same_origin(headers: Mapping[str, str], config: Config, scheme: str = "http") -> bool:
    """Whether an unsafe request or a socket comes from our own page, or not from a browser.

    `headers` are those of the request, by names in lower case; `scheme` is how it came. A browser
    says by itself what kind of page asks, and no page can make it lie. A program that is no browser
    carries nobody's cookies but those it was given, so it may ask without saying anything.
    """
    origin = headers.get("origin")
    if origin is not None and origin in config.origins:
        return True
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    if origin is None:
        return True
    if config.origin is not None:
        return origin == config.origin
    try:
        own = urlsplit(f"{scheme.replace('ws', 'http', 1)}://{headers.get('host', '')}")
        return bool(own.hostname) and origin == origin_of(own)
    except ValueError:
        return False


_FROM_PROXIES = ("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-ray")


def through_proxy(headers: Mapping[str, str]) -> bool:
    """Whether a proxy has passed the request on, by any of the headers that proxies add."""
    return any(name.startswith("x-forwarded-") or name in _FROM_PROXIES for name in headers)


def allowed_host(host: str, config: Config) -> bool:
    """Whether the `Host` of a request can be ours, if no base URL is configured.

    A foreign page can point a name of its own at this machine, and its browser would then take us
    for that page. It can't do so with an address, nor with a name that is resolved locally.
    Behind a base URL cookies belong to its host alone, and there is nothing to gain.
    """
    if config.base_url is not None:
        return True
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    return name in _own_names() or name.endswith((".local", ".localhost")) or _is_address(name)


@cache
def _own_names() -> frozenset[str]:
    return frozenset({"localhost", socket.gethostname().lower()})


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
