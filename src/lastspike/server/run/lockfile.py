"""The lock file that allows one server per database file, and holds the server's address."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from lastspike.rules.errors import LastSpikeError

_PATIENCE = 15.0
"""Seconds that a server may take from locking its database to listening."""


class DatabaseInUse(LastSpikeError):
    """Another server has locked the database file, which is the fact `path`."""

    def address(self, patience: float = _PATIENCE) -> str | None:
        """The address of the other server. Waits for one that is just starting."""
        lock = _lock_of(Path(str(self.facts["path"])))
        until = time.monotonic() + patience
        while True:
            try:
                found = json.loads(lock.read_text("utf-8"))["address"]
                return found if isinstance(found, str) else None
            except (OSError, ValueError, LookupError, TypeError):
                if time.monotonic() >= until:
                    return None
            time.sleep(0.1)


class DatabaseLock:
    """A lock on a database, which the system releases when the process ends."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    def listens_at(self, address: str) -> None:
        """Publish the server's address for `DatabaseInUse.address`."""
        self._write(json.dumps({"address": address}))

    def _write(self, text: str) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(text)
            self._file.flush()


@contextmanager
def locked(database: Path) -> Iterator[DatabaseLock]:
    """Lock the database file. `DatabaseInUse` if another server has it.

    Does nothing on systems without `fcntl`. The lock file is never removed: otherwise two servers
    could lock two files of the same name.
    """
    if database.is_dir():
        raise LastSpikeError("{path}: expected a database file, found a folder", path=database)
    database.parent.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield DatabaseLock(None)
        return
    database = database.resolve()
    with _lock_of(database).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DatabaseInUse(
                "{path}: another server has this database open", path=database
            ) from None
        lock = DatabaseLock(file)
        lock._write("")
        try:
            yield lock
        finally:
            lock._write("")


def _lock_of(database: Path) -> Path:
    return database.with_name(f".{database.name}.server")
