"""The errors of the database."""

from __future__ import annotations

from lastspike.rules.errors import LastSpikeError


class StorageDown(LastSpikeError):
    """The database can't be reached or can't write. The last write may or may not be stored; read
    again to find out."""

    @property
    def log_line(self) -> str:
        """The original error in one line. Logs show it instead of a traceback, because workers fail
        often while the database is down."""
        cause: BaseException = self
        while isinstance(cause, StorageDown) and cause.__cause__ is not None:
            cause = cause.__cause__
        cause = getattr(cause, "orig", None) or cause
        return str(cause).partition("\n")[0] or type(cause).__name__


def down() -> StorageDown:
    return StorageDown("the server can’t save anything right now; try again in a moment")


def replaced() -> StorageDown:
    return StorageDown(
        "the server’s database file has been removed or replaced; nothing can be saved until it is "
        "back"
    )


def unreachable(place: str, error: StorageDown) -> LastSpikeError:
    """The error for the person who runs the server: which database, and why."""
    return LastSpikeError(
        "{place}: the database can’t be reached: {reason}", place=place, reason=error.log_line
    )
