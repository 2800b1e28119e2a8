"""The sender of alerts: HTTP requests with retries, never into our own network.

It reads only the headers of a response and follows no redirects. Logs show only the host of a URL,
because the rest is often a secret.
"""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import httpx

from lastspike.rules.errors import LastSpikeError
from lastspike.server.table.errors import TooMany

from .address_guard import Target, checked_addresses, read_target
from .forms import Alert, Form, write_alert

log = logging.getLogger(__name__)

MOST_WAITING = 1000
MOST_OF_ONE = 20
"""How many alerts may wait, in all and of one person’s."""
MOST_AT_ONCE = 32
MOST_UNPROVEN = 16
"""How many of them to receivers that have taken no alert yet. Names that nobody answers for hold up
each other, and none of the rest."""
AT_ONCE_OF_ONE = 3
MOST_PROVEN = 5_000
LONGEST_PAUSE = 60.0
TOO_MANY = httpx.codes.TOO_MANY_REQUESTS
GONE = (httpx.codes.NOT_FOUND, httpx.codes.GONE)
_ADDRESSES_TRIED = 3


class AlertSender:
    """Sends alerts between `start` and `close`, one at a time to each URL, many URLs at once, a few
    of one person’s, and more to receivers that have taken one before.

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
        self._owners: Counter[str] = Counter()
        """How many alerts of each person are being sent, and `check_url` looks up."""
        self._unproven = 0
        self._proven: OrderedDict[str, None] = OrderedDict()

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

    async def check_url(self, url: str, owner: str = "") -> None:
        """`LastSpikeError` if the URL is not allowed, `TooMany` while this person's others are
        looked up."""
        target = read_target(url, allow_private=self._allow_private)
        if self._owners[owner] >= AT_ONCE_OF_ONE:
            raise TooMany("the server is busy; try again later")
        self._owners[owner] += 1
        try:
            async with asyncio.timeout(self._timeout):
                await checked_addresses(target, allow_private=self._allow_private)
        except TimeoutError:
            raise LastSpikeError(
                "{host} can’t be found on the public internet", host=target.host
            ) from None
        finally:
            self._owners -= Counter([owner])

    def send(self, url: str, form: Form, alert: Alert, owner: str = "") -> None:
        """Queue an alert of a person for a webhook."""
        self.post(url, *write_alert(form, alert), owner)

    def post(
        self,
        url: str,
        content: bytes,
        headers: dict[str, str],
        owner: str = "",
        on_gone: Callable[[], None] | None = None,
    ) -> None:
        """Queue a request for a person. If the queue is full, or this person's part of it, the
        oldest is dropped. `on_gone` is called if the receiver says that it no longer exists."""
        if not self._open:
            return
        mine = [each for each in self._waiting if each.owner == owner] if owner else []
        if len(mine) >= MOST_OF_ONE:
            self._drop(mine[0])
        elif len(self._waiting) >= MOST_WAITING:
            self._drop(self._waiting[0])
        self._waiting.append(_Waiting(url, content, headers, owner, on_gone))
        self._begin()

    def _drop(self, waiting: _Waiting) -> None:
        self._waiting.remove(waiting)
        log.warning("too many alerts wait: one for %s is dropped", _host(waiting.url))
        self._done(sent=False)

    def _begin(self) -> None:
        """Start what can be sent now. A slow URL delays only its own alerts."""
        for waiting in list(self._waiting):
            if len(self._sending) >= MOST_AT_ONCE:
                return
            if waiting.url not in self._sending and self._may_begin(waiting):
                self._waiting.remove(waiting)
                self._owners[waiting.owner] += 1
                proven = waiting.url in self._proven
                self._unproven += not proven
                task = asyncio.create_task(self._deliver(waiting, proven=proven))
                self._sending[waiting.url] = task

    def _may_begin(self, waiting: _Waiting) -> bool:
        if waiting.owner and self._owners[waiting.owner] >= AT_ONCE_OF_ONE:
            return False
        return waiting.url in self._proven or self._unproven < MOST_UNPROVEN

    async def _deliver(self, waiting: _Waiting, *, proven: bool) -> None:
        sent = False
        try:
            sent = await self._try(waiting)
        except Exception as error:
            log.warning("an alert to %s failed: %s", _host(waiting.url), type(error).__name__)
        finally:
            del self._sending[waiting.url]
            self._owners -= Counter([waiting.owner])
            self._unproven -= not proven
            self._proven.pop(waiting.url, None)
            if sent:
                self._proven[waiting.url] = None
                while len(self._proven) > MOST_PROVEN:
                    self._proven.popitem(last=False)
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
                if answer.status_code in GONE and waiting.on_gone is not None:
                    waiting.on_gone()
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
        unreached: httpx.TransportError | None = None
        for address in found[:_ADDRESSES_TRIED]:
            try:
                return await self._post_to(address, target, waiting)
            except httpx.ConnectError as error:
                unreached = error
        assert unreached is not None
        raise unreached

    async def _post_to(self, address: str, target: Target, waiting: _Waiting) -> httpx.Response:
        if self._tls is None:
            raise RuntimeError("alerts are sent once they are started")
        request = target.request("POST", address, waiting.headers, waiting.content)
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
    content: bytes
    headers: dict[str, str]
    owner: str
    on_gone: Callable[[], None] | None


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
