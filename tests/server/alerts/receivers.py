"""Where alerts arrive in tests: a browser's push subscription, and a mailbox behind a real SMTP
server."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from lastspike import protocol as p
from tests.server.company import Letter, Letterbox, until


class Browser:
    """A browser that has subscribed at a push service, and can read what it gets from there."""

    def __init__(self, service: Letterbox, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = name.encode().ljust(16, b".")
        self.path = f"/push/{name}"
        self._endpoint = service.url + self.path

    def subscription(self, language: p.Language = "en") -> p.NewPush:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return p.NewPush(self._endpoint, _text(point), _text(self._auth), language)

    def read(self, letter: Letter) -> dict[str, Any]:
        """The content of a push message, whose signature must be that of a server."""
        assert Vapid02.verify(letter.headers["authorization"])
        assert letter.headers["content-encoding"] == "aes128gcm"
        plain = http_ece.decrypt(
            letter.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        content: dict[str, Any] = json.loads(plain)
        return content


class _AnyPort(Controller):
    """A server on a free port, which its own first connection has to find."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        trigger: Any = super()._trigger_server
        trigger()


class Mailbox:
    """A real SMTP server that keeps the e-mail it receives."""

    def __init__(self) -> None:
        self.refusals: dict[str, list[str]] = {}
        """By address, how messages are refused after their text was sent, the first one first."""
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        """The same, byte by byte."""
        box = self

        class Handler:
            async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
                if refusals := box.refusals.get(envelope.rcpt_tos[0]):
                    return refusals.pop(0)
                found = message_from_bytes(envelope.content, policy=default)
                found["X-Envelope-To"] = ", ".join(envelope.rcpt_tos)
                box.raw.append(envelope.content)
                box.mails.append(found)
                return "250 OK"

        self._controller = _AnyPort(Handler(), hostname="127.0.0.1", port=0)

    @property
    def port(self) -> int:
        port: int = self._controller.port
        return port

    def __enter__(self) -> Mailbox:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    async def wait_for(self, count: int) -> list[EmailMessage]:
        await until(lambda: len(self.mails) >= count)
        return self.mails


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
