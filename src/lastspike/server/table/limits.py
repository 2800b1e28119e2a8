"""Limits on the size of a table's log and edition."""

from __future__ import annotations

MOST_SAID = 2_000
"""Chat messages in a table's log."""

MOST_CHANGES = 5_000
"""Steps of a table's log, not counting chat. Beyond this only turns are accepted, because loading
a table reads them all."""

MOST_FIGURES_BYTES = 32 * 1024
"""The size of a custom edition. Every viewer receives it, in lists of tables too."""
