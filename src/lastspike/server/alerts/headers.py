"""The headers of an e-mail. They hold names and addresses that strangers chose, and must not become
other headers.

Python's classes decode what looks like an encoded word (RFC 2047), line breaks included. These take
all text as it is.
"""

from __future__ import annotations

import re
from email.header import Header
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from typing import Any

_ENCODED_WORD = "=?"
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


class _AsItIs(UnstructuredHeader, BaseHeader):
    """A header on one line, such as a URL, which no program could read if it were encoded."""

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        kwds["parse_tree"] = None
        kwds["decoded"] = value

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


class _Sentence(_AsItIs):
    """Text, encoded unless it is plain: then every program shows this text and no other."""

    def fold(self, *, policy: Policy) -> str:
        text = str(self)
        if not (text.isascii() and text.isprintable()) or _ENCODED_WORD in text:
            text = Header(text, "utf-8", header_name=self.name).encode(linesep=policy.linesep)
        return f"{self.name}: {text}{policy.linesep}"


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _AsItIs)
_HEADERS.map_to_type("to", _AsItIs)
_HEADERS.map_to_type("subject", _Sentence)
POLICY = SMTP.clone(header_factory=_HEADERS)


def mail_bytes(mail: EmailMessage, *, international: bool = False) -> bytes:
    """The message as it is sent; `ValueError` if its headers would not be exactly those that were
    set. `international` allows an address of the sender that is not ASCII."""
    data = mail.as_bytes(policy=POLICY.clone(utf8=international))
    head, _, _ = data.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    names = [line.partition(b":")[0] for line in lines if line[:1] not in (b" ", b"\t")]
    if names != [name.encode() for name, _ in mail.items()] or any(map(_CONTROL.search, lines)):
        raise ValueError("the headers of an e-mail are not those that were set")
    return data
