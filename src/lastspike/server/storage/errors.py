"""What can go wrong with the database."""

from __future__ import annotations

from lastspike.rules.errors import LastSpikeError


class StorageDown(LastSpikeError):
    """The database can't be reached or can't write. Whether what was being written is stored after
    all is not known; reading again tells."""


def down() -> StorageDown:
    return StorageDown("the server can't store anything just now; try again in a moment")


def why(error: StorageDown) -> str:
    """What the database or the system said, in one line."""
    cause: BaseException = error
    while isinstance(cause, StorageDown) and cause.__cause__ is not None:
        cause = cause.__cause__
    cause = getattr(cause, "orig", None) or cause
    return str(cause).partition("\n")[0] or type(cause).__name__


def unreachable(place: str, error: StorageDown) -> LastSpikeError:
    """The same for whoever runs the server: which database, and why."""
    return LastSpikeError(
        "{place}: the database can't be reached: {reason}", place=place, reason=why(error)
    )
