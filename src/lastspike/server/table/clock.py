"""Time at a table: now in milliseconds, and how long things may take."""

from __future__ import annotations

import time

REVEAL_MS = 30_000
"""How long a browser may take to reveal its part of the shuffle."""
ABSENCE_MS = 120_000
"""How long a person must be away before the host may let a computer play for them."""
GRACE_MS = 60_000
"""The least time a returning person has for their turn, whatever their time bank holds."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000
