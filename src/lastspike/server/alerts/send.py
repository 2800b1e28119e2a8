"""The sender of alerts: HTTP requests with retries, never into our own network.

It reads only the headers of a response and follows no redirects. Logs show only the host of a URL,
because the rest is often a secret.
"""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import httpx

from lastspike.rules.errors import LastSpikeError

from .address_guard import Target, checked_addresses, read_target
from .forms import Alert, Form, write_alert

log = logging.getLogger(__name__)

MOST_WAITING = 1000
MOST_AT_ONCE = 32
LONGEST_PAUSE = 60.0
TOO_MANY = httpx.codes.TOO_MANY_REQUESTS
_ADDRESSES_TRIED = 3


class AlertSender:
    """Sends alerts between `start` and `close`, one at a time to each URL, many URLs at once.

    Each of `attempts` may take `timeout` seconds. Connection errors, server errors and 429 are
    retried after a pause that starts at `pause` seconds and doubles. `on_done` is called for each
    alert with whether it was sent. `allow_private` allows addresses in the server's own network.
    """

    def __init__(
        self,
        *,
        allow_private: bool,
        timeout: float = 10,
        attempts: int = 4,
        on_done: Callable[[bool], None] | None = None,
        pause: float = 1.0,
    ) -> None:
        self._allow_private = allow_private
        self._timeout = timeout
        self._attempts = attempts
        self._on_done = on_done
        self._pause = pause
        self._tls: ssl.SSLContext | None = None
        self._open = False
        self._waiting: deque[_Waiting] = deque()
        self._sending: dict[str, asyncio.Task[None]] = {}

    async def start(self) -> None:
        self._tls = await asyncio.to_thread(httpx.create_ssl_context)  # reads many files
        self._open = True

    async def close(self) -> None:
        """Drop unsent alerts."""
        self._open = False
        self._waiting.clear()
        sending = list(self._sending.values())
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        self._sending.clear()  # tasks that never ran could not remove themselves

    async def check_url(self, url: str) -> None:
        """`LastSpikeError` if the URL is not allowed."""
        target = read_target(url, allow_private=self._allow_private)
        try:
            async with asyncio.timeout(self._timeout):
                await checked_addresses(target, allow_private=self._allow_private)
        except TimeoutError:
            raise LastSpikeError(
                "{host} can’t be found on the public internet", host=target.host
            ) from None

    def send(self, url: str, form: Form, alert: Alert) -> None:
        """Queue an alert. If the queue is full, the oldest is dropped."""
        if not self._open:
            return
        if len(self._waiting) >= MOST_WAITING:
            dropped = self._waiting.popleft()
            log.warning("too many alerts wait: one for %s is dropped", _host(dropped.url))
            self._done(sent=False)
        self._waiting.append(_Waiting(url, form, alert))
        self._begin()

    def _begin(self) -> None:
        """Start what can be sent now. A slow URL delays only its own alerts."""
        for waiting in list(self._waiting):
            if len(self._sending) >= MOST_AT_ONCE:
                return
            if waiting.url not in self._sending:
                self._waiting.remove(waiting)
                self._sending[waiting.url] = asyncio.create_task(self._deliver(waiting))

    async def _deliver(self, waiting: _Waiting) -> None:
        sent = False
        try:
            sent = await self._try(waiting)
        except Exception as error:
            log.warning("an alert to %s failed: %s", _host(waiting.url), type(error).__name__)
        finally:
            del self._sending[waiting.url]
            self._done(sent=sent)
            self._begin()

    async def _try(self, waiting: _Waiting) -> bool:
        for attempt in range(self._attempts):
            pause = self._pause * 2**attempt * random.uniform(0.5, 1.5)
            try:
                async with asyncio.timeout(self._timeout):
                    answer = await self._post(waiting)
                if answer.is_success:
                    return True
                reason = str(answer.status_code)
                if answer.status_code != TOO_MANY and not answer.is_server_error:
                    log.warning("%s refused an alert: %s", _host(waiting.url), reason)
                    return False
                pause = max(pause, _retry_after(answer))
            except (httpx.TransportError, OSError) as error:  # TimeoutError is one
                reason = type(error).__name__
            except LastSpikeError:
                reason = "no address that may be used"
            log.info("%s did not take an alert: %s", _host(waiting.url), reason)
            if attempt + 1 < self._attempts:
                await asyncio.sleep(min(pause, LONGEST_PAUSE))
        log.warning("%s did not take an alert in %d attempts", _host(waiting.url), self._attempts)
        return False

    async def _post(self, waiting: _Waiting) -> httpx.Response:
        """The response (status and headers) of the first reachable address."""
        target = read_target(waiting.url, allow_private=self._allow_private)
        found = await checked_addresses(target, allow_private=self._allow_private)
        content, headers = write_alert(waiting.form, waiting.alert)
        unreached: httpx.TransportError | None = None
        for address in found[:_ADDRESSES_TRIED]:
            try:
                return await self._post_to(address, target, content, headers)
            except httpx.ConnectError as error:
                unreached = error
        assert unreached is not None
        raise unreached

    async def _post_to(
        self, address: str, target: Target, content: bytes, headers: dict[str, str]
    ) -> httpx.Response:
        if self._tls is None:
            raise RuntimeError("alerts are sent once they are started")
        request = httpx.Request(
            "POST",
            target.url.copy_with(host=address),
            headers={
                "Host": target.url.netloc.decode("ascii"),
                "User-Agent": "lastspike",
                "Connection": "close",
                **headers,
            },
            content=content,
            extensions={"sni_hostname": target.host},
        )
        # A client would use redirects and proxies, and log whole URLs. One transport per request
        # never reuses a connection made for another name.
        async with httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False) as transport:
            answer = await transport.handle_async_request(request)
            await answer.aclose()
        return answer

    def _done(self, *, sent: bool) -> None:
        if self._on_done is not None:
            self._on_done(sent)


class _Waiting(NamedTuple):
    url: str
    form: Form
    alert: Alert


def _retry_after(answer: httpx.Response) -> float:
    """The seconds in `Retry-After`, or 0."""
    text = answer.headers.get("Retry-After", "")
    with suppress(ValueError):
        return min(int(text), LONGEST_PAUSE)
    with suppress(ValueError, TypeError):  # not a date, or one without time zone
        return (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    return 0.0


def _host(url: str) -> str:
    with suppress(httpx.InvalidURL):
        return httpx.URL(url).raw_host.decode("ascii")
    return "?"
