"""The errors of refused requests, with their HTTP status. Any other `LastSpikeError` is a 400."""

from __future__ import annotations

import math
from typing import ClassVar

from lastspike.rules.errors import LastSpikeError


class Refusal(LastSpikeError):
    """Base class. A refused request changed nothing; `status` is the HTTP status."""

    status: ClassVar[int] = 400
    code: ClassVar[str | None] = None


class NotAllowed(Refusal):
    """Forbidden for this person, page or address."""

    status = 403


class NeedsToken(NotAllowed):
    """Making a table takes the token of this server."""

    code = "needs_token"


class NotFound(Refusal):
    """No such table, person or page, or none that this person may see."""

    status = 404


class Conflict(Refusal):
    """The request no longer fits the current state."""

    status = 409


class TooLarge(Refusal):
    status = 413


class TooMany(Refusal):
    """Too many requests. The fact `seconds`, if given, is how long to wait."""

    status = 429

    @property
    def retry_after(self) -> int | None:
        """Whole seconds to wait, at least one."""
        seconds = self.facts.get("seconds")
        return max(1, math.ceil(seconds)) if isinstance(seconds, int | float) else None
