"""The current time in milliseconds, and the time limits of a table."""

from __future__ import annotations

import time

REVEAL_MS = 30_000
"""How long a browser has to reveal its part of the shuffle."""
ABSENCE_MS = 120_000
"""How long a person must be away before the host may hand their seat to a computer."""
GRACE_MS = 60_000
"""The minimum time bank of a person who returns."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000
