"""Logs: one line for each thing worth knowing, for people or as JSON, and never a secret.

What is said at tables, cookies, tokens, seeds and queries have no place in a log. Nobody writes
them, and what looks like one is cut even so, for it might stand in an error's text.
"""

from __future__ import annotations

import json
import logging
import logging.config
import re
from datetime import UTC, datetime
from typing import Any

from lastspike.server.config.settings import Config

ACCESS = logging.getLogger("lastspike.access")
_SHOWN = 6

_REPLACED = (
    (re.compile(r"\[parameters: .*?\](?=\n|$)", re.DOTALL), "[parameters: …]"),
    (re.compile(r"(://[^\s:/@]*):[^\s@]+@"), r"\1:…@"),
    (re.compile(r"[?#][^\s'\"]*=[^\s'\"]*"), "?…"),
    (re.compile(rf"(?<![\w-])([\w-]{{{_SHOWN}}})(?=[\w-]*[A-Z\d])[\w-]{{15,}}", re.ASCII), r"\1…"),
)
# What uvicorn says of every socket, beside our own line: with the address of who it is, and as an
# error whenever one is refused with a reason.
_OF_SOCKETS = (
    '%s - "WebSocket %s"',
    "connection open",
    "connection closed",
    "connection rejected",
    "ASGI callable returned without completing handshake",
)
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


def set_up(config: Config) -> None:
    """Send all logs of this process through here, to standard error."""
    logging.config.dictConfig(log_config(config))


def log_config(config: Config) -> dict[str, Any]:
    """The same as uvicorn takes it, which sets up its worker processes with it."""
    wanted = config.log_level.upper()
    # At DEBUG uvicorn and websockets write down every frame, and frames hold secrets.
    of_others = "INFO" if wanted == "DEBUG" else wanted
    # These log addresses of webhooks, which are secrets, and parameters of statements.
    talkative = "ERROR" if wanted == "ERROR" else "WARNING"
    lines = JsonLines if config.log_format == "json" else TextLines
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": lines}},
        "filters": {"no_sockets": {"()": NoSockets}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"handlers": ["stderr"], "level": of_others},
        "loggers": {
            "lastspike": {"level": wanted},
            **{
                name: {"handlers": [], "level": of_others, "propagate": True}
                for name in ("uvicorn", "uvicorn.asgi", "litestar")
            },
            "uvicorn.error": {
                "handlers": [],
                "level": of_others,
                "propagate": True,
                "filters": ["no_sockets"],
            },
            # Its lines would show queries; ours stand in for them.
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
            **{
                name: {"level": talkative}
                for name in ("httpx", "httpcore", "sqlalchemy", "alembic", "asyncio")
            },
        },
    }


def access(method: str, path: str, status: int, seconds: float) -> None:
    """One line for one request, or for one socket when it has ended."""
    if ACCESS.isEnabledFor(logging.INFO):
        shown = shown_path(path)
        ms = round(seconds * 1000, 1)
        ACCESS.info(
            "%s %s %d %.1f ms",
            method,
            shown,
            status,
            ms,
            extra={"method": method, "path": shown, "status": status, "ms": ms},
        )


def shown_path(path: str) -> str:
    """A path as a log may show it: no query, long segments cut, nothing that ends a line."""
    parts = path.partition("?")[0][:400].split("/")
    short = (part if len(part) < 16 or "." in part else f"{part[:_SHOWN]}…" for part in parts)
    return "".join(letter if letter.isprintable() else "�" for letter in "/".join(short))[:200]


def scrubbed(text: str) -> str:
    """The text without what might be a secret: passwords, queries, long random words."""
    for pattern, instead in _REPLACED:
        text = pattern.sub(instead, text)
    return text


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`, whatever else was given."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _moment(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": scrubbed(record.getMessage()),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD:
                line[name] = scrubbed(value) if isinstance(value, str) else value
        if record.exc_info:
            line["error"] = scrubbed(_traceback(self, record))
        return json.dumps(line, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """Time, level and message, for people. A traceback follows its line."""

    def format(self, record: logging.LogRecord) -> str:
        message = "".join(
            letter if letter.isprintable() else "�" for letter in scrubbed(record.getMessage())
        )
        line = f"{_moment(record):%Y-%m-%d %H:%M:%S} {record.levelname.lower():7} {message}"
        if record.exc_info:
            line = f"{line}\n{scrubbed(_traceback(self, record))}"
        return line


class NoSockets(logging.Filter):
    """Drops what uvicorn says of sockets."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith(_OF_SOCKETS)


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """The traceback, or the `log_line` of an error that has one."""
    assert record.exc_info is not None
    line = getattr(record.exc_info[1], "log_line", None)
    return formatter.formatException(record.exc_info) if line is None else str(line)


def _moment(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
