"""Random values for a table: its id and seeds."""

from __future__ import annotations

import secrets

from lastspike.rules.records.shuffle import SECRET_BYTES


def new_table_id() -> str:
    return secrets.token_urlsafe(16)


def new_seed() -> bytes:
    """The server's secret part of a shuffle."""
    return secrets.token_bytes(SECRET_BYTES)
