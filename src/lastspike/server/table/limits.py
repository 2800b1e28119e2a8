"""Limits of a table: the size of its log and edition, and how long it waits for people."""

from __future__ import annotations

MOST_SAID = 2_000
"""Messages of players in a table's log; each of them may write an equal share."""

MOST_SAID_BY_SPECTATORS = 1_000
"""Messages of spectators in a table's log, which have no part in those of players."""

MOST_SAID_BY_SPECTATOR = 100

MOST_CHANGES = 5_000
"""Steps of a table's log, not counting chat. Beyond this only turns are accepted, because loading
a table reads them all."""

MOST_FIGURES_BYTES = 32 * 1024
"""The size of a custom edition. Every viewer receives it."""

MOST_FIGURES_IN_LOG = 256 * 1024
"""The size of all different custom editions in a table's log; a host who tries a few is fine."""

REVEAL_MS = 30_000
"""How long a browser has to reveal its part of the shuffle."""

ABSENCE_MS = 120_000
"""How long a person must be away before the host may hand their seat to a computer."""

GRACE_MS = 60_000
"""The minimum time bank of a person who returns."""

MOST_RECORD_BYTES = MOST_FIGURES_BYTES + 32 * 1024
"""The size of a recorded game. A long one with the usual figures has 10 KiB."""

SLOW_GRACE_MS = 12 * 3_600_000
"""The same in a game of days."""

NUDGE_MS = 86_400_000
"""How long a turn must last before others may remind the person, and then once in this time."""
