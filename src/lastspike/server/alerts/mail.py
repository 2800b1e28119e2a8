"""Sends e-mail through the host's SMTP server, one message after another. A message that has to be
tried again waits, and holds up no other."""

from __future__ import annotations

import asyncio
import heapq
import logging
import re
import smtplib
import ssl
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from time import monotonic
from typing import NamedTuple

from lastspike.rules.errors import LastSpikeError
from lastspike.server.config.settings import Config

from .headers import mail_bytes

log = logging.getLogger(__name__)

MOST_WAITING = 1000
TIMEOUT_S = 20.0
ATTEMPTS = 4
PAUSE_S = 5.0
_FIRST_PERMANENT = 500
"""Codes of SMTP from here on say that another attempt would fail, too."""
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
)
_ENCODED_WORD = "=?"
"""How text in another encoding begins in headers (RFC 2047). Some programs would decode it."""


def check_address(address: str) -> str:
    """The address as it is stored; `LastSpikeError` if it can't be one."""
    address = address.strip()
    local, _, domain = address.rpartition("@")
    right = _ADDRESS.fullmatch(address) and "." in domain and ".." not in address
    if not right or _ENCODED_WORD in address:
        raise LastSpikeError("{address} is not an e-mail address", address=address[:80])
    return f"{local}@{domain.lower()}"


def mailbox_of(address: str) -> str:
    """The mailbox behind an address, by which e-mail is limited: most servers put `a+b@x.org` and
    `A@x.org` into that of `a@x.org`."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}".lower()


class _Waiting(NamedTuple):
    due: float
    number: int
    to: str
    data: bytes
    attempts: int = 0


class MailSender:
    """Sends messages between `start` and `close`. `on_done` is called for each with whether the
    host's server took it. Logs never name an address."""

    def __init__(self, config: Config, on_done: Callable[[bool], None] | None = None) -> None:
        self._config = config
        self._on_done = on_done
        self._waiting: list[_Waiting] = []
        """A heap: what is due first, first."""
        self._added = asyncio.Event()
        self._number = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def available(self) -> bool:
        """Whether the host has set a server and a sender."""
        return self._config.smtp_host is not None and self._config.mail_from is not None

    async def start(self) -> None:
        if self.available:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Drop unsent messages."""
        task, self._task = self._task, None
        self._waiting.clear()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def send(self, to: str, mail: EmailMessage) -> None:
        """Queue a message. If the queue is full, it is dropped."""
        if self._task is None:
            return
        try:
            mail["From"] = self._sender
            mail["To"] = to
            data = mail_bytes(mail, international=not self._sender.isascii())
        except Exception as error:  # Python's package raises many for headers that it can't write
            log.warning("an e-mail could not be written: %s", type(error).__name__)
            self._done(sent=False)
            return
        self._number += 1
        self._add(_Waiting(monotonic(), self._number, to, data))

    def _add(self, waiting: _Waiting) -> None:
        if len(self._waiting) >= MOST_WAITING:
            log.warning("too many e-mails wait: one is dropped")
            self._done(sent=False)
            return
        heapq.heappush(self._waiting, waiting)
        self._added.set()

    async def _run(self) -> None:
        while True:
            waiting = await self._next()
            try:
                await self._try(waiting)
            except Exception as error:  # one message must not end all others
                log.warning("an e-mail could not be sent: %s", type(error).__name__)
                self._done(sent=False)

    async def _next(self) -> _Waiting:
        """The message that is due first, once it is due."""
        while True:
            pause = self._waiting[0].due - monotonic() if self._waiting else None
            if pause is not None and pause <= 0:
                return heapq.heappop(self._waiting)
            self._added.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._added.wait()

    async def _try(self, waiting: _Waiting) -> None:
        try:
            await asyncio.to_thread(self._deliver, waiting)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("an e-mail could not be sent: %s", type(error).__name__)
            attempts = waiting.attempts + 1
            if attempts >= ATTEMPTS or _permanent(error):
                self._done(sent=False)
                return
            due = monotonic() + PAUSE_S * 4 ** (attempts - 1)
            self._add(waiting._replace(due=due, attempts=attempts))
        else:
            self._done(sent=True)

    def _deliver(self, waiting: _Waiting) -> None:
        config = self._config
        assert config.smtp_host is not None
        context = ssl.create_default_context()
        if config.smtp_security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                config.smtp_host, config.smtp_port, timeout=TIMEOUT_S, context=context
            )
        else:
            server = smtplib.SMTP(config.smtp_host, config.smtp_port, timeout=TIMEOUT_S)
        options = () if self._sender.isascii() else ("SMTPUTF8", "BODY=8BITMIME")
        with server:
            if config.smtp_security == "starttls":
                server.starttls(context=context)
            if config.smtp_user is not None:
                server.login(config.smtp_user, config.smtp_password or "")
            server.sendmail(self._sender, [waiting.to], waiting.data, options)

    @property
    def _sender(self) -> str:
        assert self._config.mail_from is not None
        return self._config.mail_from

    def _done(self, *, sent: bool) -> None:
        if self._on_done is not None:
            self._on_done(sent)


def _permanent(error: Exception) -> bool:
    """Whether the server said that it won't take this message later, either."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return any(code >= _FIRST_PERMANENT for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code >= _FIRST_PERMANENT
    return False
