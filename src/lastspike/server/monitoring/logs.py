"""Log configuration and formats: text or JSON lines, never with a secret.

No code logs chat, cookies, tokens, seeds or queries. As an error's text could contain one, whatever
looks like a secret is also removed.
"""

from __future__ import annotations

import json
import logging
import logging.config
import re
import sys
import threading
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from lastspike.server.config.settings import Config

ACCESS = logging.getLogger("lastspike.access")
_SHOWN = 6
_log = logging.getLogger(__name__)

_REPLACED = (
    (re.compile(r"\[parameters: .*?\](?=\n|$)", re.DOTALL), "[parameters: …]"),
    (re.compile(r"(://[^\s:/@]*):[^\s@]+@"), r"\1:…@"),
    (re.compile(r"[?#][^\s'\"]*=[^\s'\"]*"), "?…"),
    (re.compile(rf"(?<![\w-])([\w-]{{{_SHOWN}}})(?=[\w-]*[A-Z\d])[\w-]{{15,}}", re.ASCII), r"\1…"),
)
# Uvicorn's own messages about sockets. They contain addresses, and log refusals as errors.
_OF_SOCKETS = (
    '%s - "WebSocket %s"',
    "connection open",
    "connection closed",
    "connection rejected",
    "ASGI callable returned without completing handshake",
)
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


def set_up(config: Config) -> None:
    """Configure the logs of this process. As JSON, they also take what Python would write to
    standard error itself: warnings, and errors that nothing caught."""
    logging.config.dictConfig(log_config(config))
    if config.log_format == "json":
        logging.captureWarnings(True)
        sys.excepthook = _log_uncaught
        threading.excepthook = lambda args: _log_uncaught(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )
        sys.unraisablehook = lambda args: _log_uncaught(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )


def log_config(config: Config) -> dict[str, Any]:
    """The configuration for `dictConfig`. Uvicorn configures its worker processes with it."""
    level = config.log_level.upper()
    # At DEBUG, uvicorn and websockets log every frame, and frames contain secrets.
    third_party = "INFO" if level == "DEBUG" else level
    # These log webhook URLs, which are secrets, and the parameters of statements.
    verbose = "ERROR" if level == "ERROR" else "WARNING"
    propagated = {"handlers": [], "level": third_party, "propagate": True}
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
        "root": {"handlers": ["stderr"], "level": third_party},
        "loggers": {
            "lastspike": {"level": level},
            "uvicorn": propagated,
            "uvicorn.asgi": propagated,
            "litestar": propagated,
            "uvicorn.error": {**propagated, "filters": ["no_sockets"]},
            # Replaced by our access log, which shows no queries.
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
            **{
                name: {"level": verbose}
                for name in ("httpx", "httpcore", "sqlalchemy", "alembic", "asyncio")
            },
        },
    }


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        _log.critical("an error that nothing caught", exc_info=(kind, error, trace))


def access(method: str, path: str, status: int, seconds: float) -> None:
    """Log a request, or a socket when it has ended."""
    if ACCESS.isEnabledFor(logging.INFO):
        ms = round(seconds * 1000, 1)
        facts = {"method": method, "path": shown_path(path), "status": status, "ms": ms}
        ACCESS.info("%s %s %d %.1f ms", *facts.values(), extra=facts)


def shown_path(path: str) -> str:
    """A path for the log: no query, long segments cut, no line breaks."""
    parts = path.partition("?")[0][:400].split("/")
    short = (part if len(part) < 16 or "." in part else f"{part[:_SHOWN]}…" for part in parts)
    return "".join(letter if letter.isprintable() else "�" for letter in "/".join(short))[:200]


def scrubbed(text: str) -> str:
    """The text without possible secrets: passwords, queries, long random words."""
    for pattern, instead in _REPLACED:
        text = pattern.sub(instead, text)
    return text


class JsonLines(logging.Formatter):
    """One JSON object per line: `at`, `level`, `logger`, `message` and any extra fields."""

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
    """Time, level and message. A traceback follows its line."""

    def format(self, record: logging.LogRecord) -> str:
        message = "".join(
            letter if letter.isprintable() else "�" for letter in scrubbed(record.getMessage())
        )
        line = f"{_moment(record):%Y-%m-%d %H:%M:%S} {record.levelname.lower():7} {message}"
        if record.exc_info:
            line = f"{line}\n{scrubbed(_traceback(self, record))}"
        return line


class NoSockets(logging.Filter):
    """Drops uvicorn's messages about sockets."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith(_OF_SOCKETS)


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """The traceback, or the `log_line` of an error that has one."""
    assert record.exc_info is not None
    line = getattr(record.exc_info[1], "log_line", None)
    return formatter.formatException(record.exc_info) if line is None else str(line)


def _moment(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
