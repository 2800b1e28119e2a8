"""The players of a study who can be asked for their turns in many games at once."""

from __future__ import annotations

from lastspike.bots.levels import TYCOON
from lastspike.bots.surveyor import Surveyor

TYCOON_AHEAD = f"{TYCOON}:0"
"""Tycoon without search: it looks one turn ahead."""

TOGETHER = {Surveyor.level: 512, TYCOON_AHEAD: 128}
"""By name: how many of their games are played together. That fills the arrays well, and takes about
as long as starting a process."""
