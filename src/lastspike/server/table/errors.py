"""What the server refuses, each with the HTTP status that says so; anything else of ours is 400."""

from __future__ import annotations

import math
from typing import ClassVar

from lastspike.rules.errors import LastSpikeError


class Refusal(LastSpikeError):
    """Base of refusals: nothing was changed. `status` is that of HTTP."""

    status: ClassVar[int] = 400


class NotAllowed(Refusal):
    """Somebody else may, but not this person, this page or this address."""

    status = 403


class NotFound(Refusal):
    """There is no such table, person or page, or none that this person may know of."""

    status = 404


class Conflict(Refusal):
    """It could have been done, but what it was meant for has changed."""

    status = 409


class TooLarge(Refusal):
    status = 413


class TooMany(Refusal):
    """Too often or too many at once. Its fact `seconds`, if given, is how long to wait."""

    status = 429

    @property
    def retry_after(self) -> int | None:
        """Whole seconds to wait, at least one."""
        seconds = self.facts.get("seconds")
        return max(1, math.ceil(seconds)) if isinstance(seconds, int | float) else None
