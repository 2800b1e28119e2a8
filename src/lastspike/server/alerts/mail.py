"""Sends e-mail through the host's SMTP server, one message after another, with retries."""

from __future__ import annotations

import asyncio
import logging
import re
import smtplib
import ssl
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from typing import NamedTuple

from lastspike.rules.errors import LastSpikeError
from lastspike.server.config.settings import Config

log = logging.getLogger(__name__)

MOST_WAITING = 1000
TIMEOUT_S = 20.0
ATTEMPTS = 4
PAUSE_S = 5.0
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
)


def check_address(address: str) -> str:
    """The address as it is stored; `LastSpikeError` if it can't be one."""
    address = address.strip()
    local, _, domain = address.rpartition("@")
    if not _ADDRESS.fullmatch(address) or "." not in domain or ".." in address:
        raise LastSpikeError("{address} is not an e-mail address", address=address[:80])
    return f"{local}@{domain.lower()}"


class _Waiting(NamedTuple):
    to: str
    mail: EmailMessage


class MailSender:
    """Sends messages between `start` and `close`. `on_done` is called for each with whether the
    host's server took it. Logs never name an address."""

    def __init__(self, config: Config, on_done: Callable[[bool], None] | None = None) -> None:
        self._config = config
        self._on_done = on_done
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue(MOST_WAITING)
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
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def send(self, to: str, mail: EmailMessage) -> None:
        """Queue a message. If the queue is full, it is dropped."""
        if self._task is None:
            return
        mail["From"] = self._config.mail_from
        mail["To"] = to
        try:
            self._queue.put_nowait(_Waiting(to, mail))
        except asyncio.QueueFull:
            log.warning("too many e-mails wait: one is dropped")
            self._done(sent=False)

    async def _run(self) -> None:
        while True:
            waiting = await self._queue.get()
            sent = False
            for attempt in range(ATTEMPTS):
                if attempt:
                    await asyncio.sleep(PAUSE_S * 4 ** (attempt - 1))
                try:
                    await asyncio.to_thread(self._deliver, waiting)
                    sent = True
                    break
                except smtplib.SMTPRecipientsRefused:
                    log.warning("the mail server refused a recipient")
                    break
                except (OSError, smtplib.SMTPException) as error:
                    log.warning("an e-mail could not be sent: %s", type(error).__name__)
            self._done(sent=sent)

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
        with server:
            if config.smtp_security == "starttls":
                server.starttls(context=context)
            if config.smtp_user is not None:
                server.login(config.smtp_user, config.smtp_password or "")
            server.send_message(waiting.mail)

    def _done(self, *, sent: bool) -> None:
        if self._on_done is not None:
            self._on_done(sent)
