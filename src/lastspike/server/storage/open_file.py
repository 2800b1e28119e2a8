"""Notices when the SQLite file is removed or replaced while the server uses it.

SQLite would go on writing into a file that nobody can find any longer, and all of it would be lost.
"""

from __future__ import annotations

import logging
import os

from .errors import replaced

log = logging.getLogger(__name__)

FileId = tuple[int, int]
"""What tells a file from another of the same name: its device, and its number there."""


class OpenFile:
    """The database file and its write-ahead log, as they were when they were opened."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: FileId | None = None
        self._journal: FileId | None = None
        self._replaced = False

    def opened(self, descriptor: int) -> None:
        self._file = _id_of(descriptor)

    def writing(self) -> None:
        """The writer has begun a transaction, so the write-ahead log is there."""
        self._journal = self._journal or _id_of(f"{self.path}-wal")

    def disconnected(self) -> None:
        """The writer is gone; the next one may find another write-ahead log."""
        if not self._replaced:
            self._journal = None

    def check(self) -> None:
        """`StorageDown` if either file is no longer the one that was opened."""
        other = (self._file is not None and _id_of(self.path) != self._file) or (
            self._journal is not None and _id_of(f"{self.path}-wal") != self._journal
        )
        if other != self._replaced:
            self._replaced = other
            if other:
                log.error(
                    "the database file %s was removed or replaced: put it back, or restart the "
                    "server to use what is there now",
                    self.path,
                )
            else:
                log.warning("the database file is back")
        if other:
            raise replaced()


def _id_of(file: str | int) -> FileId | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
