"""How much a table takes."""

from __future__ import annotations

MOST_SAID = 2_000
"""Lines of chat in a table's log."""

MOST_CHANGES = 5_000
"""Steps of a table's log, chat apart, after which nothing but turns is accepted: opening a table
reads them all."""

MOST_FIGURES_BYTES = 32 * 1024
"""The size of an edition of one's own: everybody is sent it, in lists of tables too."""
