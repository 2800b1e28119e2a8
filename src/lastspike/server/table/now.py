"""The current time, as tables store it, and as people read it."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def utc(ms: int) -> str:
    """A time as everybody understands it: `2026-11-19 15:40 UTC`."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
