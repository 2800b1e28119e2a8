"""Asks a running server as its operator: the same requests as the operator's page."""

from __future__ import annotations

import ipaddress
import json
import os
import sys
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import typer

from lastspike.languages import tag_of
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

from .status import server_address

SECONDS = 60
T = TypeVar("T")


class _NoRedirects(HTTPRedirectHandler):
    """The key must not follow to another place."""

    def redirect_request(self, *_: Any, **_more: Any) -> None:
        return None


class OperatorClient:
    """The server at this URL, or else the one of these settings. The key comes from a file, the
    environment, or the keyboard, never from the command line, which others can see."""

    def __init__(
        self, url: str | None, config: Path | None, database: str | None, key_file: Path | None
    ) -> None:
        self._url = url
        self._config = config
        self._database = database
        self._key_file = key_file
        self._open = build_opener(
            ProxyHandler({}) if url is None else ProxyHandler(), _NoRedirects
        ).open
        self._known: tuple[str, str] | None = None

    def get(self, kind: type[T], *path: str, **query: str | int | None) -> T:
        given = {name: value for name, value in query.items() if value is not None}
        return self._ask("GET", kind, path, None, urlencode(given))

    def post(self, kind: type[T], *path: str, **body: Any) -> T:
        return self._ask("POST", kind, path, body)

    def delete(self, kind: type[T], *path: str) -> T:
        return self._ask("DELETE", kind, path)

    def _ask(
        self, method: str, kind: type[T], path: tuple[str, ...], body: Any = None, query: str = ""
    ) -> T:
        import msgspec  # a command that asks no server starts sooner without it

        if self._known is None:
            self._known = self._address(), self._key()
        address, key = self._known
        url = f"{address}api/admin/{'/'.join(quote(part, safe='') for part in path)}"
        headers = {
            "authorization": f"Bearer {key}",
            "accept-language": tag_of(words_for().language),
        }
        content = None
        if body is not None:
            content = msgspec.json.encode(body)
            headers["content-type"] = "application/json"
        request = Request(f"{url}?{query}" if query else url, content, headers, method=method)
        try:
            with self._open(request, timeout=SECONDS) as answer:
                return msgspec.json.decode(answer.read(), type=kind)
        except HTTPError as error:
            raise _refused(url, error) from None
        except (URLError, OSError, ValueError, msgspec.MsgspecError) as error:
            reason = getattr(error, "reason", error)
            raise LastSpikeError(
                "{address}: the request failed: {reason}", address=url, reason=str(reason)
            ) from None

    def _address(self) -> str:
        if self._url is None:
            from lastspike.server.config.reading import read_config

            given = {"database": self._database}
            return server_address(read_config(self._config, os.environ, given))
        address = urlsplit(self._url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise LastSpikeError("{address}: not the address of a server", address=self._url)
        if address.scheme == "http" and not _is_here(address.hostname):
            raise LastSpikeError(
                "{address}: over http, others could read the key; use https", address=self._url
            )
        return self._url.rstrip("/") + "/"

    def _key(self) -> str:
        from lastspike.server.config.reading import ADMIN_KEY

        if self._key_file is not None:
            return self._key_file.read_text("utf-8").strip()
        key = os.environ.get(ADMIN_KEY, "")
        if not key and sys.stdin.isatty():
            key = str(
                typer.prompt(words_for().say("The operator’s key"), hide_input=True, err=True)
            )
        if not key:
            raise LastSpikeError(
                "no key: set the environment variable {name}, or use --key-file", name=ADMIN_KEY
            )
        return key.strip()


def _refused(url: str, error: HTTPError) -> LastSpikeError:
    """In the server's own words, if it has any."""
    try:
        told = str(json.loads(error.read())["message"])
    except (ValueError, KeyError, TypeError, OSError):
        told = f"{error.code} {error.reason}"
    return LastSpikeError("{address}: the request failed: {reason}", address=url, reason=told)


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
